package fleetsim_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// root is the module's folder, relative to this package's.
const root = "../../.."

// Limits of the search for one planted bug: seeds, and time.
const (
	bugSeeds = "240"
	bugLimit = 15 * time.Minute
)

// patch is a planted bug: why it matters, the invariants that may find it, and the replaced lines
// by file. It has no line numbers, because the old lines must occur exactly once in the file.
type patch struct {
	name, why, breaks string
	from              string // the first seed to try
	hours             bool   // fleets of hours find it
	everyday          bool   // everyday fleets find it
	requests          bool   // fleets with requested runs find it
	holds             bool   // fleets with holds find it
	hunks             []hunk
}

type hunk struct{ file, old, new string }

func readPatches(t *testing.T) []patch {
	t.Helper()
	paths, err := filepath.Glob("testdata/bugs/*.patch")
	if err != nil {
		t.Fatal(err)
	}
	var list []patch
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, parsePatch(strings.TrimSuffix(filepath.Base(path), ".patch"), string(text)))
	}
	return list
}

func parsePatch(name, text string) patch {
	why, diff, _ := strings.Cut(text, "\n\n")
	why, breaks, _ := strings.Cut(why, "\nBreaks: ")
	breaks, from, given := strings.Cut(breaks, "\nFrom: ")
	if !given {
		from = "1"
	}
	breaks, fleets, _ := strings.Cut(breaks, "\nFleets: ")
	has := func(what string) bool { return slices.Contains(strings.Fields(fleets), what) }
	p := patch{name: name, why: why, breaks: breaks, from: from, hours: has("hours"), everyday: has("everyday"), requests: has("requests"), holds: has("holds")}
	file := ""
	for line := range strings.Lines(diff) {
		last := len(p.hunks) - 1
		switch {
		case strings.HasPrefix(line, "--- "):
		case strings.HasPrefix(line, "+++ "):
			file = strings.TrimSpace(line[4:])
		case strings.HasPrefix(line, "@@"):
			p.hunks = append(p.hunks, hunk{file: file})
		case last < 0:
		case strings.HasPrefix(line, "-"):
			p.hunks[last].old += line[1:]
		case strings.HasPrefix(line, "+"):
			p.hunks[last].new += line[1:]
		case strings.HasPrefix(line, " "):
			p.hunks[last].old += line[1:]
			p.hunks[last].new += line[1:]
		}
	}
	return p
}

// apply returns the patched files by their path below the module's folder.
func (p patch) apply() (map[string]string, error) {
	files := make(map[string]string)
	for _, h := range p.hunks {
		if _, read := files[h.file]; !read {
			text, err := os.ReadFile(filepath.Join(root, h.file))
			if err != nil {
				return nil, err
			}
			files[h.file] = string(text)
		}
		if n := strings.Count(files[h.file], h.old); n != 1 {
			return nil, fmt.Errorf("these lines occur %d times in %s instead of once: the code has changed, so correct the patch\n%s", n, h.file, h.old)
		}
		files[h.file] = strings.Replace(files[h.file], h.old, h.new, 1)
	}
	if len(files) == 0 || p.breaks == "" {
		return nil, errors.New("the patch has no hunks, or doesn't name what it breaks")
	}
	return files, nil
}

// build compiles this package's tests with the patched files and returns the binary.
func (p patch) build(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	overlay := map[string]map[string]string{"Replace": {}}
	for file, text := range files {
		original, err := filepath.Abs(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		patched := filepath.Join(dir, filepath.Base(file))
		if err := os.WriteFile(patched, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay["Replace"][original] = patched
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	list, binary := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "fleetsim.test")
	if err := os.WriteFile(list, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "test", "-c", "-overlay", list, "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%s does not build: %v\n%s", p.name, err, out)
	}
	return binary
}

var foundViolation = regexp.MustCompile(`(?m)^\s*(I\d+) \d\d \d\d:\d\d:\d\d.*$`)

var foundSeed = regexp.MustCompile(`seed \d+ fails`)

// Every planted bug should still fit the code. Otherwise we'd notice only months later that a patch
// plants nothing.
func TestSimPatchesApply(t *testing.T) {
	t.Parallel()
	patches := readPatches(t)
	if len(patches) < 20 {
		t.Errorf("only %d planted bugs", len(patches))
	}
	for _, p := range patches {
		if _, err := p.apply(); err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
	}
}

// Builds the agent with one bug after the other, each of a kind that users of schedulers have
// reported. The simulation should find it. That takes minutes, so it only runs with SIM_BUGS=1, as
// `make sim-bugs` does. SIM_BUGS=name tries one bug.
func TestSimFindsPlantedBugs(t *testing.T) {
	wanted := os.Getenv("SIM_BUGS")
	if wanted == "" {
		return // TestSimPatchesApply has checked them.
	}
	tried := 0
	for _, p := range readPatches(t) {
		if wanted != "1" && !strings.Contains(p.name, wanted) {
			continue
		}
		tried++
		files, err := p.apply()
		if err != nil {
			t.Errorf("%s: %v", p.name, err)
			continue
		}
		began := time.Now()
		binary := p.build(t, files)
		built := time.Since(began)
		ctx, cancel := context.WithTimeout(t.Context(), bugLimit)
		k := secondsKind
		switch {
		case p.hours:
			k = hoursKind
		case p.everyday:
			k = everydayKind
		}
		cmd := exec.CommandContext(ctx, binary, "-test.run="+k.test+"$")
		cmd.Env = append(os.Environ(), "SIM_EXPECT="+p.breaks, k.count+"="+bugSeeds, "SIM_BUGS=", "SIM_SEED=", "SIM_BASE="+p.from, "SIM_ALL=", "SIM_REQUESTS=", "SIM_HOLDS=")
		if p.requests {
			cmd.Env = append(cmd.Env, "SIM_REQUESTS=1")
		}
		if p.holds {
			cmd.Env = append(cmd.Env, "SIM_HOLDS=1")
		}
		out, err := cmd.CombinedOutput()
		cancel()
		if strings.Contains(string(out), "no tests to run") {
			t.Fatalf("no test is called %s", k.test)
		}
		_, after, _ := strings.Cut(string(out), "Replay it with")
		violation := foundViolation.FindString(after)
		if err == nil || violation == "" {
			t.Errorf("%s is not found in %s seeds: %v\n%s", p.name, bugSeeds, err, p.why)
			continue
		}
		t.Logf("%-30s found as %s (built in %v, found in %v, %v of the processors, by %s)", p.name, strings.TrimSpace(violation),
			built.Round(100*time.Millisecond), (time.Since(began) - built).Round(100*time.Millisecond),
			(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Round(100*time.Millisecond), foundSeed.FindString(string(out)))
	}
	if tried == 0 {
		t.Errorf("SIM_BUGS=%q names no planted bug", wanted)
	}
}
