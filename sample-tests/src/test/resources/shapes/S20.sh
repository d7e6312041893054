# each USR1 starts one more helper and forgets the one before
n=0
trap 'n=$((n + 1)); sleep 60 >/dev/null 2>&1 & echo "helper-$n $!" >> "$OUT/pids"' USR1
sleep 60 >/dev/null 2>&1 &
clock=$!
echo "clock $clock" >> "$OUT/pids"
while kill -0 "$clock" 2>/dev/null; do
  wait "$clock"
done
