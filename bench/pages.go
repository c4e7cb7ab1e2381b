package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// pagesJob is one of the busy jobs.
const pagesJob = 7

// pages measures the pages of a console that watches a large namespace and reads a long history,
// as a client on the same machine sees them.
func pages(b *bench) {
	const rounds = 40
	dsn := b.historyFile()
	s := b.newScene()
	defer s.end()
	s.plantJobs(b.jobs)
	c := b.launch("serve", "--zookeeper="+s.Addr(), "--namespace=bench", "--dsn="+dsn)
	defer c.end(os.Interrupt)
	c.signIn()

	// The state of every job is known when no job is being read, some are failing, which takes
	// the history, and none seems to have never run. While jobs are being read, an answer costs
	// the console as much as a page, so we don't ask all the time.
	b.poll("states of all jobs", 10*tooLong, 500*time.Millisecond, func() bool {
		total := func(state string) string { return c.ask("/api/jobs?page=1&pageSize=1&state=" + state).total }
		failing := func() bool { n := total("failing"); return n != "" && n != "0" }
		return total("") == strconv.Itoa(b.jobs) && total("reading") == "0" && failing() && total("never-ran") == "0"
	})
	how := fmt.Sprintf("%d jobs of %d shards on %d servers, %d executions in SQLite; ", b.jobs, snapshotItems, snapshotServers, b.rows)
	b.atMost("pages-states-known", "s", 20, how+"from the start of `console serve` until the status and the newest runs of every job are known, asked every 500 ms", time.Since(c.began).Seconds())
	b.note("pages-states-work", "s", how+"processor time of the console until then", c.usage().cpu.Seconds())
	s.awaitQuiet()

	job := "/jobs/" + benchJob(pagesJob).Name()
	var runs struct{ Rows []struct{ ID string } }
	check(json.Unmarshal([]byte(c.get("/api"+job+"/runs?limit=1").text), &runs))
	if len(runs.Rows) == 0 {
		fail("%s has no run", job)
	}
	for _, p := range []struct {
		name, path string
		limit      float64 // milliseconds
	}{
		{"overview", "/", 100}, {"jobs", "/jobs", 100}, {"job", job, 100}, {"run", job + "/runs/" + runs.Rows[0].ID, 100},
		{"runs", "/runs", 100}, {"runs-week", "/runs?last=7d", 500}, {"runs-all", "/runs?last=all", 500},
		{"servers", "/servers", 100}, {"server", "/servers/10.0.0.1", 100}, {"executions", "/executions", 100}, {"explain", job + "/explain", 100},
	} {
		var first, took []float64
		var a answer
		cpu := c.usage().cpu
		for range rounds {
			a = c.get(p.path)
			first, took = append(first, a.first), append(took, a.last)
		}
		how := "GET " + p.path + "; "
		b.note(p.name+"-first-byte", "ms", how+fmt.Sprintf("median of %d", rounds), percentile(first, 50))
		b.atMost(p.name+"-p95", "ms", p.limit, how+"the whole answer", percentile(took, 95))
		b.note(p.name+"-work", "ms", how+"processor time of the console for each", millis(c.usage().cpu-cpu)/rounds)
		b.atMost(p.name+"-html", "kB", 60, how+"not compressed", float64(len(a.text))/1000)
		b.atMost(p.name+"-nodes", "", 1200, how+"elements", float64(elements(a.text)))
	}
	b.atMost("pages-rss", "MB", 250, "resident memory of the console after that", c.usage().resident/1e6)
	tabs(s, c)
}

// elements counts the elements of a page.
func elements(page string) (n int) {
	for tokens := html.NewTokenizer(strings.NewReader(page)); ; {
		switch tokens.Next() {
		case html.StartTagToken, html.SelfClosingTagToken:
			n++
		case html.ErrorToken:
			return n
		}
	}
}

// tabs opens a hundred streams of changes for the list of jobs. It measures the console first
// while nothing changes, and then while a job does.
func tabs(s *scene, c *console) {
	const open, changes, quiet = 100, 20, 20 * time.Second
	before := c.usage()
	seen := make(chan time.Time, open*changes)
	for range open {
		req := must(http.NewRequestWithContext(s, http.MethodGet, c.site+"/events?path=%2Fjobs", nil))
		resp, err := c.client.Do(req)
		check(err)
		defer resp.Body.Close()
		lines := bufio.NewScanner(resp.Body)
		if resp.StatusCode != http.StatusOK || !lines.Scan() {
			fail("a stream doesn't begin: %s", resp.Status)
		}
		go func() {
			for lines.Scan() {
				if strings.HasPrefix(lines.Text(), "data:") {
					seen <- time.Now()
				}
			}
		}()
	}
	requests, begin := s.requests(), c.usage()
	s.pause(quiet)
	end := c.usage()
	how := fmt.Sprintf("%d streams of GET /events about /jobs; ", open)
	s.note("tabs-rss", "MB", how+"resident memory of the console, more than before", max(0, end.resident-before.resident)/1e6)
	s.atMost("tabs-cpu", "%", 5, how+fmt.Sprintf("of one core, in %v without a change", quiet), 100*(end.cpu-begin.cpu).Seconds()/quiet.Seconds())
	s.atMost("tabs-reads", "", quiet.Seconds()/3, how+"requests that ZooKeeper counts in that time, without pings: every 3 s the console tests whether ZooKeeper still answers", max(0, s.requests()-requests-pings(quiet)))

	var late []float64
	for n := range changes {
		c.get("/jobs") // As a page would, because a change is announced only after the last one was read.
		s.pause(500 * time.Millisecond)
		for len(seen) > 0 {
			<-seen // of runs that fell due, and jobs that are late
		}
		began := time.Now()
		s.describe(benchJob(pagesJob), fmt.Sprintf("tab %d", n))
		var last time.Time
		for range open {
			select {
			case last = <-seen:
			case <-time.After(tooLong):
				fail("change %d: %w at all tabs", n, errTooLate)
			}
		}
		late = append(late, millis(last.Sub(began)))
	}
	s.atMost("tabs-change-p95", "ms", 500, how+fmt.Sprintf("from writing a node to the message at the last of them, %d changes", changes), percentile(late, 95))
	s.note("tabs-change-work", "ms", how+"processor time of the console for each change, including a list that is read after it", millis(c.usage().cpu-end.cpu)/changes)
}

// history is a history of Go agents in a file that is kept in the user's cache folder, because
// filling it takes ten minutes. Each session adds the executions up to now.
//
//	row n: shard n % 10 of run n / 10, which began n steps after the first
//	run r: every other one is of the 100 busy jobs, the rest of all jobs in turn
type history struct {
	jobs, rows int
	first      time.Time     // start of the first execution
	step       time.Duration // between the starts of two rows
}

const historyChunk = 500_000 // rows of one statement

// historyFile returns the DSN of the history.
func (b *bench) historyFile() (dsn string) {
	folder := filepath.Join(must(os.UserCacheDir()), "elasticjob-bench")
	check(os.MkdirAll(folder, 0o755))
	name := filepath.Join(folder, fmt.Sprintf("pages-%d-jobs-%d-rows.db", b.jobs, b.rows))
	const days = 30 * 24 * time.Hour
	h := history{b.jobs, b.rows, time.Now().Add(-days).Truncate(time.Second), days / time.Duration(b.rows)}
	if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
		fmt.Printf("filling %s with %d executions, which is kept\n", name, b.rows)
		unfinished := name + ".unfinished"
		for _, suffix := range []string{"", "-wal", "-shm"} {
			_ = os.Remove(unfinished + suffix) // of a session that was interrupted
		}
		b.openHistory(unfinished, h.fill)
		check(os.Rename(unfinished, name))
	}
	b.openHistory(name, h.catchUp)
	return "sqlite://" + name
}

func (b *bench) openHistory(file string, do func(b *bench, db *store.DB)) {
	db := must(store.Open(b, "sqlite://"+file, slog.New(slog.DiscardHandler)))
	err := attempt(func() {
		check(db.Migrate(b))
		do(b, db)
	})
	check(errors.Join(err, db.Close()))
}

// fill inserts all rows. Building the indexes later is faster.
func (h history) fill(b *bench, db *store.DB) {
	var indexes []struct{ Name, SQL string }
	check(db.WithContext(b).Raw("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").Scan(&indexes).Error)
	exec := func(statement string) { check(db.WithContext(b).Exec(statement).Error) }
	for _, i := range indexes {
		exec("DROP INDEX " + i.Name)
	}
	for begin := 0; begin < h.rows; begin += historyChunk {
		exec(h.insert(begin, min(h.rows, begin+historyChunk)))
	}
	for _, i := range indexes {
		exec(i.SQL)
	}
	exec("ANALYZE")
}

// catchUp adds the rows up to now and counts them, as a running console does by and by.
func (h history) catchUp(b *bench, db *store.DB) {
	var bounds struct{ First, Last string }
	check(db.WithContext(b).Raw("SELECT MIN(start_time) AS first, MAX(id) AS last FROM JOB_EXECUTION_LOG").Scan(&bounds).Error)
	h.first = must(time.Parse("2006-01-02 15:04:05.999", bounds.First))
	next := 1 + must(strconv.Atoi(strings.TrimPrefix(bounds.Last, "0198f3c2-")))
	for end := int(time.Since(h.first) / h.step); next < end; next = min(end, next+historyChunk) {
		check(db.WithContext(b).Exec(h.insert(next, min(end, next+historyChunk))).Error)
	}
	for !must(rdb.Count(b, db.Database, time.Now())) {
		continue // It counts a part at a time.
	}
}

// insert is the statement for the rows from begin to end. One run in fifty fails at a shard,
// one in 2,000 loses a shard.
func (h history) insert(begin, end int) string {
	at := fmt.Sprintf("(%.3f + r * %.9f)", float64(h.first.UnixMilli())/1000, h.step.Seconds()*snapshotItems)
	moment := func(seconds string) string { return "strftime('%Y-%m-%d %H:%M:%f', " + seconds + ", 'unixepoch')" }
	took := "((h + i * 331) % 4000) / 1000.0"
	failed, lost := "(h % 50 = 0 AND i = 3)", "(h % 2000 = 1 AND i = 5)"
	return "INSERT INTO JOB_EXECUTION_LOG (id, job_name, task_id, hostname, ip, sharding_item, execution_source, failure_cause, is_success, start_time, complete_time, run_id, attempt, trigger, scheduled_at) " +
		"SELECT printf('0198f3c2-%012d', n), printf('job-%05d', j), printf('job-%05d@-@%d@-@READY@-@10.0.0.%d@-@1', j, i, i % 3), printf('worker-%d', i % 3), printf('10.0.0.%d', i % 3), i, 'NORMAL_TRIGGER', " +
		"CASE WHEN " + failed + " THEN printf('dial tcp 10.0.3.%d:3306: connection timed out, attempt %d', h % 7, n) END, " +
		"CASE WHEN " + failed + " OR " + lost + " THEN 0 ELSE 1 END, " + moment(at+" + i * 0.001") + ", CASE WHEN " + lost + " THEN NULL ELSE " + moment(at+" + "+took) + " END, " +
		"printf('run-%09d', r), 1, CASE WHEN r % 97 = 0 THEN 'manual' ELSE 'schedule' END, " + moment("CAST("+at+" AS INTEGER)") + " FROM (" +
		fmt.Sprintf("SELECT n, r, i, h, CASE WHEN r %% 2 = 0 THEN (r / 2) %% %d ELSE (r / 2) %% %d END AS j FROM (SELECT n, n / 10 AS r, n %% 10 AS i, ((n / 10) * 7919 + (n / 10) / 3) %% 999983 AS h FROM ", min(100, h.jobs), h.jobs) +
		fmt.Sprintf("(WITH RECURSIVE s (n) AS (SELECT %d UNION ALL SELECT n + 1 FROM s WHERE n < %d) SELECT n FROM s)))", begin, end-1)
}
