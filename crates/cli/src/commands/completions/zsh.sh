#compdef PROGRAM
# Completion of PROGRAM for zsh.
FUNCTION() {
    local line value text
    local -a open opened done shown
    text=$("$words[1]" complete --describe -- "${(@)words[2,CURRENT]}" 2> /dev/null) || return 1
    for line in "${(@f)text}"; do
        [[ -z $line ]] && continue
        value="${line%%$'\t'*}"
        if [[ $line == *$'\t'* ]]; then
            line="$value  -- ${line#*$'\t'}"
        fi
        if [[ $value == *[:=,+@] ]]; then
            open+=("$value") opened+=("$line")
        else
            done+=("$value") shown+=("$line")
        fi
    done
    if (( ! $#open && ! $#done )); then
        _files
        return
    fi
    (( $#open )) && compadd -U -Q -S '' -l -d opened -- "${open[@]}"
    (( $#done )) && compadd -U -Q -l -d shown -- "${done[@]}"
    return 0
}
compdef FUNCTION PROGRAM
