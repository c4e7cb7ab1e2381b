// Package javaagent builds the agents of Apache ElasticJob that tests and
// measurements run beside ours, from the sources under interop/java.
package javaagent

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// Program is the Java agent for one version of ElasticJob.
type Program struct {
	Dir     string // Dir is the folder of its pom.xml.
	Version string // Version is that of ElasticJob, such as 3.0.4; "" if its pom.xml says which.
}

// folder is where Maven builds it: a copy of the sources if the release has other names for
// the classes that they use.
func (p Program) folder() string {
	if atLeast(p.Version, "3.0.5") {
		return filepath.Join(p.Dir, "target", p.Version, "renamed")
	}
	return p.Dir
}

func (p Program) target() string { return filepath.Join(p.folder(), "target", p.Version) }

// ClassPath is what Java needs to start it.
func (p Program) ClassPath() string {
	return filepath.Join(p.target(), "agent.jar") + string(os.PathListSeparator) + filepath.Join(p.target(), "lib", "*")
}

// stamp names the file that says which sources a build was made from.
func (p Program) stamp() string { return filepath.Join(p.target(), "sources") }

// sources are the pom.xml and the files of src by their paths, in the names of the release.
func (p Program) sources() (map[string]string, error) {
	files, release := map[string]string{}, ReleaseOf(p.Version)
	add := func(path string) error {
		data, err := os.ReadFile(path)
		name, outside := filepath.Rel(p.Dir, path)
		files[release.Rename(name)] = release.Rename(string(data))
		return errors.Join(err, outside)
	}
	err := filepath.WalkDir(filepath.Join(p.Dir, "src"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return add(path)
	})
	return files, errors.Join(err, add(filepath.Join(p.Dir, "pom.xml")))
}

// digestOf is the digest of everything a build is made from.
func digestOf(files map[string]string) string {
	digest := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(digest, "%s %d\n%s", name, len(files[name]), files[name])
	}
	return hex.EncodeToString(digest.Sum(nil))
}

// Build has Maven make the program unless it is there already. Once made, it
// needs neither Maven nor a network again until its sources change; and when
// they do, Maven is asked first to do with what it has fetched.
func (p Program) Build() error {
	files, err := p.sources()
	if err != nil {
		return err
	}
	sources := digestOf(files)
	if made, err := os.ReadFile(p.stamp()); err == nil && string(made) == sources {
		return nil
	}
	for _, tool := range []string{"mvn", "javac"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("there is no %s to build Java programs with: on Debian run .ci/deps interop, "+
				"elsewhere install a JDK of at least version 11 and Apache Maven", tool)
		}
	}
	if p.folder() != p.Dir {
		if err := errors.Join(os.RemoveAll(p.folder()), write(p.folder(), files)); err != nil {
			return err
		}
	}
	arguments := []string{"-q", "-B", "package"}
	if p.Version != "" {
		arguments = append(arguments, "-Delasticjob.version="+p.Version)
	}
	var out []byte
	for _, mode := range [][]string{{"--offline"}, nil} {
		maven := exec.Command("mvn", append(mode, arguments...)...)
		maven.Dir = p.folder()
		if out, err = maven.CombinedOutput(); err == nil {
			return os.WriteFile(p.stamp(), []byte(sources), 0o600)
		}
	}
	return fmt.Errorf("build the Java program %s %s: %w\n%s", p.Dir, p.Version, err, out)
}

// write makes a folder of files by their paths.
func write(folder string, files map[string]string) error {
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}
