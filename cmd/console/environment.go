package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

// lookup returns the value of an environment variable and whether it is set.
type lookup func(name string) (string, bool)

// envName is the variable that stands for a flag.
func envName(flag string) string {
	return "ELASTICJOB_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// environment resolves flags that are not on the command line. An empty
// variable counts as unset, as container files often leave them.
func environment(env lookup) kong.Resolver {
	return kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
		if value, ok := env(envName(flag.Name)); ok && value != "" && flag.Name != "help" {
			return value, nil
		}
		return nil, nil
	})
}

// maxSecret bounds a secret's file: it holds one line.
const maxSecret = 64 << 10

// secret returns a value that is given directly or in a file, so that it need
// not stand on a command line that every user of the machine can list. The
// last newline of the file does not belong to it.
func secret(flag, value, file string) (string, error) {
	if file == "" {
		return value, nil
	}
	if value != "" {
		return "", usage("Give one of them.", "--%s and --%s-file are both given", flag, flag)
	}
	hint := fmt.Sprintf("--%s-file (or %s) names a file whose content is the value of --%s.", flag, envName(flag+"-file"), flag)
	info, err := os.Stat(file)
	if err != nil {
		return "", fail(hint, "read --%s-file: %w", flag, err)
	}
	if info.Size() > maxSecret {
		return "", fail(hint, "read --%s-file: %s has %d bytes, more than a secret has", flag, file, info.Size())
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fail(hint, "read --%s-file: %w", flag, err)
	}
	line := strings.TrimRight(string(text), "\r\n")
	if line == "" {
		return "", fail(hint, "read --%s-file: %s is empty", flag, file)
	}
	return line, nil
}
