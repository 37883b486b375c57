#compdef dicescript
# Completion of dicescript for zsh. Save this file as _dicescript in a folder of
# $fpath, or put "source <(dicescript completion zsh)" after compinit in ~/.zshrc.

_dicescript() {
	local line word about
	local -a finished begun
	for line in "${(@f)$(command dicescript complete-words "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}"; do
		word=${line%%$'\t'*} about=${line#*$'\t'}
		case $word in
		'') ;;
		:files)
			[[ $PREFIX == -*=* ]] && compset -P '*='
			if [[ -n $about ]]; then
				_files -g "*.(${about// /|})"
			else
				_files
			fi
			;;
		:folders)
			[[ $PREFIX == -*=* ]] && compset -P '*='
			_files -/
			;;
		*=) begun+=("${word//:/\\:}:$about") ;;
		*) finished+=("${word//:/\\:}:$about") ;;
		esac
	done
	(( $#finished )) && _describe -t words dicescript finished
	(( $#begun )) && _describe -t beginnings dicescript begun -S ''
	return 0
}

if [[ ${funcstack[1]} == _dicescript ]]; then
	_dicescript "$@"
else
	compdef _dicescript dicescript
fi
