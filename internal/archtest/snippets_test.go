//go:build !race

package archtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// snippetStubs are what the documents' code uses and a reader has already.
const snippetStubs = `
var (
	ctx   = context.Background()
	agent *coreagent.Agent
)

func send(context.Context, string) error { return nil }

func readTotal(context.Context, string) (int, error) { return 0, nil }

func sendInvoices(context.Context, int, int) error { return nil }

type importer struct{ files []string }

type fakeMail struct{ region string }

type Invoices struct{ Mail *fakeMail }

func (i Invoices) Handle(_ context.Context, s *coreagent.Shard) error {
	i.Mail.region = s.Parameter
	return nil
}
`

// snippetImports are the packages that code in documents may use, by name.
var snippetImports = map[string]string{
	"atomic": "sync/atomic", "context": "context", "errors": "errors", "fmt": "fmt", "json": "encoding/json", "os": "os", "log": "log", "signal": "os/signal", "synctest": "testing/synctest",
	"strings": "strings", "syscall": "syscall", "testing": "testing", "time": "time",
	"coreagent": module + "/coreagent", "cloudjob": module + "/coreagent/cloudjob", "coreagenttest": module + "/coreagent/coreagenttest", "jobfile": module + "/coreagent/jobfile", "registry": module + "/registry",
	"jobconfig": module + "/jobconfig", "lifecycle": module + "/lifecycle", "statistics": module + "/statistics", "tracing": module + "/tracing", "rdb": module + "/tracing/rdb", "mysql": module + "/tracing/rdb/mysql", "postgres": module + "/tracing/rdb/postgres",
	"coreagentprom": module + "/coreagent/coreagentprom", "prometheus": "github.com/prometheus/client_golang/prometheus",
}

// TestSnippetsOfTheDocuments compiles the Go code of the documents and runs its tests. The code is
// one package, laid over the folder docs/screenshots, which has no Go of its own, so that the toolchain's cache knows it the next time.
func TestSnippetsOfTheDocuments(t *testing.T) {
	t.Parallel()
	documents, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	overlay := map[string]string{}
	add := func(name, code string) {
		seen, err := filepath.Abs(filepath.Join(root, "docs", "screenshots", name))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(file, []byte(code), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay[seen] = file
	}
	add("stubs.go", program(snippetStubs))
	tests := 0
	for _, path := range append(documents, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, code := range goBlocks(string(text)) {
			name := strings.ReplaceAll(filepath.Base(path), ".", "_") + fmt.Sprint(i)
			switch {
			case placed.MatchString(code): // A part of a file: see TestFirstChanges.
			case strings.Contains(code, "/internal/"):
				t.Errorf("%s shows code that imports an internal package, which its reader can't:\n%s", path, code)
			case strings.HasPrefix(code, "package main\n"):
				add(name+"/main.go", code)
			case strings.Contains("\n"+code, "\nfunc Test"):
				tests++
				add(name+"_test.go", program(code))
			default:
				add(name+".go", program(code))
			}
		}
	}
	if tests < 2 {
		t.Fatalf("%d tests found in the documents, and the README shows two: the test looks at the wrong place", tests)
	}
	list, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	replaced := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(replaced, list, 0o600); err != nil {
		t.Fatal(err)
	}
	// Not vetted: vet wants to see all that a package imports, which takes half a minute.
	cmd := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-overlay="+replaced, "./docs/screenshots/...")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the code of the documents: %v\n%s", err, out)
	}
}

// goBlocks returns the Go code of a document, block by block.
func goBlocks(text string) []string {
	var blocks []string
	for _, m := range regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		blocks = append(blocks, m[1])
	}
	return blocks
}

// program makes a file of a snippet: with imports, and with a function around bare statements.
func program(code string) string {
	if !regexp.MustCompile(`(?m)^(func|type|var|const) `).MatchString(code) {
		code = "func _() (err error) {\n" + code + "return err\n}\n"
	}
	var b strings.Builder
	b.WriteString("package snippet\n\n")
	for _, name := range slices.Sorted(maps.Keys(snippetImports)) {
		if regexp.MustCompile(`\b` + name + `\.[A-Z]`).MatchString(code) {
			fmt.Fprintf(&b, "import %q\n", snippetImports[name])
		}
	}
	return b.String() + "\n" + code
}

// writeModule makes dir a module that uses this one as it is.
func writeModule(t *testing.T, dir string) {
	t.Helper()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(mod), "module "+module, "module snippets", 1) +
		fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %s => %q\n", module, module, here)
	for name, content := range map[string]string{"go.mod": text, "go.sum": string(sum)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
