# complete.zsh SCRIPT LINE: types LINE and a tabulator into an interactive zsh
# that has SCRIPT, and prints the line that it makes of it, in brackets.
zmodload zsh/zpty
zpty shell zsh -f -i
send() { zpty -w shell "$1" }
send "PS1= PS2=; autoload -Uz compinit; compinit -D -u; source $1"
send 'show() { print -r -- "<[$BUFFER]>"; BUFFER=; zle accept-line }; zle -N show; bindkey "^X" show'
send 'print ready-$((1+1))'
while zpty -r shell line; do [[ $line == *ready-2* ]] && break; done
zpty -w -n shell "$2"$'\t\x18'
while zpty -r shell line; do
  if [[ $line == *'<['*']>'* ]]; then
    line=${line#*<}
    print -r -- ${line%%>*}
    break
  fi
done
zpty -d shell
