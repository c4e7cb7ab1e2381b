// Command conformance runs the tests that bear the number of a conformance
// case and writes what holds into docs/conformance.md.
//
//	cases.go ── what each case says, where we differ ──┐
//	*_test.go ── scan: which tests bear which number ──┼──▶ docs/conformance.md
//	go test -json ── events: which passed, and where ──┘
//
// A test is a test of a case when the case's number is in its name, as in
// TestK33Failover or TestK30K31K32RunningMarkers. Its subtests "fake" and "real"
// say on which ZooKeeper it ran, and those that begin with "java-" beside which
// release of ElasticJob. A case holds if all its tests pass:
//
//	go run ./internal/conformance                    the tests of Go agents alone
//	go run ./internal/conformance -java 3.0.4,3.0.3  and those beside Java agents
//
// Without -java the column of Java is copied from the file as it is. -read
// takes the output of runs of `go test -json` that somebody made already, in
// place of running; of several results of a test the last one counts. The exit
// code is 1 if a test failed or a case has no test.
// With -survive it writes the list of faults that must be survived,
// docs/must-survive.md, from the sources alone; with -accept what the console is
// accepted by, docs/acceptance.md; with -runs the cases of requested runs,
// docs/runs-cases.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("conformance", flag.ContinueOnError)
	java := flags.String("java", "", "also run the tests beside these releases of ElasticJob, such as 3.0.4,3.0.3")
	out := flags.String("out", "docs/conformance.md", "the file to write, - for standard output")
	read := flags.String("read", "", "files with the output of go test -json to read in place of running")
	root := flags.String("root", ".", "folder of the module")
	survive := flags.Bool("survive", false, "write docs/must-survive.md instead, from the sources alone")
	accept := flags.Bool("accept", false, "write docs/acceptance.md instead, likewise")
	requested := flags.Bool("runs", false, "write docs/runs-cases.md instead, likewise")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *survive {
		return writeSurvey(*root, "must-survive.md", faults, faultTest, faultNumber, surviveDocument)
	}
	if *accept {
		return writeSurvey(*root, "acceptance.md", demands, acceptedTest, acceptedNumber, acceptDocument)
	}
	if *requested {
		return writeRunCases(*root)
	}
	tests, err := scan(*root)
	if err != nil {
		return err
	}
	results := results{}
	if *read != "" {
		err = results.readFiles(strings.Split(*read, ","))
	} else {
		err = results.collect(ctx, *root, tests, *java)
	}
	if err != nil {
		return err
	}
	table := judge(tests, results)
	if old, err := os.ReadFile(*out); err == nil && !table.besideJava() {
		table.copyJava(string(old))
	}
	text := table.document()
	if *out == "-" {
		_, err = io.WriteString(stdout, text)
	} else {
		err = os.WriteFile(*out, []byte(text), 0o644)
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, table.totals())
	if missing := without(tests); len(missing) > 0 {
		return fmt.Errorf("no test bears the number of %s", strings.Join(missing, ", "))
	}
	if failed := results.failed(); len(failed) > 0 {
		return fmt.Errorf("failed: %s", strings.Join(failed, ", "))
	}
	return nil
}

// readFiles collects the results of earlier runs.
func (r results) readFiles(names []string) error {
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		err = r.read(file)
		file.Close()
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
	return nil
}

// collect runs the tests, those beside Java only for given releases of it.
func (r results) collect(ctx context.Context, root string, tests map[string][]test, java string) error {
	err := goTest(ctx, root, nil, packages(tests, false), r)
	if err == nil && java != "" {
		err = goTest(ctx, root, []string{"INTEROP_JAVA=" + java}, packages(tests, true), r, "-tags", "interop", "-parallel", "4")
	}
	return err
}

// goTest runs the numbered tests of packages and collects their results.
func goTest(ctx context.Context, root string, env, packages []string, into results, flags ...string) error {
	args := append([]string{"test", "-json", "-count=1", "-timeout=60m", "-run", `^Test.*K[0-9][0-9]`}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, packages...)...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	cmd.Env = append(os.Environ(), env...)
	events, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("start go test: %w", err)
	}
	readErr := into.read(events)
	waitErr := cmd.Wait()
	if errors.As(waitErr, new(*exec.ExitError)) && len(into.failed()) > 0 {
		waitErr = nil // The tests say which.
	}
	if err := errors.Join(readErr, waitErr); err != nil {
		return fmt.Errorf("go test %s: %w", strings.Join(packages, " "), err)
	}
	return nil
}

func writeSurvey(root, file string, list []fault, bears, number *regexp.Regexp, document func(map[string][]proof) string) error {
	found, err := proofsOf(root, list, bears, number)
	if err != nil {
		return err
	}
	if missing := unproved(list, found); len(missing) > 0 {
		return fmt.Errorf("no test bears the number of %s", strings.Join(missing, ", "))
	}
	return os.WriteFile(filepath.Join(root, "docs", file), []byte(document(found)), 0o644)
}
