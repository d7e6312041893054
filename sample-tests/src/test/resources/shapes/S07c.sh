echo working
sleep 120 >/dev/null &      # inherits our stderr only, which the caller has merged into stdout
echo "holder $!" >> "$OUT/pids"
sleep 0.5
exit 0
