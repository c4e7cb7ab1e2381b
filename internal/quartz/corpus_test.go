package quartz

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the corpus must hold on machines without zone data
)

// corpus is the real Quartz's output, written by testdata/oracle.
type corpus struct {
	lastYear int
	zones    map[string]int
	starts   []corpusStart
	refused  []string
	accepted []corpusExpression
	rows     int
}

type corpusStart struct {
	zone string
	loc  *time.Location
	at   time.Time
}

type corpusExpression struct {
	text string
	rows []corpusRow
}

type corpusRow struct {
	start int
	hangs bool        // Quartz does not return
	times []time.Time // fewer than corpusTimes if there are no more
}

const corpusTimes = 5

func loadCorpus(tb testing.TB) *corpus {
	tb.Helper()
	file, err := os.Open("testdata/corpus.txt")
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	c := &corpus{zones: map[string]int{}}
	scanner := bufio.NewScanner(file)
	for line := 1; scanner.Scan(); line++ {
		if err := c.addLine(scanner.Text()); err != nil {
			tb.Fatalf("testdata/corpus.txt:%d: %v", line, err)
		}
	}
	if err := scanner.Err(); err != nil {
		tb.Fatal(err)
	}
	return c
}

func (c *corpus) addLine(line string) error {
	key, rest, _ := strings.Cut(line, " ")
	words := strings.Fields(rest)
	switch key {
	case "#":
		return nil
	case "!", "=":
		text, err := strconv.Unquote(`"` + strings.ReplaceAll(rest, `"`, `\"`) + `"`)
		if strings.Contains(rest, `\ud83d\ude00`) { // Go doesn't quote surrogates
			text, err = strings.ReplaceAll(rest, `\ud83d\ude00`, "\U0001F600"), nil
		}
		if key == "!" {
			c.refused = append(c.refused, text)
		} else {
			c.accepted = append(c.accepted, corpusExpression{text: text})
		}
		return err
	case "lastyear":
		_, err := fmt.Sscan(rest, &c.lastYear)
		return err
	case "zone":
		offset, err := strconv.Atoi(words[1])
		c.zones[strings.ReplaceAll(words[0], "_", " ")] = offset
		return err
	case "start":
		millis, err := strconv.ParseInt(words[2], 10, 64)
		if err != nil {
			return err
		}
		loc, err := time.LoadLocation(words[1])
		if strings.HasPrefix(words[1], "GMT") {
			loc, err = ParseTimeZone(words[1])
		}
		c.starts = append(c.starts, corpusStart{zone: words[1], loc: loc, at: time.UnixMilli(millis)})
		return err
	}
	start, err := strconv.Atoi(key)
	if err != nil {
		return err
	}
	row := corpusRow{start: start}
	at := c.starts[start].at.Unix()
	for _, word := range words {
		switch word {
		case ".":
		case "~":
			row.hangs = true
		default:
			delta, err := strconv.ParseInt(word, 10, 64)
			if err != nil {
				return err
			}
			at += delta
			row.times = append(row.times, time.Unix(at, 0))
		}
	}
	expression := &c.accepted[len(c.accepted)-1]
	expression.rows = append(expression.rows, row)
	c.rows++
	return nil
}

// Quartz accepts these and then never returns from the search for a fire time. We continue other
// such searches in a sensible way, but for these there is none.
var refusedBecauseQuartzHangs = map[string]bool{"0 0 12 0W * ?": true}

func TestCorpusAgreesWithQuartz(t *testing.T) {
	t.Parallel()
	c := loadCorpus(t)
	if c.rows < 3000 {
		t.Fatalf("the corpus has only %d rows", c.rows)
	}
	rows, hanging := 0, 0
	for _, expression := range c.accepted {
		parsed, err := parse(expression.text, c.lastYear)
		if refusedBecauseQuartzHangs[expression.text] {
			if err == nil {
				t.Errorf("%q is accepted", expression.text)
			}
			continue
		}
		if err != nil {
			t.Errorf("Quartz accepts it: %v", err)
			continue
		}
		for _, row := range expression.rows {
			start := c.starts[row.start]
			got := parsed.NextN(start.at, start.loc, corpusTimes)
			rows++
			if row.hangs {
				hanging++
				checkForward(t, expression.text, start.at, got)
				continue
			}
			if !equalTimes(got, row.times) {
				t.Errorf("%q in %s after %s:\n got %s\nwant %s", expression.text, start.zone,
					start.at.In(start.loc).Format(time.RFC3339Nano), show(got, start.loc), show(row.times, start.loc))
			}
		}
	}
	t.Logf("%d expressions, %d rows; Quartz hangs in %d of them", len(c.accepted), rows, hanging)
}

func TestCorpusRefusesWhatQuartzRefuses(t *testing.T) {
	t.Parallel()
	c := loadCorpus(t)
	for _, text := range c.refused {
		if _, err := parse(text, c.lastYear); err == nil {
			t.Errorf("%q is accepted, Quartz refuses it", text)
		}
	}
	t.Logf("%d refused expressions", len(c.refused))
}

func TestCorpusTimeZones(t *testing.T) {
	t.Parallel()
	c := loadCorpus(t)
	if len(c.zones) < 30 {
		t.Fatalf("the corpus has only %d zones", len(c.zones))
	}
	for text, want := range c.zones {
		loc, err := ParseTimeZone(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if _, got := time.Unix(0, 0).In(loc).Zone(); got != want {
			t.Errorf("%q: offset %d, Java has %d", text, got, want)
		}
	}
}

func checkForward(tb testing.TB, text string, after time.Time, times []time.Time) {
	tb.Helper()
	for _, at := range times {
		if !at.After(after) {
			tb.Errorf("%q: %s does not follow %s", text, at, after)
		}
		after = at
	}
}

func equalTimes(a, b []time.Time) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Equal(b[i]) {
			return false
		}
	}
	return true
}

func show(times []time.Time, loc *time.Location) string {
	var shown []string
	for _, at := range times {
		shown = append(shown, at.In(loc).Format("2006-01-02T15:04:05Z07:00"))
	}
	return strings.Join(shown, " ")
}
