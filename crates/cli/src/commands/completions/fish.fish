# Completion of PROGRAM for fish.
function FUNCTION
    set -l words (commandline -opc) (commandline -ct)
    set -l found ($words[1] complete --describe -- $words[2..-1] 2> /dev/null)
    if test $status -eq 0
        if test (count $found) -eq 0
            __fish_complete_path (commandline -ct)
        else
            printf '%s\n' $found
        end
    end
end
complete -c PROGRAM -f -a '(FUNCTION)'
