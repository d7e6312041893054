# a parent by adoption that collects nothing: an orphan below it stays a zombie once it is killed
exec perl -e '
  syscall($ENV{PRCTL} // 157, 36, 1, 0, 0, 0) == 0 or die "prctl";
  sub until_there { for (1 .. 12000) { return if -e "$ENV{OUT}/$_[0]"; select(undef, undef, undef, 0.01) } exit 1 }
  until_there("start");
  my $mid = fork();
  if (!$mid) {
    my $leaf = fork();
    if (!$leaf) { $SIG{TERM} = "IGNORE"; exec "sleep", "120" }
    open my $f, ">>", "$ENV{OUT}/pids"; print $f "leaf $leaf\n"; close $f;
    until_there("let-go");
    exit 0;
  }
  waitpid $mid, 0;
  sleep 120;'
