# one attempt of a fake agent: starts a helper, then fails
sleep 120 >/dev/null 2>&1 &
echo "attempt-${ATTEMPT:-1} $!" >> "$OUT/pids"
echo '{"type":"error","retryable":true}'
exit 1
