sleep 120 >/dev/null 2>&1 &
echo "stopped $!" >> "$OUT/pids"
sleep 0.1; kill -STOP $!
exit 0
