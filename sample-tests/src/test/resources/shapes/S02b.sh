# the job is put into the background by a subshell, so it is adopted at once
( sleep 120 >/dev/null 2>&1 & echo "job $!" >> "$OUT/pids" )
