# Completion of dicescript for fish. Save this file as
# ~/.config/fish/completions/dicescript.fish

function __dicescript_words
    set -l words (commandline -opc)
    set -l begun (commandline -ct)
    for line in (command dicescript complete-words $words[2..-1] "$begun" 2>/dev/null)
        set -l parts (string split -m 1 \t -- $line)
        switch $parts[1]
            case :files :folders
                set -l before (string match -r -- '^-[^=]*=' "$begun")
                set -l path (string replace -r -- '^-[^=]*=' '' "$begun")
                set -l ending '(/'
                test $parts[1] = :files; and set ending "$ending|"(string replace -a -- " " "|" "\\.($parts[2])")
                test $parts[1] = :files -a -z "$parts[2]"; and set ending '(.'
                for found in (complete -C "'' $path")
                    set -l name (string split -m 1 \t -- $found)[1]
                    string match -qr -- "$ending)\$" $name; and echo -- "$before$name"
                end
            case '*'
                echo -- $line
        end
    end
end

complete -c dicescript -f -a '(__dicescript_words)'
