package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// completionCommand is `elasticjob completion`.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

// completions are the scripts by shell. They call completeCommand with the words before the cursor.
var completions = map[string]string{
	"bash": `# Load it with: source <(elasticjob completion bash)
_elasticjob() {
    local IFS=$'\n'
    COMPREPLY=($(compgen -W "$(elasticjob complete -- "${COMP_WORDS[@]:1:COMP_CWORD}")" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _elasticjob elasticjob
`,
	"zsh": `#compdef elasticjob
# Load it with: source <(elasticjob completion zsh)
_elasticjob() {
    local -a words_found
    words_found=("${(@f)$(elasticjob complete -- "${(@)words[2,CURRENT]}")}")
    compadd -a words_found || _files
}
compdef _elasticjob elasticjob
`,
	"fish": `# Load it with: elasticjob completion fish | source
complete -c elasticjob -a '(elasticjob complete -- (commandline -opc)[2..] (commandline -ct))'
`,
}

func (c *completionCommand) Run(p *cli.Process) error {
	_, err := fmt.Fprint(p.Stdout, completions[c.Shell])
	return err
}

// completeCommand is the hidden command that completion scripts call.
type completeCommand struct {
	Words []string `arg:"" optional:"" passthrough:""`
}

func (c *completeCommand) Run(p *cli.Process) error {
	parser, err := kong.New(&commandLine{}, kong.Name("elasticjob"))
	if err != nil {
		return fmt.Errorf("command line: %w", err)
	}
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	for _, word := range candidates(parser.Model.Node, words) {
		if _, err := fmt.Fprintln(p.Stdout, word); err != nil {
			return err
		}
	}
	return nil
}

// candidates returns the words that can take the place of the last one.
func candidates(node *kong.Node, words []string) (list []string) {
	last := ""
	if len(words) > 0 {
		last, words = words[len(words)-1], words[:len(words)-1]
	}
	flags := slices.Clone(node.Flags)
	var value *kong.Flag // The last word is its value.
	for _, word := range words {
		value = nil
		if name, isFlag := strings.CutPrefix(word, "-"); isFlag {
			name = strings.TrimPrefix(name, "-")
			at := slices.IndexFunc(flags, func(f *kong.Flag) bool { return f.Name == name || string(f.Short) == name })
			if at >= 0 && !flags[at].IsBool() {
				value = flags[at]
			}
			continue
		}
		if at := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == word }); at >= 0 {
			node = node.Children[at]
			flags = append(flags, node.Flags...)
		}
	}
	add := func(words ...string) {
		for _, word := range words {
			if word != "" && strings.HasPrefix(word, last) {
				list = append(list, word)
			}
		}
	}
	if value != nil {
		add(value.EnumSlice()...)
		return list
	}
	if strings.HasPrefix(last, "-") {
		for _, f := range flags {
			if !f.Hidden {
				add("--" + f.Name)
			}
		}
		return list
	}
	for _, child := range node.Children {
		if !child.Hidden {
			add(child.Name)
		}
	}
	for _, argument := range node.Positional {
		add(argument.EnumSlice()...)
	}
	return list
}
