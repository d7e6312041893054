# a service manager in small: adopts every orphan below it, runs the given command and ends with its exit code
exec perl -e '
  syscall($ENV{PRCTL} // 157, 36, 1, 0, 0, 0) == 0 or die "prctl";
  my $child = fork() // die "fork";
  if (!$child) { exec { $ARGV[0] } @ARGV; die "exec" }
  waitpid $child, 0;
  exit($? & 127 ? 99 : $? >> 8);' -- "$@"
