# Completion of PROGRAM for bash.
FUNCTION() {
    local line="${COMP_LINE:0:COMP_POINT}" IFS=$' \t\n' words current kept="" until sign
    # Words as a shell splits them, except that bash also splits at the signs of COMP_WORDBREAKS.
    read -ra words <<< "$line"
    [[ $line == *[[:blank:]] ]] && words+=("")
    while (( ${#words[@]} > 1 )) && [[ ${words[0]} != "$1" ]]; do
        words=("${words[@]:1}")
    done
    current="${words[${#words[@]}-1]}"
    IFS=$'\n'
    COMPREPLY=($("$1" complete -- "${words[@]:1}" 2> /dev/null))
    if [[ $? != 0 ]]; then
        # Nothing is known: no names of files either.
        compopt +o default 2> /dev/null
        return
    fi
    # Bash replaces only what follows the last of these signs.
    for sign in : = @; do
        if [[ $COMP_WORDBREAKS == *"$sign"* && $current == *"$sign"* ]]; then
            until="${current%"$sign"*}$sign"
            (( ${#until} > ${#kept} )) && kept="$until"
        fi
    done
    COMPREPLY=("${COMPREPLY[@]#"$kept"}")
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[:=,+@] ]] && compopt -o nospace 2> /dev/null
}
complete -o default -o nosort -F FUNCTION PROGRAM 2> /dev/null || complete -o default -F FUNCTION PROGRAM
