package archtest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// placed is the begin of code whose first line says where in this repository it
// goes: into a new file, or below the line that begins with what stands in the
// second line.
var placed = regexp.MustCompile(`\A// ([\w./-]+\.(?:go|templ))(, below:\n//\t(.+))?\n`)

// TestFirstChanges makes each change of docs/first.md, as an overlay of the
// sources, compiles it and runs the tests that it has to pass. It is not vetted: vet wants to
// see all that a package imports, SQLite's engine for one, which takes half a minute.
func TestFirstChanges(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "docs", "first.md"))
	if err != nil {
		t.Fatal(err)
	}
	// The tests of each package that the change has to pass; its own are among them.
	pass := map[string]string{
		"internal/console/rest":  "^(TestAPIFires|TestEveryRouteIsDocumented|TestEveryDocumentedAnswer|TestRoutesTouchWhatTheySay)$/fires",
		"internal/console/pages": "^(TestFiresPage|TestStorybook)$",
		"internal/jobtree":       "^TestPaths$",
		"lifecycle":              "^TestSetNote$/^fake$",
	}
	made := 0
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		title, body, _ := strings.Cut(section, "\n")
		c := change{dir: t.TempDir(), overlay: map[string]string{}}
		for _, m := range regexp.MustCompile("(?ms)^```(?:go|templ)\n(.*?)^```$").FindAllStringSubmatch(body, -1) {
			if placed.MatchString(m[1]) {
				c.make(t, m[1])
			}
		}
		if len(c.overlay) == 0 {
			continue
		}
		made++
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			c.generate(t)
			overlay := c.write(t)
			c.run(t, slices.Concat([]string{"list", "-export", "-test", overlay}, c.packages)...)
			for _, p := range c.packages {
				if tests, ok := pass[strings.TrimPrefix(p, "./")]; ok {
					out := c.run(t, "test", "-vet=off", overlay, "-run", tests, p)
					if strings.Contains(out, "no tests to run") {
						t.Errorf("%s has no tests %s", p, tests)
					}
				}
			}
		})
	}
	if made != 3 {
		t.Errorf("%d changes found, want those of a route, a page and a node", made)
	}
}

// change is one change of the sources.
type change struct {
	dir      string            // of the changed files
	overlay  map[string]string // path in the repository to the changed file
	packages []string
}

// make puts code where its first line says.
func (c *change) make(t *testing.T, code string) {
	t.Helper()
	m := placed.FindStringSubmatch(code)
	path, anchor, code := m[1], m[3], code[len(m[0]):]
	to := filepath.Join(c.dir, path)
	if anchor != "" {
		source := filepath.Join(root, path)
		if c.overlay[path] != "" {
			source = to
		}
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(string(text), "\n")
		begins := func(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, "\t"), anchor) }
		at := slices.IndexFunc(lines, begins)
		if at < 0 {
			t.Fatalf("docs/first.md puts code below the line %s… of %s, which has none: correct the page", anchor, path)
		}
		code = strings.Join(slices.Insert(lines, at+1, code), "")
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	c.overlay[path] = to
	if p := "./" + filepath.ToSlash(filepath.Dir(path)); !slices.Contains(c.packages, p) {
		c.packages = append(c.packages, p)
	}
}

// generate makes Go of the components.
func (c *change) generate(t *testing.T) {
	t.Helper()
	for path, to := range c.overlay {
		if name, ok := strings.CutSuffix(path, ".templ"); ok {
			c.run(t, "run", templ, "generate", "-f", to)
			c.overlay[name+"_templ.go"] = strings.TrimSuffix(to, ".templ") + "_templ.go"
			delete(c.overlay, path)
			return
		}
	}
}

// write writes what the toolchain is to read instead of the sources, and returns its
// flag.
func (c *change) write(t *testing.T) string {
	t.Helper()
	replace := map[string]string{}
	for path, to := range c.overlay {
		full, err := filepath.Abs(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		replace[full] = to
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(c.dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return "-overlay=" + file
}

func (c *change) run(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
