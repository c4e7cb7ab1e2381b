// Package javaagent builds the agents of Apache ElasticJob that tests and
// measurements run beside ours, from the sources under interop/java.
package javaagent

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// Program is the Java agent for one version of ElasticJob.
type Program struct {
	Dir     string // Dir is the folder of its pom.xml.
	Version string // Version is that of ElasticJob, such as 3.0.4; "" if its pom.xml says which.
}

func (p Program) target() string { return filepath.Join(p.Dir, "target", p.Version) }

// ClassPath is what Java needs to start it.
func (p Program) ClassPath() string {
	return filepath.Join(p.target(), "agent.jar") + string(os.PathListSeparator) + filepath.Join(p.target(), "lib", "*")
}

// stamp names the file that says which sources a build was made from.
func (p Program) stamp() string { return filepath.Join(p.target(), "sources") }

// sources is the digest of everything a build is made from.
func (p Program) sources() (string, error) {
	digest := sha256.New()
	add := func(path string) error {
		data, err := os.ReadFile(path)
		name, outside := filepath.Rel(p.Dir, path)
		fmt.Fprintf(digest, "%s %d\n", name, len(data))
		digest.Write(data)
		return errors.Join(err, outside)
	}
	err := filepath.WalkDir(filepath.Join(p.Dir, "src"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return add(path)
	})
	return hex.EncodeToString(digest.Sum(nil)), errors.Join(err, add(filepath.Join(p.Dir, "pom.xml")))
}

// Build has Maven make the program unless it is there already. Once made, it
// needs neither Maven nor a network again until its sources change; and when
// they do, Maven is asked first to do with what it has fetched.
func (p Program) Build() error {
	sources, err := p.sources()
	if err != nil {
		return err
	}
	if made, err := os.ReadFile(p.stamp()); err == nil && string(made) == sources {
		return nil
	}
	for _, tool := range []string{"mvn", "javac"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("there is no %s to build Java programs with: on Debian run .ci/deps interop, "+
				"elsewhere install a JDK of at least version 11 and Apache Maven", tool)
		}
	}
	arguments := []string{"-q", "-B", "package"}
	if p.Version != "" {
		arguments = append(arguments, "-Delasticjob.version="+p.Version)
	}
	var out []byte
	for _, mode := range [][]string{{"--offline"}, nil} {
		maven := exec.Command("mvn", append(mode, arguments...)...)
		maven.Dir = p.Dir
		if out, err = maven.CombinedOutput(); err == nil {
			return os.WriteFile(p.stamp(), []byte(sources), 0o600)
		}
	}
	return fmt.Errorf("build the Java program %s %s: %w\n%s", p.Dir, p.Version, err, out)
}
