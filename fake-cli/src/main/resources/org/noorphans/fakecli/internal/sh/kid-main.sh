# SPDX-License-Identifier: Apache-2.0
# A descendant that does something: $1 is the data directory, $2 its record, $3 its id, $4 its mode, $5 its life in
# seconds, $6 its plan file, $7 its life in hundredths, $8 the session, $9 the attempt, then the arguments of the fake.
fc_data=$1
. "$fc_data/plan/host.sh"
. "$fc_data/plan/lib.sh"
fc_inv=${2%/*} fc_pid=$$ fc_script=$6 fc_session=$8 fc_number=$9
fc_end=$fc_inv/kidend.${2##*.} fc_events=kidev.${2##*.}
fc_life_over() { fc_exit 0; }
fc_live_for "$7"
shift 9
. "$fc_data/plan/$fc_script"
