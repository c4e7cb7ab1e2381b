package jobconfig

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/javayaml"
)

// javaScalar is a text and its form in ElasticJob: as the value of a top-level key, in a list, and
// as value and key of props. The fixture was written with ElasticJob's library and settings.
type javaScalar struct {
	Value, Cron, List, Props string
}

func javaScalars(t *testing.T) []javaScalar {
	t.Helper()
	var rows []javaScalar
	if err := json.Unmarshal(fixture(t, "scalars.json"), &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) < 400 {
		t.Fatalf("only %d rows", len(rows))
	}
	return rows
}

func TestScalarsAsJavaWritesThem(t *testing.T) {
	for _, row := range javaScalars(t) {
		var w javayaml.Writer
		w.Entry("cron", row.Value)
		if strings.HasPrefix(row.Cron, `cron: "`) && strings.HasPrefix(string(w.Bytes()), `cron: "`) && len(row.Value) > 70 {
			continue // Java folds inside double quotes; we don't
		}
		if got := string(w.Bytes()); got != row.Cron {
			t.Errorf("%q as a value:\n got %q\njava %q", row.Value, got, row.Cron)
		}
		w = javayaml.Writer{}
		w.List("list", []string{row.Value})
		if got := string(w.Bytes()); got != row.List {
			t.Errorf("%q in a list:\n got %q\njava %q", row.Value, got, row.List)
		}
		if strings.Contains(row.Value, "\n") || len(row.Value) >= 100 {
			continue // Java folds the explicit form of long keys and uses blocks in it
		}
		w = javayaml.Writer{}
		w.Mapping("props", []string{"k", row.Value}, map[string]string{"k": row.Value, row.Value: "x"})
		if got := string(w.Bytes()); got != row.Props {
			t.Errorf("%q in props:\n got %q\njava %q", row.Value, got, row.Props)
		}
	}
}

func TestScalarsOfJavaAreRead(t *testing.T) {
	for _, row := range javaScalars(t) {
		c := decode(t, row.Cron+"jobListenerTypes:"+strings.TrimPrefix(row.List, "list:")+row.Props)
		if c.Cron != row.Value || c.ListenerTypes[0] != row.Value || c.Props["k"] != row.Value || c.Props[row.Value] != "x" {
			t.Errorf("%q is read as %q, %q, %q\n%s", row.Value, c.Cron, c.ListenerTypes, c.Props, row.Props)
		}
	}
}

// Every row of the scalar table in ElasticJob's format documentation, written by hand so that a
// wrong fixture can't hide.
func TestScalarTable(t *testing.T) {
	for value, want := range map[string]string{
		"":                "''",
		"0/5 * * * * ?":   "0/5 * * * * ?",
		"*/5 * * * * ?":   "'*/5 * * * * ?'",
		"0=a,1=b":         "0=a,1=b",
		"yes":             "'yes'",
		"no":              "'no'",
		"on":              "'on'",
		"off":             "'off'",
		"null":            "'null'",
		"1:30":            "'1:30'",
		"1_000":           "'1_000'",
		"0x1F":            "'0x1F'",
		"2026-11-21":      "'2026-11-21'",
		"1.5":             "'1.5'",
		"y":               "y",
		"n":               "n",
		"=":               "=",
		"k=v: x #y":       "'k=v: x #y'",
		" a":              "' a'",
		"- a":             "'- a'",
		"-a":              "-a",
		"a'b":             "a'b",
		`a"b`:             `a"b`,
		`C:\x`:            `C:\x`,
		"l1\nl2":          "|-\n  l1\n  l2",
		"a\tb":            `"a\tb"`,
		"作业":              "作业",
		"😀":               "😀",
		"a\x01b":          `"a\x01b"`, // Java writes !!binary, which it can't read back inside props
		"a\u2028b\u0085c": `"a\Lb\Nc"`,
	} {
		var w javayaml.Writer
		w.Entry("cron", value)
		if got := string(w.Bytes()); got != fmt.Sprintf("cron: %s\n", want) {
			t.Errorf("%q is written as %q, want %q", value, got, want)
		}
	}
}
