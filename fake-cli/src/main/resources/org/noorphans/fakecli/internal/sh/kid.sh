# SPDX-License-Identifier: Apache-2.0
# The first moment of a descendant that leads a group or session. $1 is the data directory, then as for fc_kid.
fc_data=$1
shift
. "$fc_data/plan/host.sh"
. "$fc_data/plan/lib.sh"
if [ "$3" = DAEMON ]; then
    cd /
    ( fc_kid "$@" ) &
    exit 0
fi
fc_kid "$@"
