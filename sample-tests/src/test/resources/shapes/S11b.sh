# gone by itself 300 ms after the test has ended: no leak
sleep 0.3 >/dev/null 2>&1 &
echo "fading $!" >> "$OUT/pids"
exit 0
