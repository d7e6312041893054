# classic daemon: new session, second fork, first one exits
setsid sh -c 'sleep 120 </dev/null >/dev/null 2>&1 &
              echo "daemon $!" >> "$OUT/pids"' &
wait
exit 0
