# Completion of dicescript for bash. Source this file from ~/.bashrc, or save it as
# ~/.local/share/bash-completion/completions/dicescript (for everybody: as
# /usr/share/bash-completion/completions/dicescript).

_dicescript() {
	# Bash takes words apart at = where the command does not.
	local -a words=()
	local n=0 joined= word about begun known path
	for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
		if [[ $n -gt 0 && ( $word == =* || -n $joined ) ]]; then
			words[n - 1]+=$word
		else
			words[n]=$word
			n=$((n + 1))
		fi
		joined=
		[[ $word == *= ]] && joined=yes
	done
	begun=${words[n - 1]}
	known=
	[[ $COMP_WORDBREAKS == *=* && $begun == *=* ]] && known=${begun%=*}=

	COMPREPLY=()
	while IFS=$'\t' read -r word about; do
		case $word in
		:files | :folders)
			type compopt &>/dev/null && compopt -o filenames
			path=$begun
			[[ $path == -*=* ]] && path=${path#*=}
			path=${path#[\"\']}
			while IFS= read -r path; do
				if [[ -d $path || ( $word == :files && ( -z $about || " $about " == *" ${path##*.} "* ) ) ]]; then
					COMPREPLY+=("$path")
				fi
			done < <(compgen -f -- "$path")
			;;
		*)
			[[ $word == *= ]] && type compopt &>/dev/null && compopt -o nospace
			COMPREPLY+=("${word#"$known"}")
			;;
		esac
	done < <(command dicescript complete-words "${words[@]}" 2>/dev/null)
}

complete -F _dicescript dicescript
