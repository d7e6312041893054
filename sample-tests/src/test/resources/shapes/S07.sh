echo working
sleep 120 &                 # inherits our stdout and stderr
echo "holder $!" >> "$OUT/pids"
exit 0
