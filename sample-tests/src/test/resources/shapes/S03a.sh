# own session, still our child (Linux: setsid from util-linux)
setsid sleep 120 >/dev/null 2>&1 &
echo "own-session $!" >> "$OUT/pids"
wait
