# prctl(PR_SET_CHILD_SUBREAPER): 157 is prctl on x86_64, 167 on aarch64
exec perl -e '
  syscall($ENV{PRCTL} // 157, 36, 1, 0, 0, 0) == 0 or die "prctl";
  my $mid = fork();
  if (!$mid) {
    my $leaf = fork();
    if (!$leaf) { exec "sleep", "120" }
    open my $f, ">>", "$ENV{OUT}/pids"; print $f "leaf $leaf\n"; close $f;
    exit 0;
  }
  waitpid $mid, 0;
  sleep 120;'
