# a supervisor: every dead child is replaced, at most 40 times
i=0
while [ "$i" -lt 40 ]; do
  sleep 60 >/dev/null 2>&1 &
  echo "child-$i $!" >> "$OUT/pids"
  wait "$!"
  i=$((i + 1))
done
