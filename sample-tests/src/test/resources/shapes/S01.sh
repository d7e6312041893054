# the caller signals only this shell
sleep 120 &
echo "worker $!" >> "$OUT/pids"
wait
