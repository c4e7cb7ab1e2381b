package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the table of flags in docs/configuration.md")

// The table stands between these lines of the document.
const (
	flagsDocument = "../../docs/configuration.md"
	flagsBegin    = "<!-- flags: written by go test ./cmd/console -run ConfigurationDocument -update -->"
	flagsEnd      = "<!-- end of flags -->"
)

// TestConfigurationDocument compares the table of flags with the flags.
func TestConfigurationDocument(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(flagsDocument)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), flagsBegin)
	table, after, closed := strings.Cut(rest, flagsEnd)
	if !ok || !closed {
		t.Fatalf("%s has no place for the flags", flagsDocument)
	}
	want := flagsTable(t)
	if *update {
		if err := os.WriteFile(flagsDocument, []byte(before+flagsBegin+want+flagsEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, table); diff != "" {
		t.Errorf("%s is stale, run this test with -update (-want +got):\n%s", flagsDocument, diff)
	}
}

func flagsTable(t *testing.T) string {
	t.Helper()
	var cli commandLine
	parser, err := kong.New(&cli, kong.Name("console"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	serve := make(map[string]bool)
	section := func(title string, flags []*kong.Flag) {
		switch title {
		case "`console serve`":
			for _, f := range flags {
				serve[f.Name] = true
			}
		case "`console doctor`": // embeds the flags of serve
			title += ", besides the flags of `console serve`"
			flags = slices.DeleteFunc(slices.Clone(flags), func(f *kong.Flag) bool { return serve[f.Name] })
		}
		fmt.Fprintf(&b, "\n### %s\n\n| Flag | Environment | Default | |\n|---|---|---|---|\n", title)
		for _, f := range flags {
			if f.Name == "help" {
				continue
			}
			value := "none"
			if f.Default != "" {
				value = "`" + f.Default + "`"
			}
			fmt.Fprintf(&b, "| `--%s` | `%s` | %s | %s |\n", f.Name, envName(f.Name), value, strings.ReplaceAll(f.Help, "|", `\|`))
		}
	}
	section("Every command", parser.Model.Flags)
	for _, c := range parser.Model.Children {
		if !c.Hidden && len(c.Flags) > 0 {
			section("`console "+c.Name+"`", c.Flags)
		}
		for _, below := range c.Children {
			if len(below.Flags) > 0 {
				section("`console "+c.Name+" "+below.Name+"`", below.Flags)
			}
		}
	}
	b.WriteString("\n")
	return b.String()
}
