package archtest

import (
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

// snippetStubs are what a document's code uses and a reader has himself.
var snippetStubs = map[string]string{
	"README.md": `
var ctx = context.Background()

func sendInvoices(context.Context, int, int) error { return nil }

type fakeMail struct{ region string }

type Invoices struct{ Mail *fakeMail }

func (i Invoices) Handle(_ context.Context, s *coreagent.Shard) error {
	i.Mail.region = s.Parameter
	return nil
}
`,
	"docs/packages.md": `
var ctx = context.Background()
`,
	"docs/runs.md": `
var (
	ctx   = context.Background()
	agent *coreagent.Agent
)

func send(context.Context, string) error { return nil }

type importer struct{ files []string }
`,
	"docs/runs.zh-CN.md": `
var (
	ctx   = context.Background()
	agent *coreagent.Agent
)

func send(context.Context, string) error { return nil }
`,
	"docs/agent.md": `
func sendInvoices(context.Context, *coreagent.Shard) error { return nil }
`,
}

// snippetImports are the packages that code in documents may use, by name.
var snippetImports = map[string]string{
	"atomic": "sync/atomic", "context": "context", "errors": "errors", "fmt": "fmt", "json": "encoding/json", "os": "os", "log": "log", "signal": "os/signal", "synctest": "testing/synctest",
	"strings": "strings", "syscall": "syscall", "testing": "testing", "time": "time",
	"coreagent": module + "/coreagent", "cloudjob": module + "/coreagent/cloudjob", "coreagenttest": module + "/coreagent/coreagenttest", "jobfile": module + "/coreagent/jobfile", "registry": module + "/registry",
	"jobconfig": module + "/jobconfig", "lifecycle": module + "/lifecycle", "statistics": module + "/statistics", "tracing": module + "/tracing", "rdb": module + "/tracing/rdb",
	"coreagentprom": module + "/coreagent/coreagentprom", "prometheus": "github.com/prometheus/client_golang/prometheus",
}

// TestSnippetsOfTheDocuments compiles the Go code of the documents in a module
// of its own, as a reader would who copies it, and runs its tests.
func TestSnippetsOfTheDocuments(t *testing.T) {
	t.Parallel()
	documents, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	tests := 0
	for i, path := range append(documents, filepath.Join(root, "README.md")) {
		name, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for j, code := range goBlocks(string(text)) {
			if placed.MatchString(code) {
				continue // A part of a file: see TestFirstChanges.
			}
			file := "snippet.go"
			if strings.Contains(code, "\nfunc Test") || strings.HasPrefix(code, "func Test") {
				tests++
				file = "snippet_test.go"
			}
			folder := filepath.Join(dir, fmt.Sprintf("snippet%d_%d", i, j))
			if err := os.Mkdir(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			// Only what has a test is linked to a program.
			if err := os.WriteFile(filepath.Join(folder, file), []byte(program(filepath.ToSlash(name), code)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if tests < 2 {
		t.Fatalf("%d tests found in the documents, and the README shows two: the test looks at the wrong place", tests)
	}
	writeModule(t, dir)
	cmd := exec.Command("go", "test", "-vet=off", "-count=1", "./...") // As for TestFirstChanges.
	cmd.Dir, cmd.Env = dir, outside()
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

// program makes a file of a snippet: with imports, with what the reader has
// himself, and with a function around bare statements. A whole program is one already.
func program(document, code string) string {
	if strings.HasPrefix(code, "package main\n") {
		return code
	}
	if !regexp.MustCompile(`(?m)^(func|type|var|const) `).MatchString(code) {
		code = "func _() (err error) {\n" + code + "return err\n}\n"
	}
	// What the snippets of a document use, not all of them do.
	code += "\n" + snippetStubs[document]
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
		fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %s => %s\n", module, module, here)
	for name, content := range map[string]string{"go.mod": text, "go.sum": string(sum)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
