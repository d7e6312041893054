# own process group, same session
perl -e 'setpgrp(0, 0); exec "sleep", "120"' >/dev/null 2>&1 &
echo "own-group $!" >> "$OUT/pids"
wait
