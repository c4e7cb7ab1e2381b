package licenses_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/licenses"
)

const licensesHead = `The modules in the programs console and elasticjob, and their licences. Written by
go test ./internal/licenses -run TestV31Licenses -update

`

// linked are the modules of the packages that are linked into the programs, with
// their versions and folders; the standard library is one. The tag is that of `make build`.
func linked(t *testing.T) (versions, folders map[string]string) {
	t.Helper()
	run := func(args ...string) string {
		out, err := exec.CommandContext(t.Context(), "go", args...).Output()
		if err != nil {
			t.Fatalf("go %s: %v", strings.Join(args, " "), err)
		}
		return strings.TrimSpace(string(out))
	}
	root, version, _ := strings.Cut(run("env", "GOROOT", "GOVERSION"), "\n")
	versions, folders = map[string]string{}, map[string]string{"Go, its runtime and standard library": root}
	for line := range strings.Lines(run("list", "-deps", "-tags=nomsgpack", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", "../../cmd/console", "../../cmd/elasticjob")) {
		if words := strings.Fields(line); len(words) == 3 {
			versions[words[0]], folders[words[0]] = words[1], words[2]
		}
	}
	// The toolchain of whoever builds is not that of the repository.
	major := regexp.MustCompile(`go1\.\d+`).FindString(version)
	versions["Go, its runtime and standard library"] = major
	return versions, folders
}

var update = flag.Bool("update", false, "write licenses.txt")

var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([._-].*)?$`)

// licenseOf is the text of a module's licence files.
func licenseOf(t *testing.T, module, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatalf("%s: %v", module, err)
	}
	var text strings.Builder
	for _, e := range entries {
		if e.IsDir() || !licenseFile.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "%s\n\n", strings.TrimSpace(strings.ReplaceAll(string(content), "\r\n", "\n")))
	}
	if text.Len() == 0 {
		t.Errorf("%s has no licence", module)
	}
	return text.String()
}

// writeLicenses writes the document: the modules, then each licence under those
// that have it.
func writeLicenses(t *testing.T, index string, folders map[string]string) {
	t.Helper()
	under := map[string][]string{}
	for _, module := range slices.Sorted(maps.Keys(folders)) {
		text := licenseOf(t, module, folders[module])
		under[text] = append(under[text], module)
	}
	var b strings.Builder
	b.WriteString(licensesHead + index)
	texts := slices.SortedFunc(maps.Keys(under), func(a, b string) int { return strings.Compare(under[a][0], under[b][0]) })
	for _, text := range texts {
		fmt.Fprintf(&b, "\n%s\n%s\n%s\n\n%s", strings.Repeat("=", 72), strings.Join(under[text], "\n"), strings.Repeat("-", 72), text)
	}
	if err := os.WriteFile("licenses.txt", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestV31Licenses: `console licenses` and `elasticjob licenses` print the licence of every module that is
// linked, in the version that is.
func TestV31Licenses(t *testing.T) {
	t.Parallel()
	versions, folders := linked(t)
	var index strings.Builder
	for _, module := range slices.Sorted(maps.Keys(versions)) {
		fmt.Fprintf(&index, "%s %s\n", module, versions[module])
	}
	if *update {
		writeLicenses(t, index.String(), folders)
		return
	}
	rest, ok := strings.CutPrefix(licenses.Text, licensesHead)
	have, texts, closed := strings.Cut(rest, "\n"+strings.Repeat("=", 72)+"\n")
	if !ok || !closed {
		t.Fatal("licenses.txt has another shape")
	}
	if diff := cmp.Diff(index.String(), have); diff != "" {
		t.Errorf("licenses.txt is stale, run this test with -update (-want +got):\n%s", diff)
	}
	for module := range versions {
		if !strings.Contains(texts, module+"\n") {
			t.Errorf("no licence of %s", module)
		}
	}
}
