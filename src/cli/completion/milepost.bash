# Bash completion for milepost. Add this line to ~/.bashrc: `source <(milepost completion bash)`

_milepost() {
  local word=${COMP_WORDS[COMP_CWORD]} line kind path
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      $'\t'*)
        [[ $line == *folders ]] && kind=-d || kind=-f
        path=${word#[\"\'=]}
        path=${path//\\/}
        compopt -o filenames 2>/dev/null
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$kind" -- "$path")
        ;;
      *)
        line=${line%%$'\t'*}
        # Within quotes, Bash does not remove backslashes.
        [[ $word == [\"\']* ]] || printf -v line %q "$line"
        COMPREPLY+=("$line")
        ;;
    esac
  done < <(milepost complete bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}

complete -F _milepost milepost
