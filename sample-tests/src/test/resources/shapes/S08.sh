trap '' TERM INT HUP        # an ignored signal stays ignored across exec
sleep 120 >/dev/null 2>&1 &
echo "stubborn $!" >> "$OUT/pids"
wait
