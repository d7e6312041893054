# SPDX-License-Identifier: Apache-2.0
# What the programs of a plan have in common. POSIX, built-in commands only, for dash, bash 3.2 and BusyBox.
# fc_data (the data directory) is set by the launcher; fc_shell, fc_sleep, fc_mkdir, fc_owner by host.sh.
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
    fc_end=$fc_inv/end fc_events=ev
    [ -n "$fc_owner" ] || fc_live_for "$fc_life"
}

# The names of the environment variables, and the values of those in $@. A value may contain line ends and look like
# another variable; so a name counts only if it is set. A subshell, because the values must not touch the disk.
fc_environ() {
    fc_text=$(export -p)
    fc_names=
    fc_ifs=$IFS
    IFS='
'
    set -f
    for fc_line in $fc_text; do
        case $fc_line in
            'export '*) fc_line=${fc_line#export } ;;
            'declare -x '*) fc_line=${fc_line#declare -x } ;;
            *) continue ;;
        esac
        fc_line=${fc_line%%=*}
        case $fc_line in
            '' | [0-9]* | *[!A-Za-z0-9_]*) continue ;;
        esac
        eval "[ -n \"\${$fc_line+x}\" ]" && fc_names=$fc_names$fc_line$IFS
    done
    set +f
    IFS=$fc_ifs
    printf '%s' "$fc_names" > "$fc_inv/env"
    for fc_name do
        eval "[ -n \"\${$fc_name+x}\" ]" && eval "printf '%s\\0' \"$fc_name=\$$fc_name\"" >> "$fc_inv/env.values"
    done
    fc_text=
}

# The record counts from here on: readers skip directories without "start", so all that is known at the start is there.
fc_started() {
    printf '%s\n' "$fc_class" > "$fc_inv/class"
    printf '' > "$fc_inv/start"
}

fc_flag() { printf '%s\n' "$1" >> "$fc_inv/flags"; }

# Each event is a file of its own, so that its time is the file's: the kernel's clock, without a process.
fc_event_number=0
fc_event() {
    { printf '%s\n' "$1" > "$fc_inv/$fc_events.$fc_event_number"; } 2> /dev/null
    fc_event_number=$((fc_event_number + 1))
}

# Notes that something was printed just now.
fc_said() {
    [ -e "$fc_inv/out.first" ] || { printf '\n' > "$fc_inv/out.first"; } 2> /dev/null
    { printf '\n' > "$fc_inv/out.last"; } 2> /dev/null
}

# ---- attempts -------------------------------------------------------------------------------------------------------

# The value of argument $1 in the others, in fc_text: "FLAG VALUE" or "FLAG=VALUE". The first one counts, and a word that
# begins with a hyphen is no value.
fc_arg() {
    fc_flag=$1 fc_text= fc_next=
    shift
    for fc_word do
        if [ -n "$fc_next" ]; then
            case $fc_word in
                -*) ;;
                *)
                    fc_text=$fc_word
                    return
                    ;;
            esac
            fc_next=
        fi
        case $fc_word in
            "$fc_flag") fc_next=1 ;;
            "$fc_flag="*)
                fc_text=${fc_word#*=}
                return
                ;;
        esac
    done
}

# $1 as part of a file name below claims, in fc_text: "/" and "%" are replaced, and a long one becomes directories of
# at most 60 characters each.
fc_key() {
    printf '%s\n' "$1" > "$fc_inv/key"
    fc_todo=$1 fc_text=
    while :; do
        case $fc_todo in
            *[/%]*)
                fc_head=${fc_todo%%[/%]*}
                fc_todo=${fc_todo#"$fc_head"}
                case $fc_todo in
                    /*) fc_text=$fc_text$fc_head%s ;;
                    *) fc_text=$fc_text$fc_head%p ;;
                esac
                fc_todo=${fc_todo#?}
                ;;
            *) break ;;
        esac
    done
    fc_todo=$fc_text$fc_todo fc_text=
    while [ "${#fc_todo}" -gt 60 ]; do
        fc_head=${fc_todo#????????????????????????????????????????????????????????????}
        fc_text=$fc_text${fc_todo%"$fc_head"}-/
        fc_todo=$fc_head
    done
    if [ -n "$fc_text" ] && [ ! -d "$fc_data/claims/$fc_class.k$fc_text" ]; then
        "$fc_mkdir" -p "$fc_data/claims/$fc_class.k$fc_text"
    fi
    fc_text=$fc_text$fc_todo
}

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
    [ -z "$fc_napper" ] || kill -KILL "$fc_napper" 2> /dev/null
    [ -z "$fc_burst" ] || fc_burst_end
    { printf 'exit %s\n' "$1" > "$fc_end"; } 2> /dev/null
    exit "$1"
}

# A real signal. An ignored one is reset first, since it would do nothing.
fc_crash() {
    [ -z "$fc_napper" ] || kill -KILL "$fc_napper" 2> /dev/null
    ulimit -c 0 2> /dev/null
    { printf 'crash %s\n' "$1" > "$fc_end"; } 2> /dev/null
    [ "$1" = KILL ] || trap - "$1"
    kill -"$1" "$$"
    exit 97
}

fc_broken() {
    { fc_flag "$1"; } 2> /dev/null
    fc_burst=
    fc_exit 98
}

# Becomes a new call of the same fake. Ignored signals stay ignored, as they do across every exec.
fc_exec_self() {
    { printf 'replaced\n' > "$fc_end"; } 2> /dev/null
    exec "$0" "$@"
}

# ---- time -----------------------------------------------------------------------------------------------------------

# Hundredths of a second since the boot, in fc_now.
fc_clock() {
    read -r fc_now fc_line < /proc/uptime
    fc_now=${fc_now%.*}${fc_now#*.}
}

# From here on this process has $1 hundredths of a second to live; checked whenever it waits in slices.
fc_live_for() {
    fc_clock
    fc_until=$((fc_now + $1))
}

# Ends the fake when nobody is left who could want it: its owner is gone, or its time is over.
fc_wanted() {
    if [ -n "$fc_until" ]; then
        fc_clock
        [ "$fc_now" -lt "$fc_until" ] || fc_life_over
    fi
    [ -n "$fc_owner" ] || return 0
    { read -r fc_line < "/proc/$fc_owner/stat"; } 2> /dev/null || fc_broken ownerGone
    set -- ${fc_line##*\)}
    case $1 in
        Z | X) fc_broken ownerGone ;;
    esac
    [ "${20}" = "$fc_owner_start" ] || fc_broken ownerGone
}

fc_life_over() { fc_broken lifeOver; }

# ---- waits ----------------------------------------------------------------------------------------------------------

# The signals that end the fake unless the scenario says otherwise, and now neither ignored nor handled by it.
fc_signals='HUP INT QUIT TERM'
fc_until= fc_napper= fc_job= fc_burst= fc_trapped=

# Waits at gate $1, noted as event $2, by reading a line inside this shell: no child, and signals act at once.
# The installer holds the write end, so opening never blocks and its death ends the read without a line. Opening the
# gate puts a plain file with a line in its place, for those who come later, and lines into the FIFO, for those who
# wait already or have just looked the name up. A handled signal ends the read too, in some shells; then once more.
# Standard error stays as it is: a handler that prints would otherwise print to where the read does.
# Without an owner nobody could hold a FIFO, so the fake looks every 100 ms whether the file is there.
fc_gate() {
    fc_event "$2"
    if [ -z "$fc_owner" ]; then
        fc_trap
        until [ -e "$fc_data/gates/$1" ]; do fc_nap 0.1; done
        fc_untrap
        return
    fi
    while :; do
        fc_trapped=
        [ -e "$fc_data/gates/$1" ] || fc_broken ownerGone
        read -r fc_line < "$fc_data/gates/$1" && return
        [ -n "$fc_trapped" ] || fc_broken ownerGone
    done
}

# Waits $1 times 250 ms and then $2 seconds; the signals in fc_signals end the fake at once.
# A foreground sleep would live on with the fake's stdout after the fake was killed, and traps would wait for it. So:
# in the background, away from all descriptors, in slices, and killed by a trap that then lets the signal have its way.
# After a KILL one slice may remain, at most 250 ms; it is recorded as a helper.
fc_delay() {
    fc_slices=$1 fc_rest=$2
    fc_trap
    while [ "$fc_slices" -gt 0 ]; do
        fc_nap 0.25
        fc_slices=$((fc_slices - 1))
    done
    [ "$fc_rest" = 0 ] || fc_nap "$fc_rest"
    fc_untrap
}

fc_trap() {
    for fc_signal in $fc_signals; do
        trap "fc_die $fc_signal" "$fc_signal"
    done
}

fc_untrap() {
    for fc_signal in $fc_signals; do
        trap - "$fc_signal"
    done
}

# A handled signal ends the wait, not the nap.
fc_nap() {
    fc_wanted
    "$fc_sleep" "$1" < /dev/null > /dev/null 2>&1 3>&- &
    fc_napper=$!
    if fc_ids "$fc_napper"; then
        { printf '%s\n' "$fc_ids_text" >> "$fc_inv/helpers"; } 2> /dev/null
    fi
    while :; do
        fc_trapped=
        wait "$fc_napper"
        [ -n "$fc_trapped" ] || break
    done
    # Forgotten as soon as it was waited for, because its number is free from then on.
    fc_napper=
}

fc_die() {
    [ -z "$fc_napper" ] || kill -KILL "$fc_napper" 2> /dev/null
    [ -z "$fc_job" ] || kill -KILL "$fc_job" 2> /dev/null
    trap - "$1"
    kill -"$1" "$$"
}

# Uses the CPU for $1 hundredths of a second.
fc_busy() {
    fc_clock
    fc_busy_until=$((fc_now + $1)) fc_rounds=0
    while [ "$fc_now" -lt "$fc_busy_until" ]; do
        fc_rounds=$((fc_rounds + 1))
        [ $((fc_rounds % 500)) -ne 0 ] || fc_wanted
        fc_clock
    done
}

# ---- input ----------------------------------------------------------------------------------------------------------

# Reads a line (if $1 is line) or to the end (eof), and keeps it if $2 is save. What a handled signal interrupted goes
# on with what is left.
fc_stdin() {
    printf '%s\n' "$1" > "$fc_inv/stdin.policy"
    [ "$2" != save ] || printf '' >> "$fc_inv/stdin"
    fc_event "stdin $1"
    while :; do
        fc_trapped= fc_line=
        if IFS= read -r fc_line; then
            [ "$2" != save ] || printf '%s\n' "$fc_line" >> "$fc_inv/stdin"
            [ "$1" = eof ] || break
        else
            [ "$2" != save ] || printf '%s' "$fc_line" >> "$fc_inv/stdin"
            [ -n "$fc_trapped" ] && continue
            printf '' > "$fc_inv/stdin.eof"
            break
        fi
    done
    fc_event 'stdin done'
}

# ---- output ---------------------------------------------------------------------------------------------------------

# Prints $1 bytes in lines of 1,024.
fc_flood() {
    fc_left=$1 fc_x=xxxxxxxxxxxxxxxx
    while [ "${#fc_x}" -lt 1024 ]; do fc_x=$fc_x$fc_x; done
    fc_x=${fc_x#?}
    while [ "$fc_left" -ge 1024 ]; do
        printf '%s\n' "$fc_x"
        fc_left=$((fc_left - 1024))
    done
    [ "$fc_left" -eq 0 ] || printf "%.$((fc_left - 1))s\n" "$fc_x"
}

# Holds standard output back in a file; descriptor 3 is the real one, and no process that is started may have it.
fc_burst() {
    exec 3>&1 > "$fc_inv/burst"
    fc_burst=1
}

fc_burst_end() {
    exec >&3 3>&-
    fc_burst= fc_line=
    while IFS= read -r fc_line; do printf '%s\n' "$fc_line"; done < "$fc_inv/burst"
    printf '%s' "$fc_line"
    fc_said
}

# ---- effects --------------------------------------------------------------------------------------------------------

# Runs a program and waits for it, at most $1 hundredths of a second. It is looked at, not just waited for, since
# nothing else would bound it.
fc_run() {
    fc_clock
    fc_run_until=$((fc_now + $1))
    shift
    "$@" < /dev/null 3>&- &
    fc_job=$!
    if fc_ids "$fc_job"; then
        printf '%s\n' "$fc_ids_text" >> "$fc_inv/helpers"
    fi
    fc_trap
    while { read -r fc_line < "/proc/$fc_job/stat"; } 2> /dev/null; do
        case $fc_line in
            *') Z '*) break ;;
        esac
        fc_clock
        if [ "$fc_now" -ge "$fc_run_until" ]; then
            kill -KILL "$fc_job" 2> /dev/null
            fc_flag runTooLong
            break
        fi
        fc_nap 0.02
    done
    while :; do
        fc_trapped=
        wait "$fc_job"
        fc_code=$?
        [ -n "$fc_trapped" ] || break
    done
    fc_job=
    fc_untrap
    fc_event "run $1 $fc_code"
}

# ---- descendants ----------------------------------------------------------------------------------------------------

# Becomes descendant $2, started as $3, for $4 seconds, after writing itself down in $1. It does so itself and first,
# so that no descendant can live without a record: if the records are gone, it ends.
# With more arguments it becomes a program of its own: the plan file $5, then as for kid-main.sh.
fc_kid() {
    fc_ids self || exit 98
    { printf '%s\n' "$2 $3 $fc_ids_text" > "$1"; } 2> /dev/null || exit 98
    [ $# -gt 4 ] || exec "$fc_sleep" "$4"
    exec "$fc_shell" "$fc_data/plan/kid-main.sh" "$fc_data" "$@"
}

# Waits until the descendant recorded in $1 is what it is to be: until the exec its command line is still the fake's.
# A program of its own says itself when it is (up.N). $2 is its pid if it is a child. Bounded by the clock of the kernel, since a count of rounds says nothing under load.
fc_await_kid() {
    fc_clock
    fc_patience=$((fc_now + 1000))
    while :; do
        [ ! -e "$fc_inv/up.${1##*.}" ] || return 0
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
        fc_clock
        [ "$fc_now" -lt "$fc_patience" ] || fc_broken spawnFailed
    done
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
