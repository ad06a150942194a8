# complete.bash SCRIPT WORDS: what the function of SCRIPT offers for the last of
# the words after `instantrace`, a line each.
source "$1"
read -ra COMP_WORDS <<<"instantrace $2"
[[ $2 != *' ' ]] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_instantrace
printf '%s\n' "${COMPREPLY[@]}"
