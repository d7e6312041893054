# three jobs: two stay, one is brief
sleep 120 >/dev/null 2>&1 &
echo "first $!" >> "$OUT/pids"
sleep 0.1 >/dev/null 2>&1 &
echo "brief $!" >> "$OUT/pids"
sleep 120 >/dev/null 2>&1 &
echo "second $!" >> "$OUT/pids"
exit 0
