# SPDX-License-Identifier: Apache-2.0
# What the programs of a plan have in common. POSIX, built-in commands only, for dash, bash 3.2 and BusyBox.
# fc_data (the data directory) is set by the launcher; fc_shell, fc_sleep, fc_mkdir by host.sh.
# No "set -e": its rules differ between shells, so every failure is handled where it can happen.

# ---- ids ------------------------------------------------------------------------------------------------------------

# Reads the ids of process $1 ("self" is the shell that runs this, also in a subshell, where $$ is still the parent's).
# The second field of the line, the name, may contain blanks and parentheses: fields count from the last ")".
fc_ids() {
    { read -r fc_line < "/proc/$1/stat"; } 2> /dev/null || return 1
    fc_of=${fc_line%% *}
    set -- ${fc_line##*\)}
    fc_ids_text="$fc_of $2 $3 $4 ${20}"
}

# ---- record directory -----------------------------------------------------------------------------------------------

# Each call has a directory of its own: appends of several writers to one file mix above 8 KiB.
# A name is claimed by creating a file with O_EXCL (set -C). The first directories exist already, so that this needs no
# process; later ones are made by mkdir. Numbers are looked at from 0 on, one system call each (a failed creation costs
# ten times that): a file with the next number would have to be written in place by many writers, and bash writes
# digits and line end apart.
# "printf ''" and not ":": after a failed redirection of a special built-in command, dash and POSIX-mode bash end.
fc_begin() {
    fc_seq=0
    set -C
    while :; do
        while [ -e "$fc_data/inv/$fc_seq/claim" ]; do fc_seq=$((fc_seq + 1)); done
        fc_inv=$fc_data/inv/$fc_seq
        [ -d "$fc_inv" ] || "$fc_mkdir" "$fc_inv" 2> /dev/null
        { printf '' > "$fc_inv/claim"; } 2> /dev/null && break
        # Another call was faster, or else nothing can be written here.
        [ -e "$fc_inv/claim" ] || {
            printf '%s\n' "fake: cannot write to $fc_data; was the fake closed?" >&2
            exit 97
        }
    done
    set +C
    printf '%s\0' "$0" "$@" > "$fc_inv/argv"
    { pwd -P > "$fc_inv/cwd"; } 2> /dev/null
    fc_ids "$$"
    fc_pid=$fc_of
    printf '%s\n' "$fc_ids_text" > "$fc_inv/ids"
}

# The record counts from here on: readers skip directories without "start", so all that is known at the start is there.
fc_started() {
    printf '%s\n' "$fc_class" > "$fc_inv/class"
    printf '' > "$fc_inv/start"
}

fc_flag() { printf '%s\n' "$1" >> "$fc_inv/flags"; }

fc_event() { { printf '%s\n' "$1" >> "$fc_inv/events"; } 2> /dev/null; }

# ---- attempts -------------------------------------------------------------------------------------------------------

# Claims the next number of counter $1. Reading, adding and writing back gives the same number to parallel calls;
# O_EXCL does not.
fc_claim() {
    fc_number=0
    set -C
    while :; do
        while [ -e "$fc_data/claims/$1.$fc_number" ]; do fc_number=$((fc_number + 1)); done
        { printf '' > "$fc_data/claims/$1.$fc_number"; } 2> /dev/null && break
        if [ ! -e "$fc_data/claims/$1.$fc_number" ]; then
            printf '%s\n' "fake: cannot write to $fc_data/claims" >&2
            exit 97
        fi
    done
    set +C
    printf '%s\n' "$fc_number" > "$fc_inv/attempt"
}

# Picks the steps for the claimed number: $1 planned attempts, $2 "repeat" or "fail" when there are no more.
fc_attempt() {
    fc_plan=$fc_number
    if [ "$fc_number" -ge "$1" ]; then
        fc_plan=$(($1 - 1))
        if [ "$2" = fail ]; then
            fc_flag exhausted
            fc_started
            printf '%s\n' "fake: call $((fc_number + 1)) of class $fc_class, but the scenario has only $1" >&2
            fc_exit 97
        fi
    fi
    fc_started
}

fc_unmatched() {
    fc_flag unmatched
    printf '' > "$fc_inv/start"
    printf '%s\n' "fake: no rule of the scenario matches this call: $*" >&2
    fc_exit 97
}

# ---- ends -----------------------------------------------------------------------------------------------------------

# "end" is the very last act; a call without it was ended by something else.
fc_exit() {
    { printf 'exit %s\n' "$1" > "$fc_inv/end"; } 2> /dev/null
    exit "$1"
}

# A real signal. An ignored one is reset first, since it would do nothing.
fc_crash() {
    ulimit -c 0 2> /dev/null
    { printf 'crash %s\n' "$1" > "$fc_inv/end"; } 2> /dev/null
    [ "$1" = KILL ] || trap - "$1"
    kill -"$1" "$$"
    exit 97
}

fc_broken() {
    { fc_flag "$1"; } 2> /dev/null
    fc_exit 98
}

# ---- waits ----------------------------------------------------------------------------------------------------------

# Waits at gate $1, noted as event $2, by reading a line inside this shell: no child, and signals act at once.
# The installer holds the write end, so opening never blocks and its death ends the read without a line. Opening the
# gate puts a plain file with a line in its place, for those who come later, and lines into the FIFO, for those who
# wait already or have just looked the name up.
fc_gate() {
    fc_event "$2"
    { read -r fc_line < "$fc_data/gates/$1"; } 2> /dev/null || fc_broken ownerGone
}

# Waits $1 times 250 ms and then $2 seconds; the signals after that end the fake at once.
# A foreground sleep would live on with the fake's stdout after the fake was killed, and traps would wait for it. So:
# in the background, away from all descriptors, in slices, and killed by a trap that then lets the signal have its way.
# After a KILL one slice may remain, at most 250 ms; it is recorded as a helper.
fc_delay() {
    fc_slices=$1 fc_rest=$2
    shift 2
    fc_napper=
    for fc_signal do
        trap "fc_die $fc_signal" "$fc_signal"
    done
    while [ "$fc_slices" -gt 0 ]; do
        fc_nap 0.25
        fc_slices=$((fc_slices - 1))
    done
    [ "$fc_rest" = 0 ] || fc_nap "$fc_rest"
    for fc_signal do
        trap - "$fc_signal"
    done
}

fc_nap() {
    "$fc_sleep" "$1" < /dev/null > /dev/null 2>&1 &
    fc_napper=$!
    if fc_ids "$fc_napper"; then
        printf '%s\n' "$fc_ids_text" >> "$fc_inv/helpers"
    fi
    wait "$fc_napper"
    # Forgotten as soon as it was waited for, because its number is free from then on.
    fc_napper=
}

fc_die() {
    [ -z "$fc_napper" ] || kill -KILL "$fc_napper" 2> /dev/null
    trap - "$1"
    kill -"$1" "$$"
}

# ---- descendants ----------------------------------------------------------------------------------------------------

# Becomes descendant $2, started as $3, for $4 seconds, after writing itself down in $1. It does so itself and first,
# so that no descendant can live without a record: if the records are gone, it ends.
fc_kid() {
    fc_ids self || exit 98
    { printf '%s\n' "$2 $3 $fc_ids_text" > "$1"; } 2> /dev/null || exit 98
    exec "$fc_sleep" "$4"
}

# Waits until the descendant recorded in $1 is what it is to be: until the exec its command line is still the fake's.
# $2 is its pid if it is a child. Bounded by the clock of the kernel, since a count of rounds says nothing under load.
fc_await_kid() {
    fc_uptime
    fc_until=$((fc_up + 10))
    while :; do
        if [ -s "$1" ] && { read -r fc_id fc_mode fc_kid fc_line < "$1"; } 2> /dev/null; then
            # Gone or a zombie: it did live, and something has ended it since.
            { read -r fc_line < "/proc/$fc_kid/stat"; } 2> /dev/null || return 0
            case $fc_line in
                "$fc_kid (${fc_sleep##*/}) "* | *") Z "*) return 0 ;;
            esac
        elif [ -n "$2" ]; then
            { read -r fc_line < "/proc/$2/stat"; } 2> /dev/null || fc_line=') Z '
            case $fc_line in
                *") Z "*) [ -s "$1" ] || fc_broken spawnFailed ;;
            esac
        fi
        fc_uptime
        [ "$fc_up" -lt "$fc_until" ] || fc_broken spawnFailed
    done
}

fc_uptime() {
    read -r fc_up fc_line < /proc/uptime
    fc_up=${fc_up%%.*}
}

# ---- text -----------------------------------------------------------------------------------------------------------

# $1 as the inside of a JSON string, in fc_text. Most values need no escape.
fc_json() {
    fc_text=$1
    case $1 in
        *[\\\"[:cntrl:]]*) ;;
        *) return 0 ;;
    esac
    fc_todo=$1 fc_text=
    while [ -n "$fc_todo" ]; do
        fc_char=${fc_todo%"${fc_todo#?}"}
        fc_todo=${fc_todo#?}
        case $fc_char in
            \" | \\) fc_text=$fc_text\\$fc_char ;;
            "
") fc_text=$fc_text\\n ;;
            "	") fc_text=$fc_text\\t ;;
            [[:cntrl:]]) fc_text=$fc_text\\ufffd ;;
            *) fc_text=$fc_text$fc_char ;;
        esac
    done
}
