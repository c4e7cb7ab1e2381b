package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

const (
	// pagesRounds is how often each page is asked for.
	pagesRounds = 40
	// pagesWithin bounds the whole group but the filling of its history.
	pagesWithin = 20 * time.Minute
	// pagesJob is one of the busy jobs.
	pagesJob = "job-00007"
	// Targets: milliseconds, kilobytes, elements, megabytes, seconds.
	pageTook, pageSize, pageNodes = 100, 60, 1200
	facetsTook                    = 500
	consoleHolds                  = 250
	statesKnown                   = 20
	// statesEvery is the pause between two questions whether all states are known: while
	// jobs are being read an answer costs the console as much as a page.
	statesEvery = 500 * time.Millisecond
)

// pages measures the pages of a console that watches a large namespace and reads a
// long history. It is a console as it is shipped, and time is what a client on the
// same machine sees.
func pages(ctx context.Context, b *bench, _ kind) (figures []figure, err error) {
	dsn, err := b.historyFile(ctx)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, pagesWithin)
	defer cancel()
	server, err := b.pagesRegistry(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.end()) }()
	began := time.Now()
	c, err := launch(ctx, b.console, "serve", "--zookeeper="+server.Addr(), "--namespace=bench", "--dsn="+dsn)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.end()) }()
	if err := c.page(ctx); err != nil {
		return nil, err
	}
	v, err := c.signIn(ctx)
	if err != nil {
		return nil, err
	}
	reader, err := c.visitPages(ctx)
	if err != nil {
		return nil, err
	}
	if err := v.await(ctx, b.statesKnown(v)); err != nil {
		return nil, fmt.Errorf("states of all jobs: %w", err)
	}
	cold := time.Since(began)
	starting, err := usageOf(c.cmd.Process.Pid)
	if err != nil {
		return nil, err
	}
	if _, err := awaitQuiet(ctx, server.Addr(), began); err != nil {
		return nil, err
	}
	how := fmt.Sprintf("%d jobs of %d shards on %d servers, %d executions in SQLite", b.jobs, snapshotItems, snapshotServers, b.rows)
	figures = append(figures, figure{name: "pages-states-known", unit: "s", values: []float64{cold.Seconds()}, target: statesKnown, how: how + "; from the start of `console serve` until the status and the newest runs of every job are known, asked every 500 ms"},
		figure{name: "pages-states-work", unit: "s", values: []float64{starting.cpu.Seconds()}, reportOnly: true, how: how + "; processor time of the console until then"})
	run, err := v.lastRun(ctx, pagesJob)
	if err != nil {
		return nil, err
	}
	for _, p := range pageKinds(run) {
		more, err := reader.measurePage(ctx, p, c.cmd.Process.Pid)
		if err != nil {
			return nil, err
		}
		figures = append(figures, more...)
	}
	resident, err := residentMemory(ctx, c.cmd.Process.Pid)
	if err != nil {
		return nil, err
	}
	figures = append(figures, figure{name: "pages-rss", unit: "MB", values: []float64{resident / 1e6}, target: consoleHolds, how: "resident memory of the console after that"})
	open, err := reader.measureTabs(ctx, server.Addr(), c.cmd.Process.Pid)
	return append(figures, open...), err
}

// pagesRegistry starts a ZooKeeper with the jobs of the history.
func (b *bench) pagesRegistry(ctx context.Context) (server *registry, err error) {
	if server, err = startRegistry(); err != nil {
		return nil, err
	}
	client, err := zk.Connect(ctx, zk.Config{Servers: []string{server.Addr()}, SessionTimeout: time.Minute})
	if err != nil {
		return nil, errors.Join(err, server.end())
	}
	ns, err := jobtree.NewNamespace("bench")
	if err == nil {
		err = plantJobs(ctx, client, ns, b.jobs)
	}
	if err = errors.Join(err, client.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("plant: %w", err), server.end())
	}
	return server, nil
}

// statesKnown reports whether the console tells the state of every job: none is
// still being read, some are failing, which takes the history, and none seems to have
// never run. It asks no further than the first answer that denies it.
func (b *bench) statesKnown(v *visitor) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		for _, list := range []struct {
			state string
			known func(total string) bool
		}{
			{"", func(total string) bool { return total == strconv.Itoa(b.jobs) }},
			{"reading", func(total string) bool { return total == "0" }},
			{"failing", func(total string) bool { return total != "0" }},
			{"never-ran", func(total string) bool { return total == "0" }},
		} {
			_, total, status, err := v.ask(ctx, "/api/jobs?page=1&pageSize=1&state="+list.state)
			if err != nil || status != http.StatusOK {
				return false, err
			}
			if !list.known(total) {
				return false, pause(ctx, statesEvery)
			}
		}
		return true, nil
	}
}

// lastRun is the id of a job's newest run.
func (v *visitor) lastRun(ctx context.Context, job string) (string, error) {
	text, _, err := v.get(ctx, "/api/jobs/"+job+"/runs?limit=1")
	if err != nil {
		return "", err
	}
	var page struct {
		Rows []struct {
			ID string `json:"id"`
		} `json:"rows"`
	}
	if err := json.Unmarshal([]byte(text), &page); err != nil || len(page.Rows) == 0 {
		return "", fmt.Errorf("%s has no run: %w", job, err)
	}
	return page.Rows[0].ID, nil
}

// reader is somebody who has signed in with a browser.
type reader struct {
	site   string
	client http.Client
}

// visitPages signs in by the form.
func (c *child) visitPages(ctx context.Context) (*reader, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	r := &reader{site: c.site, client: http.Client{Jar: jar}}
	form := url.Values{"username": {"root"}, "password": {"root"}, "next": {"/login"}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.site+"/login", strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := r.client.Do(req)
	if err != nil {
		return nil, err
	}
	return r, resp.Body.Close()
}

// pageKind is a page that is measured.
type pageKind struct {
	name, path string
	took       float64 // target, in milliseconds
}

func pageKinds(run string) []pageKind {
	return []pageKind{
		{"overview", "/", pageTook},
		{"jobs", "/jobs", pageTook},
		{"job", "/jobs/" + pagesJob, pageTook},
		{"run", "/jobs/" + pagesJob + "/runs/" + run, pageTook},
		{"runs", "/runs", pageTook},
		{"runs-week", "/runs?last=7d", facetsTook},
		{"runs-all", "/runs?last=all", facetsTook},
		{"servers", "/servers", pageTook},
		{"server", "/servers/10.0.0.1", pageTook},

		{"executions", "/executions", pageTook},
		{"explain", "/jobs/" + pagesJob + "/explain", pageTook},
	}
}

// measurePage asks for a page many times.
func (r *reader) measurePage(ctx context.Context, p pageKind, pid int) ([]figure, error) {
	before, err := usageOf(pid)
	if err != nil {
		return nil, err
	}
	var first, took []float64
	var text string
	for range pagesRounds {
		a, b, body, err := r.timed(ctx, p.path)
		if err != nil {
			return nil, err
		}
		first, took, text = append(first, a), append(took, b), body
	}
	after, err := usageOf(pid)
	if err != nil {
		return nil, err
	}
	work := (after.cpu - before.cpu).Seconds() * 1000 / pagesRounds
	how := "GET " + p.path
	return []figure{
		{name: p.name + "-first-byte", unit: "ms", values: []float64{median(first)}, reportOnly: true, how: how + fmt.Sprintf("; median of %d", pagesRounds)},
		{name: p.name + "-p95", unit: "ms", values: []float64{percentile(took, 95)}, target: p.took, how: how + "; the whole answer"},
		{name: p.name + "-work", unit: "ms", values: []float64{work}, reportOnly: true, how: how + "; processor time of the console for each, which other work on the machine does not change much"},
		{name: p.name + "-html", unit: "kB", values: []float64{float64(len(text)) / 1000}, target: pageSize, how: how + "; not compressed"},
		{name: p.name + "-nodes", values: []float64{float64(elements(text))}, target: pageNodes, how: how + "; elements"},
	}, nil
}

// timed asks for a page, and returns how long its first byte and all of it took, in
// milliseconds.
func (r *reader) timed(ctx context.Context, path string) (first, all float64, body string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.site+path, nil)
	if err != nil {
		return 0, 0, "", err
	}
	req.Header.Set("Accept-Encoding", "identity")
	began := time.Now()
	resp, err := r.client.Do(req)
	if err != nil {
		return 0, 0, "", err
	}
	defer resp.Body.Close()
	first = time.Since(began).Seconds() * 1000
	text, err := io.ReadAll(resp.Body)
	all = time.Since(began).Seconds() * 1000
	if err == nil && (resp.StatusCode != http.StatusOK || strings.HasPrefix(resp.Request.URL.Path, "/login")) {
		err = fmt.Errorf("GET %s: status %d at %s", path, resp.StatusCode, resp.Request.URL.Path)
	}
	return first, all, string(text), err
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
