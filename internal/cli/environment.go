package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

// Lookup returns the value of an environment variable and whether it is set.
type Lookup func(name string) (string, bool)

// EnvName returns the variable of a flag.
func EnvName(flag string) string {
	return "ELASTICJOB_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// variable is the tag of flags that have an environment variable. On a command it counts for all flags
// of the command, except for flags with the value no.
const variable = "variable"

func isProcess(node *kong.Node) bool { return node.Tag != nil && node.Tag.Has(variable) }

// HasVariable reports whether a flag of a command has an environment variable.
func HasVariable(command *kong.Node, flag *kong.Flag) bool {
	if flag.Tag.Has(variable) {
		return flag.Tag.Get(variable) != "no"
	}
	return isProcess(command) && flag.Name != "help"
}

// environment resolves flags that are not on the command line. An empty variable counts as unset,
// because container files often leave them so.
func environment(env Lookup) kong.Resolver {
	return kong.ResolverFunc(func(_ *kong.Context, parent *kong.Path, flag *kong.Flag) (any, error) {
		if value, ok := env(EnvName(flag.Name)); ok && value != "" && HasVariable(parent.Node(), flag) {
			return value, nil
		}
		return nil, nil
	})
}

// maxSecret bounds a secret's file: it holds one line.
const maxSecret = 64 << 10

// Secret returns a value that is given directly or in a file, so that it need
// not be on a command line that every user of the machine can list. The
// last newline of the file does not belong to it.
func Secret(flag, value, file string) (string, error) {
	if file == "" {
		return value, nil
	}
	if value != "" {
		return "", Usage("Give one of them.", "--%s and --%s-file are both given", flag, flag)
	}
	hint := fmt.Sprintf("--%s-file (or %s) names a file with the value of --%s.", flag, EnvName(flag+"-file"), flag)
	info, err := os.Stat(file)
	if err != nil {
		return "", Fail(hint, "read --%s-file: %w", flag, err)
	}
	if info.Size() > maxSecret {
		return "", Fail(hint, "read --%s-file: %s has %d bytes, more than a secret has", flag, file, info.Size())
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", Fail(hint, "read --%s-file: %w", flag, err)
	}
	line := strings.TrimRight(string(text), "\r\n")
	if line == "" {
		return "", Fail(hint, "read --%s-file: %s is empty", flag, file)
	}
	return line, nil
}
