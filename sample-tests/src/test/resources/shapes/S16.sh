sleep 0.1 &
echo "zombie $!" >> "$OUT/pids"
exec sleep 120              # never waits: the first sleep stays a zombie
