//go:build interop

package interop

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/javaagent"
)

// The Java versions of the harness: every test runs with newest, the ones that
// show whether a version gets along with us at all also with older. Legacy is
// another generation that only the console deals with.
const (
	newest = "3.0.4"
	legacy = "2.1.5"
)

var older = []string{"3.0.3", "3.0.2"}

// withJava runs a test with the newest Java version, or with those that
// INTEROP_JAVA lists.
func withJava(t *testing.T, test func(t *testing.T, version string)) {
	t.Helper()
	withVersions(t, []string{newest}, test)
}

// withEveryJava runs a test with each version that we say we get along with,
// or with those that INTEROP_JAVA lists.
func withEveryJava(t *testing.T, test func(t *testing.T, version string)) {
	t.Helper()
	withVersions(t, append([]string{newest}, older...), test)
}

func withVersions(t *testing.T, otherwise []string, test func(t *testing.T, version string)) {
	t.Helper()
	t.Parallel() // Agents spend their time waiting for fire times.
	for _, version := range versions(otherwise) {
		t.Run("java-"+version, func(t *testing.T) {
			t.Parallel()
			test(t, version)
		})
	}
}

// versions is what INTEROP_JAVA lists, otherwise what a test says.
func versions(otherwise []string) []string {
	if list := os.Getenv("INTEROP_JAVA"); list != "" {
		return strings.Split(list, ",")
	}
	return otherwise
}

// side says which of the two kinds plays a part; the other plays its opposite.
type side string

const (
	java   side = "java"
	golang side = "go"
)

// bothWays runs a test twice, with the parts exchanged.
func bothWays(t *testing.T, part string, test func(t *testing.T, s side)) {
	t.Helper()
	for _, s := range []side{java, golang} {
		t.Run(string(s)+" "+part, func(t *testing.T) {
			t.Parallel()
			test(t, s)
		})
	}
}

// program is the Java agent for a version.
func program(version string) javaagent.Program {
	if version == legacy {
		return javaagent.Program{Dir: filepath.Join("java", "legacy"), Version: version}
	}
	return javaagent.Program{Dir: "java", Version: version}
}

// buildAll builds the Java program for each version that tests may ask for, the writers of
// trees of ElasticJob-Cloud, and the example of a job for it.
func buildAll() error {
	for _, version := range append(versions(append([]string{newest}, older...)), legacy) {
		if err := program(version).Build(); err != nil {
			return err
		}
	}
	for _, p := range cloudTrees {
		if err := p.Build(); err != nil {
			return err
		}
	}
	return cloudJava.Build()
}
