//go:build !race

package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// TestEachCaseHasATest holds for the module: each case has a test, and each test has a case.
func TestEachCaseHasATest(t *testing.T) {
	t.Parallel()
	module := os.DirFS("../..")
	var out strings.Builder
	if err := run(module, nil, &out); err != nil {
		t.Error(err)
	}
	cases, _, err := readCases(module)
	if err != nil {
		t.Fatal(err)
	}
	tests, err := findTests(module)
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) < 250 {
		t.Errorf("only %d cases: the test looks at the wrong place", len(cases))
	}
	// The page claims that the tests of interop show every K case but these.
	var withoutJava []string
	for _, number := range cases {
		if number[0] == 'K' && !slices.ContainsFunc(tests[number], test.besideJava) {
			withoutJava = append(withoutJava, number)
		}
	}
	if diff := cmp.Diff([]string{"K58", "K64"}, withoutJava); diff != "" {
		t.Errorf("cases without a test beside Java (-page +found):\n%s", diff)
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	good := map[string]string{
		page:                 "| Case | What must hold |\n| K01 | a |\n| K02 | b |\n| MS01 | c | d |\n",
		"agent/k_test.go":    "//go:build servers\n\nfunc TestK01K02Names(t *testing.T) {\n",
		"interop/k_test.go":  "func TestK01(t *testing.T) {\nfunc TestMain(m *testing.M) {\n",
		"sim/ms_test.go":     "func TestSimMS01(t *testing.T) {\nfunc TestW100Defect(t *testing.T) {\n",
		"sim/ms.go":          "func TestK77(t *testing.T) {\n",
		"testdata/k_test.go": "func TestK78(t *testing.T) {\n",
	}
	for name, c := range map[string]struct {
		file, text string
		numbers    []string
		want       string
	}{
		"agrees":          {},
		"no test":         {page, good[page] + "| MS02 | e | f |\n", nil, "MS02 has no test"},
		"no row":          {"new_test.go", "func TestK03X(t *testing.T) {", nil, "TestK03X in . has the number of no case"},
		"only with Java":  {"agent/k_test.go", "func TestK02(t *testing.T) {", nil, "K01 has no test"},
		"twice":           {page, "| K01 | a |\n" + good[page], nil, "the row of K01 must be before K01"},
		"mentioned":       {page, good[page] + "\n- K01, K04: e\n", nil, "mentions K04, which has no row"},
		"asked for":       {"", "", []string{"W100"}, ""},
		"asked for, none": {"", "", []string{"W101"}, "no test has the number W101"},
	} {
		module := fstest.MapFS{}
		for file, text := range good {
			module[file] = &fstest.MapFile{Data: []byte(text)}
		}
		if c.file != "" {
			module[c.file] = &fstest.MapFile{Data: []byte(c.text)}
		}
		err := run(module, c.numbers, &strings.Builder{})
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestPrintsTestsOfNumbers(t *testing.T) {
	t.Parallel()
	module := fstest.MapFS{
		page:              {Data: []byte("| K01 | a |\n")},
		"agent/k_test.go": {Data: []byte("func TestK01V17Names(t *testing.T) {\n")},
	}
	var out strings.Builder
	if err := run(module, []string{"V17", "K01"}, &out); err != nil {
		t.Fatal(err)
	}
	want := "V17   TestK01V17Names ./agent\nK01   TestK01V17Names ./agent\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
