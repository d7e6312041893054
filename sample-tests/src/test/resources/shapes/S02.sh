# the command succeeds; its background job stays
nohup sleep 120 >/dev/null 2>&1 &
echo "job $!" >> "$OUT/pids"
exit 0
