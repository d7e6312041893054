# an attempt that goes on
sleep 120 >/dev/null 2>&1 &
echo "attempt-${ATTEMPT:-1} $!" >> "$OUT/pids"
wait
