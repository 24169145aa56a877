# fish completion for milepost. Save this file as `~/.config/fish/completions/milepost.fish`

function __milepost_complete
    set -l words (commandline -opc)
    set -l word (string unescape -- (commandline -ct))
    for line in (milepost complete fish -- $words[2..-1] "$word" 2>/dev/null)
        set -l option (string match -r -- '^--[^=]*=' "$word")
        set -l path (string replace -r -- '^--[^=]*=' '' "$word")
        switch $line
            case \tfiles
                printf "$option%s\n" (__fish_complete_path "$path")
            case \tfolders
                printf "$option%s\n" (__fish_complete_directories "$path" '')
            case '*'
                echo $line
        end
    end
end

complete -c milepost -f -k -a '(__milepost_complete)'
