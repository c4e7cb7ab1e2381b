//go:build interop

package interop

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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

// program is the Java agent for a version: where its sources are, where Maven
// puts it, and what it takes to start it.
type program struct{ version string }

func (p program) dir() string {
	if p.version == legacy {
		return filepath.Join("java", "legacy")
	}
	return "java"
}

func (p program) target() string { return filepath.Join(p.dir(), "target", p.version) }

func (p program) classPath() string {
	return filepath.Join(p.target(), "agent.jar") + string(os.PathListSeparator) + filepath.Join(p.target(), "lib", "*")
}

// stamp names the file that says which sources a build was made from.
func (p program) stamp() string { return filepath.Join(p.target(), "sources") }

// sources is the digest of everything a build is made from.
func (p program) sources() (string, error) {
	digest := sha256.New()
	add := func(path string) error {
		data, err := os.ReadFile(path)
		fmt.Fprintf(digest, "%s %d\n", path, len(data))
		digest.Write(data)
		return err
	}
	err := filepath.WalkDir(filepath.Join(p.dir(), "src"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return add(path)
	})
	return hex.EncodeToString(digest.Sum(nil)), errors.Join(err, add(filepath.Join(p.dir(), "pom.xml")))
}

// build has Maven make the program unless it is there already. Once made, it
// needs neither Maven nor a network again until its sources change; and when
// they do, Maven is asked first to do with what it has fetched.
func (p program) build() error {
	sources, err := p.sources()
	if err != nil {
		return err
	}
	if made, err := os.ReadFile(p.stamp()); err == nil && string(made) == sources {
		return nil
	}
	for _, tool := range []string{"mvn", "javac"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("there is no %s to build the Java agents with: on Debian run .ci/deps interop, "+
				"elsewhere install a JDK of at least version 11 and Apache Maven", tool)
		}
	}
	arguments := []string{"-q", "-B", "package", "-Delasticjob.version=" + p.version}
	var out []byte
	for _, mode := range [][]string{{"--offline"}, nil} {
		maven := exec.Command("mvn", append(mode, arguments...)...)
		maven.Dir = p.dir()
		if out, err = maven.CombinedOutput(); err == nil {
			return os.WriteFile(p.stamp(), []byte(sources), 0o600)
		}
	}
	return fmt.Errorf("build the Java agent for %s: %w\n%s", p.version, err, out)
}

// buildAll builds the Java program for each version that tests may ask for.
func buildAll() error {
	for _, version := range append(versions(append([]string{newest}, older...)), legacy) {
		if err := (program{version}).build(); err != nil {
			return err
		}
	}
	return nil
}
