# the same, but the daemon leaves the directory of its starter and has none of its open files
setsid sh -c 'cd /
              sleep 120 </dev/null >/dev/null 2>&1 &
              echo "daemon $!" >> "$OUT/pids"' </dev/null >/dev/null 2>&1 &
wait
exit 0
