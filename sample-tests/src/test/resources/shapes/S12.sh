# run as a plain child of the JVM: shows that it shares the JVM's group
sleep 120 >/dev/null 2>&1 &
echo "same-group $!" >> "$OUT/pids"
wait
