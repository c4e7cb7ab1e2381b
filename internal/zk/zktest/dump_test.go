package zktest_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

func TestFormat(t *testing.T) {
	t.Parallel()
	nodes := []zktest.Node{
		{Path: "/ns/job/latch/_c_216c4c7e-aa86-4955-806f-c7a9b9cdea37-latch-0000000012", Owner: 77},
		{Path: "/ns/job/latch/_c_f16c4c7eaa864955806fc7a9b9cdea37-latch-0000000003", Owner: 99},
		{Path: "/ns/job", Data: []byte("SIMPLE")},
		{Path: "/ns/job/latch"},
		{Path: "/ns/job/instances"},
		{Path: "/ns/job/instances/10.0.0.1@-@1", Owner: 77, Data: []byte("a: 1\nb: 2\n")},
		{Path: "/ns/job/soon", Data: []byte{0xff}},
	}
	const want = `/ns/job = SIMPLE
  instances
    10.0.0.1@-@1 [a1] =
        | a: 1
        | b: 2
  latch
    _c_<id>-latch-<seq> [a2]
    _c_<id>-latch-<seq> [a1]
  soon = "\xff"
`
	var f zktest.Formatter
	if diff := cmp.Diff(want, f.Format(nodes)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	slices.Reverse(nodes)
	if diff := cmp.Diff(want, f.Format(nodes)); diff != "" {
		t.Errorf("in another order: -want +got\n%s", diff)
	}
	if got := f.Format(nil); got != "" {
		t.Errorf("an empty tree prints as %q", got)
	}
}

func TestFormatWithCodec(t *testing.T) {
	t.Parallel()
	f := zktest.Formatter{
		Data: func(path string, data []byte) string { return strings.ToUpper(string(data)) },
		Name: func(name string) string { return "<" + name + ">" },
	}
	got := f.Format([]zktest.Node{{Path: "/a", Data: []byte("x")}, {Path: "/a/b", Data: []byte("y")}})
	if want := "/a = X\n  <b> = Y\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCollect(t *testing.T) {
	t.Parallel()
	tree := map[string][]string{"/": {"a", "gone"}, "/a": {"b"}, "/a/b": nil}
	fetch := func(_ context.Context, path string) (zktest.Node, []string, bool, error) {
		children, ok := tree[path]
		return zktest.Node{Path: path}, children, ok, nil
	}
	nodes, err := zktest.Collect(t.Context(), "/", fetch)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, n := range nodes {
		paths = append(paths, n.Path)
	}
	if diff := cmp.Diff([]string{"/", "/a", "/a/b"}, paths); diff != "" {
		t.Error(diff)
	}

	broken := errors.New("broken")
	_, err = zktest.Collect(t.Context(), "/", func(context.Context, string) (zktest.Node, []string, bool, error) {
		return zktest.Node{}, nil, false, broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}
