//go:build !race

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMessages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ en, zh, want string }{
		{"Sign out", "退出登录", `PageKey() string { return l.pick("Sign out", "退出登录") }`},
		{"{job} on {ip}", "{ip} 上的 {job}", `PageKey(job string, ip string) string { return fill(l.pick("{0} on {1}", "{1} 上的 {0}"), job, ip) }`},
		{
			"{n, plural, one {# shard} other {# shards}} of {job}", "{job} 的 {n, plural, other {# 个分片}}",
			`PageKey(n int, job string) string { return fill(l.plural(n, "{0} shard of {1}", "{0} shards of {1}", "{1} 的 {0} 个分片"), number(n), job) }`,
		},
	} {
		text, err := generate(catalogue{"page": {"key": c.en}}, catalogue{"page": {"key": c.zh}})
		if err != nil {
			t.Errorf("%s: %v", c.en, err)
			continue
		}
		_, code, _ := strings.Cut(string(text), "func (l Lang) ")
		if diff := cmp.Diff(c.want, strings.Join(strings.Fields(code), " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.en, diff)
		}
	}
}

// TestWrongCataloguesAreRefused: what one language has and the other has not, and
// what a message cannot be.
func TestWrongCataloguesAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		en, zh catalogue
		want   string
	}{
		{catalogue{"a": {"x": "X"}}, catalogue{"a": {}}, "[a] x is missing in zh.toml"},
		{catalogue{}, catalogue{"a": {"x": "X"}}, "[a] x is missing in en.toml"},
		{catalogue{"a": {"x": " "}}, catalogue{"a": {"x": "X"}}, "[a] x is empty"},
		{catalogue{"a": {"x": "{n}"}}, catalogue{"a": {"x": "{m}"}}, "[a] x: the placeholders differ: [{n string}] in English, [{m string}] in Chinese"},
		{catalogue{"a": {"x": "{n}"}}, catalogue{"a": {"x": "{n, number}"}}, "[a] x: the placeholders differ: [{n string}] in English, [{n int}] in Chinese"},
		{catalogue{"a": {"x": "{n, plural, other {#}}"}}, catalogue{"a": {"x": "{n, number}"}}, "[a] x: en.toml: the forms of {n, plural} are [other], want [one other]"},
		{catalogue{"a": {"x": "{n, number}"}}, catalogue{"a": {"x": "{n, plural, one {#} other {#}}"}}, "[a] x: zh.toml: the forms of {n, plural} are [one other], want [other]"},
		{catalogue{"a": {"x": "{n, date}"}}, catalogue{"a": {"x": "{n}"}}, "[a] x: en.toml: {n, date}: only number and plural are known"},
		{catalogue{"a": {"x": "{n"}}, catalogue{"a": {"x": "{n}"}}, `[a] x: en.toml: a { without its } in "{n"`},
		{catalogue{"a": {"x": "n}"}}, catalogue{"a": {"x": "{n}"}}, `[a] x: en.toml: a } without its { in "n}"`},
		{catalogue{"a": {"x": "{N}"}}, catalogue{"a": {"x": "{n}"}}, `[a] x: en.toml: "N" is no name for a placeholder`},
	} {
		if _, err := generate(c.en, c.zh); err == nil || err.Error() != c.want {
			t.Errorf("%v, %v: %v, want %s", c.en, c.zh, err, c.want)
		}
	}
}

// TestEveryMessageIsUsed: a message that no page says any more is deleted.
func TestEveryMessageIsUsed(t *testing.T) {
	t.Parallel()
	en, err := read("../en.toml")
	if err != nil {
		t.Fatal(err)
	}
	unused := map[string]string{}
	for area, messages := range en {
		for key := range messages {
			unused[methodName(area, key)] = "[" + area + "] " + key
		}
	}
	if len(unused) == 0 {
		t.Fatal("the catalogue is empty: the test checks nothing")
	}
	for _, folder := range []string{"../../../internal/console", "../../../web", "../../../cmd/console"} {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, text, 0)
			if err != nil {
				return err
			}
			for _, id := range identifiers(file) {
				delete(unused, id)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range unused {
		t.Errorf("%s is used by no page: delete it from both catalogues and run make generate", key)
	}
}

// identifiers are the names that a file selects: t.FrameSignOut has FrameSignOut.
func identifiers(file *ast.File) []string {
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			names = append(names, sel.Sel.Name)
		}
		return true
	})
	return names
}
