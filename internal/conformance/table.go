package main

import (
	"fmt"
	"slices"
	"strings"
)

// row is one line of the table.
type row struct {
	conformanceCase
	verdicts map[place]verdict
	java     string // the cell
	tests    []string
}

type table []row

// judge makes the table of what the tests came to.
func judge(tests map[string][]test, results results) table {
	var rows table
	for _, c := range cases {
		r := row{conformanceCase: c, verdicts: map[place]verdict{}}
		for _, t := range tests[c.number] {
			r.tests = append(r.tests, t.name)
			for p, v := range results.of(t) {
				r.verdicts[p] = r.verdicts[p].and(v == holds)
			}
		}
		slices.Sort(r.tests)
		r.tests = slices.Compact(r.tests)
		r.java = javaCell(r.verdicts)
		rows = append(rows, r)
	}
	return rows
}

func javaCell(verdicts map[place]verdict) string {
	var cells []string
	for p, v := range verdicts {
		if version, ok := strings.CutPrefix(string(p), "java-"); ok {
			if v == broken {
				version += " fails"
			}
			cells = append(cells, version)
		}
	}
	slices.Sort(cells)
	if len(cells) == 0 {
		return "–"
	}
	return strings.Join(cells, ", ")
}

// besideJava reports whether a test beside Java has run.
func (t table) besideJava() bool {
	return slices.ContainsFunc(t, func(r row) bool { return r.java != "–" })
}

// cell is what the table says of a place.
func (r row) cell(p place) string {
	switch v, tried := r.verdicts[p]; {
	case v == broken || r.verdicts[anywhere] == broken:
		return "fails"
	case tried:
		return "holds"
	case r.verdicts[anywhere] == holds && r.verdicts[fake] == notRun && r.verdicts[real3_8] == notRun:
		return "no server"
	}
	return "–"
}

// copyJava keeps the column of Java of an earlier file.
func (t table) copyJava(old string) {
	for i, r := range t {
		for line := range strings.Lines(old) {
			cells := strings.Split(line, " | ")
			if strings.HasPrefix(line, "| "+r.number+" |") && len(cells) == columns {
				t[i].java = cells[4]
			}
		}
	}
}

// columns is how many cells a row has.
const columns = 6

const heading = "# Conformance\n\n" +
	"What ElasticJob keeps in ZooKeeper and how it behaves, as seventy cases. Each has\n" +
	"tests that bear its number: `go test -run TestK33 ./coreagent/...`. `make conformance`\n" +
	"runs them and writes this file. A fast test fails when a case has no test, and when\n" +
	"this file says what the sources do not.\n\n" +
	"*Holds* means that all tests of the case pass on that server, *no server* that they\n" +
	"pass and talk to none. The column of Java lists the releases of ElasticJob beside\n" +
	"whose agents the tests of the case in `interop/` pass; `make conformance\n" +
	"JAVA=3.0.4,3.0.3` fills it, which needs a JDK and Maven. Where we differ from 3.0.4\n" +
	"on purpose the tests show our behaviour, and the list below says what and why.\n\n"

// document is the whole file.
func (t table) document() string {
	var b strings.Builder
	b.WriteString(heading + t.totals() + "\n\n")
	b.WriteString("| Case | What it says | In-process server | ZooKeeper 3.8 | Next to Java | We differ |\n|---|---|---|---|---|---|\n")
	for _, r := range t {
		differs := ""
		if r.differs() {
			differs = "yes"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", r.number, r.title, r.cell(fake), r.cell(real3_8), r.java, differs)
	}
	b.WriteString("\n## Where we differ\n\n")
	for _, d := range departures {
		fmt.Fprintf(&b, "- %s: %s\n", strings.Join(d.cases, ", "), d.text)
	}
	b.WriteString("\n## Tests\n\n")
	for _, r := range t {
		fmt.Fprintf(&b, "- %s: %s\n", r.number, strings.Join(r.tests, ", "))
	}
	return b.String()
}

// differs reports whether a departure names the case.
func (r row) differs() bool {
	return slices.ContainsFunc(departures, func(d departure) bool { return slices.Contains(d.cases, r.number) })
}

// totals sums the table up in one paragraph.
func (t table) totals() string {
	var servers, none, fails, java, differ int
	for _, r := range t {
		inProcess, real := r.cell(fake), r.cell(real3_8)
		switch {
		case inProcess == "fails" || real == "fails":
			fails++
		case inProcess == "no server":
			none++
		case inProcess == "holds" && real == "holds":
			servers++
		}
		if r.java != "–" && !strings.Contains(r.java, "fails") {
			java++
		}
		if r.differs() {
			differ++
		}
	}
	return fmt.Sprintf("%d cases: %d hold on both servers, %d hold and need none, %d fail; %d hold next to Java. In %d we differ on purpose.",
		len(t), servers, none, fails, java, differ)
}
