package cli

// completionScripts ask the program what could be typed, in the words of each
// shell. Where it knows nothing, the shell completes names of files.
var completionScripts = map[string]string{
	"bash": `# recollect completion for bash
_recollect() {
    local word="${COMP_WORDS[COMP_CWORD]}" line
    [ "$word" = "=" ] && word=""
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("${line%%$'\t'*}")
    done < <(recollect complete --word="$word" -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
}
complete -o default -F _recollect recollect
`,
	"zsh": `#compdef recollect
# recollect completion for zsh
_recollect() {
    local -a found
    local line
    for line in "${(@f)$(recollect complete --word="${words[CURRENT]}" -- "${(@)words[2,CURRENT-1]}" 2>/dev/null)}"; do
        [[ -n "$line" ]] && found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    done
    if (( ${#found} )); then
        _describe 'recollect' found
    else
        _files
    fi
}
if [ "${funcstack[1]}" = "_recollect" ]; then
    _recollect "$@"
else
    compdef _recollect recollect
fi
`,
	"fish": `# recollect completion for fish
function __recollect_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    recollect complete --word="$word" -- $words[2..-1] 2>/dev/null
end
complete -c recollect -f -a '(__recollect_complete)'
complete -c recollect -l project -s p -rF
complete -c recollect -l transcripts -rF
complete -c recollect -l transcript -rF
complete -c recollect -l target -rF
`,
	"powershell": `# recollect completion for PowerShell
Register-ArgumentCompleter -Native -CommandName recollect -ScriptBlock {
    param($word, $line, $cursor)
    $before = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
    recollect complete "--word=$word" -- @before 2>$null | ForEach-Object {
        $name, $about = $_ -split [char]9, 2
        if (-not $about) { $about = $name }
        [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $about)
    }
}
`,
}
