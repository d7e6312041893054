# needs about two seconds after TERM to save its work
trap 'sleep 2; echo saved > "$OUT/saved"; exit 0' TERM
sleep 60 >/dev/null 2>&1 &
echo "clock $!" >> "$OUT/pids"
wait
