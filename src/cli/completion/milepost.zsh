#compdef milepost
# Zsh completion for milepost. Add this line to `~/.zshrc` after `compinit`: `source <(milepost completion zsh)`

_milepost() {
  local line about
  local -i width=0
  local -a before lines found shown
  before=("${(@Q)words[2,CURRENT-1]}")
  lines=("${(@f)$(milepost complete zsh -- "${before[@]}" "${(Q)PREFIX}" 2>/dev/null)}")
  case $lines[1] in
    '') return 1 ;;
    $'\t'*)
      [[ $PREFIX == --*=* ]] && compset -P '*='
      if [[ $lines[1] == *folders ]]; then _files -/; else _files; fi
      return
      ;;
  esac
  found=("${(@)lines%%$'\t'*}")
  for line in "${found[@]}"; do
    (( ${#line} > width )) && width=${#line}
  done
  for line in "${lines[@]}"; do
    about=${line#*$'\t'}
    shown+=("${(r:width:)line%%$'\t'*}${about:+  $about}")
  done
  compadd -l -V milepost -d shown -a -- found
}

if [[ $funcstack[1] == _milepost ]]; then
  _milepost "$@"
else
  compdef _milepost milepost
fi
