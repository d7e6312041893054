echo working
sleep 120 &                 # inherits our stdout and stderr
echo "holder $!" >> "$OUT/pids"
sleep 0.5                   # the caller starts to read while we live
exit 0
