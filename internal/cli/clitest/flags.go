package clitest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// Flags compares the tables of the flags of a program in a document, which are between two comments,
// with the program's flags, or writes the tables if update is set. besides maps a command to a
// second one, and the first one has the flags of both.
func Flags(t *testing.T, document string, g cli.Program, flags cli.Flags, update bool, besides map[string]string) {
	t.Helper()
	begin := fmt.Sprintf("<!-- flags: written by go test ./cmd/%s -run ConfigurationDocument -update -->", g.Name)
	end := fmt.Sprintf("<!-- end of flags of %s -->", g.Name)
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	table, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the flags: %s … %s", document, begin, end)
	}
	want := tables(t, g, flags, besides)
	if update {
		if err := os.WriteFile(document, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, table); diff != "" {
		t.Errorf("%s is stale, run this test with -update (-want +got):\n%s", document, diff)
	}
}

func tables(t *testing.T, g cli.Program, flags cli.Flags, besides map[string]string) string {
	t.Helper()
	parser, err := kong.New(flags, kong.Name(g.Name), kong.ExplicitGroups(g.Groups))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	shared := map[string]bool{} // by group and flag
	section := func(title string, node *kong.Node, without map[string]bool, group string) map[string]bool {
		names := map[string]bool{}
		head := fmt.Sprintf("\n### %s\n\n| Flag | Environment | Default | |\n|---|---|---|---|\n", title)
		if group != "" && shared[group] {
			head = ""
		}
		for _, f := range node.Flags {
			in := ""
			if f.Group != nil && f.Group.Key != "log" {
				in = f.Group.Key
			}
			names[f.Name] = true
			if f.Name == "help" || f.Hidden || without[f.Name] || in != group || group != "" && shared[group+" "+f.Name] {
				continue
			}
			shared[group], shared[group+" "+f.Name] = true, true
			variable, value := "none", "none"
			if cli.HasVariable(node, f) {
				variable = "`" + cli.EnvName(f.Name) + "`"
			}
			if f.Default != "" {
				value = "`" + f.Default + "`"
			}
			b.WriteString(head)
			head = ""
			fmt.Fprintf(&b, "| `--%s` | %s | %s | %s |\n", f.Name, variable, value, strings.ReplaceAll(f.Help, "|", `\|`))
		}
		return names
	}
	section("Every command", parser.Model.Node, nil, "")
	of := map[string]map[string]bool{}
	var commands func(path string, node *kong.Node)
	commands = func(path string, node *kong.Node) {
		for _, c := range node.Children {
			if c.Hidden {
				continue
			}
			title, name := fmt.Sprintf("`%s %s`", path, c.Name), strings.TrimPrefix(path+" "+c.Name, g.Name+" ")
			if besides[name] != "" {
				title += fmt.Sprintf(", besides the flags of `%s %s`", g.Name, besides[name])
			}
			of[name] = section(title, c, of[besides[name]], "")
			commands(path+" "+c.Name, c)
		}
	}
	for _, group := range g.Groups {
		var all func(node *kong.Node)
		all = func(node *kong.Node) {
			section("Commands that ask a console", node, nil, group.Key)
			for _, c := range node.Children {
				all(c)
			}
		}
		all(parser.Model.Node)
	}
	commands(g.Name, parser.Model.Node)
	b.WriteString("\n")
	return b.String()
}
