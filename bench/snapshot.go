package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// The namespace that a console is measured with.
const (
	snapshotJobs    = 10_000
	snapshotItems   = 10
	snapshotServers = 3
	snapshotPages   = 200 // lists asked for
	snapshotChanges = 200
)

// snapshot measures a console that watches a large namespace.
func snapshot(ctx context.Context, b *bench, _ kind) (figures []figure, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	server, err := startRegistry()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.end()) }()
	client, err := zk.Connect(ctx, zk.Config{Servers: []string{server.Addr()}, SessionTimeout: time.Minute})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	ns, err := jobtree.NewNamespace("bench")
	if err != nil {
		return nil, err
	}
	if err := plantJobs(ctx, client, ns, snapshotJobs); err != nil {
		return nil, fmt.Errorf("plant: %w", err)
	}
	began := time.Now()
	c, err := launch(ctx, b.console, "serve", "--zookeeper="+server.Addr(), "--namespace=bench")
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
	if err := v.await(ctx, v.usable); err != nil {
		return nil, err
	}
	cold := time.Since(began)

	// Complete when nothing is read any more; from here on every read counts.
	quiet, err := awaitQuiet(ctx, server.Addr(), began)
	if err != nil {
		return nil, err
	}
	warm, err := v.warmLists(ctx, server.Addr(), c)
	if err != nil {
		return nil, err
	}
	resident, err := residentMemory(ctx, c.cmd.Process.Pid)
	if err != nil {
		return nil, err
	}
	seen, err := v.freshness(ctx, client, ns)
	if err != nil {
		return nil, fmt.Errorf("freshness: %w", err)
	}
	return snapshotFigures{
		cold: cold.Seconds(), complete: quiet, warm: warm, resident: resident, seen: seen,
	}.list(), nil
}

// snapshotFigures is what was measured: seconds, bytes, milliseconds.
type snapshotFigures struct {
	cold, complete, resident float64
	warm                     warmLists
	seen                     []float64
}

// warmLists is what lists take while nothing changes, by path: milliseconds, those of the
// processor for each, and the requests to the registry for each of all.
type warmLists struct {
	took  map[string][]float64
	work  map[string]float64
	reads float64
}

func (s snapshotFigures) list() []figure {
	tree := fmt.Sprintf("%d jobs of %d shards on %d servers", snapshotJobs, snapshotItems, snapshotServers)
	return []figure{
		{name: "snapshot-cold", unit: "s", values: []float64{s.cold}, target: 5, how: tree + "; from the start of `console serve` to the first list that has all of them and the status of the first page's"},
		{name: "snapshot-complete", unit: "s", values: []float64{s.complete}, target: math.Inf(1), how: "until the status of every job, server and shard is known and nothing is read any more"},
		{name: "snapshot-warm-reads", values: []float64{s.warm.reads}, target: 0, how: fmt.Sprintf("requests that ZooKeeper counts per list, %d lists, less pings", 2*snapshotPages)},
		{name: "snapshot-list-p95", unit: "ms", values: []float64{percentile(s.warm.took["/jobs"], 95)}, target: 20, how: "GET /jobs with 50 rows of 10,000, every page of the list; as a browser that is signed in sees it"},
		{name: "snapshot-list-work", unit: "ms", values: []float64{s.warm.work["/jobs"]}, reportOnly: true, how: "processor time of the console for each of them"},
		{name: "snapshot-api-p95", unit: "ms", values: []float64{percentile(s.warm.took["/api/jobs"], 95)}, target: 20, how: "GET /api/jobs, likewise"},
		{name: "snapshot-api-work", unit: "ms", values: []float64{s.warm.work["/api/jobs"]}, reportOnly: true, how: "processor time of the console for each of them"},
		{name: "snapshot-rss", unit: "MB", values: []float64{s.resident / 1e6}, target: 600, how: "resident memory of the console after that"},
		{name: "snapshot-change-p99", unit: "ms", values: []float64{percentile(s.seen, 99)}, target: 250, how: fmt.Sprintf("from writing a node to the list that shows it, %d changes of configurations and shards", snapshotChanges)},
	}
}

// sessionPing is how often a session of 30 seconds, the console's, pings.
const sessionPing = 10 * time.Second

// plantJobs writes the namespace, some transactions at a time.
func plantJobs(ctx context.Context, client *zk.Client, ns jobtree.Namespace, jobs int) error {
	if _, err := client.CreateAll(ctx, ns.Root(), nil, zk.Persistent); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(32)
	for n := range jobs {
		job := ns.Job(fmt.Sprintf("job-%05d", n))
		group.Go(func() error { return client.Multi(ctx, plantJob(job)...) })
	}
	return group.Wait()
}

func plantJob(job jobtree.Job) []zk.Op {
	add := func(node, data string) zk.Op { return zk.CreateOp(node, []byte(data), zk.Persistent) }
	id := func(n int) string { return fmt.Sprintf("10.0.0.%d@-@1", n%snapshotServers) }
	ops := []zk.Op{
		add(job.Root(), "com.example.MyJob"), add(job.Config(), snapshotConfig(job, "")),
		add(job.Servers(), ""), add(job.Instances(), ""), add(job.Sharding(), ""),
		add(path.Dir(path.Dir(job.LeaderInstance())), ""), add(path.Dir(job.LeaderInstance()), ""), add(job.LeaderInstance(), id(0)),
	}
	for n := range snapshotServers {
		ip, _, _ := strings.Cut(id(n), "@")
		ops = append(ops, add(job.Server(ip), "ENABLED"), add(job.Instance(id(n)), "jobInstanceId: "+id(n)+"\nserverIp: "+ip+"\n"))
	}
	for item := range snapshotItems {
		ops = append(ops, add(job.Item(item), ""), add(job.ItemInstance(item), id(item)))
	}
	return ops
}

func snapshotConfig(job jobtree.Job, description string) string {
	return fmt.Sprintf("cron: 0/5 * * * * ?\ndescription: '%s'\nfailover: true\njobName: %s\nmisfire: true\nmonitorExecution: true\nshardingTotalCount: %d\n", description, job.Name(), snapshotItems)
}

// visitor is somebody who has signed in.
type visitor struct {
	site, token string
	client      http.Client
}

// signIn uses the account that the console is shipped with.
func (c *child) signIn(ctx context.Context) (*visitor, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.site+"/api/login", strings.NewReader(`{"username":"root","password":"root"}`))
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var answer struct {
		AccessToken string `json:"accessToken"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || answer.AccessToken == "" {
		return nil, fmt.Errorf("sign in: %s: %w", resp.Status, err)
	}
	return &visitor{site: c.site, token: answer.AccessToken}, nil
}

// ask returns what is at an address, and the number of rows in all.
func (v *visitor) ask(ctx context.Context, path string) (text, total string, status int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, v.site+path, nil)
	if err != nil {
		return "", "", 0, err
	}
	req.Header.Set("Authorization", "Bearer "+v.token)
	resp, err := v.client.Do(req)
	if err != nil {
		return "", "", 0, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), resp.Header.Get("X-Total-Count"), resp.StatusCode, err
}

// get is ask for an answer that must be there.
func (v *visitor) get(ctx context.Context, path string) (text string, took time.Duration, err error) {
	began := time.Now()
	text, _, status, err := v.ask(ctx, path)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("GET %s: status %d", path, status)
	}
	return text, time.Since(began), err
}

// usable reports whether the list has every job, and the first page the status
// of each of its rows. An answer that it cannot be read yet is none.
func (v *visitor) usable(ctx context.Context) (bool, error) {
	text, total, status, err := v.ask(ctx, "/api/jobs?page=1&pageSize=50")
	return status == http.StatusOK && total == strconv.Itoa(snapshotJobs) && !strings.Contains(text, `"READING"`), err
}

// await waits until a condition of what the console shows holds.
func (v *visitor) await(ctx context.Context, holds func(context.Context) (bool, error)) error {
	for {
		is, err := holds(ctx)
		if err != nil || is {
			return err
		}
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
}

// warmLists asks for the lists, and counts the requests that this costs the registry.
func (v *visitor) warmLists(ctx context.Context, registry string, c *child) (w warmLists, err error) {
	r, err := c.visitPages(ctx)
	if err != nil {
		return w, err
	}
	before, err := packets(registry)
	if err != nil {
		return w, err
	}
	asked := time.Now()
	w.took, w.work = make(map[string][]float64), make(map[string]float64)
	// A token of the API opens no page: the page is that of a browser.
	for path, ask := range map[string]func(path string) (took float64, err error){
		"/jobs": func(path string) (took float64, err error) {
			_, took, _, err = r.timed(ctx, path)
			return took, err
		},
		"/api/jobs": func(path string) (float64, error) {
			_, took, err := v.get(ctx, path)
			return took.Seconds() * 1000, err
		},
	} {
		if w.took[path], w.work[path], err = c.everyPage(path, ask); err != nil {
			return w, err
		}
	}
	after, err := packets(registry)
	// The pings of two sessions, and this question itself.
	pings := 2*(time.Since(asked).Seconds()/(sessionPing.Seconds())+1) + 1
	w.reads = max(0, after-before-pings) / (2 * snapshotPages)
	return w, err
}

// everyPage asks for every page of a list, and returns how long each took, and the
// processor time of the console for each, in milliseconds.
func (c *child) everyPage(path string, ask func(path string) (took float64, err error)) (took []float64, work float64, err error) {
	before, err := usageOf(c.cmd.Process.Pid)
	if err != nil {
		return nil, 0, err
	}
	for n := range snapshotPages {
		one, err := ask(path + fmt.Sprintf("?page=%d&pageSize=50", 1+n%(snapshotJobs/50)))
		if err != nil {
			return nil, 0, err
		}
		took = append(took, one)
	}
	after, err := usageOf(c.cmd.Process.Pid)
	return took, (after.cpu - before.cpu).Seconds() * 1000 / snapshotPages, err
}

// freshness changes nodes and waits until the list shows it, and returns the
// times in milliseconds.
func (v *visitor) freshness(ctx context.Context, client *zk.Client, ns jobtree.Namespace) ([]float64, error) {
	random := rand.New(rand.NewPCG(7, 7))
	var seen []float64
	for n := range snapshotChanges {
		job := ns.Job(fmt.Sprintf("job-%05d", random.IntN(snapshotJobs)))
		want := fmt.Sprintf("change-%d.", n)
		if _, err := client.Set(ctx, job.Config(), []byte(snapshotConfig(job, want)), zk.AnyVersion); err != nil {
			return nil, err
		}
		if n%2 == 1 { // Shards change more often than anything else.
			item := job.ItemDisabled(random.IntN(snapshotItems))
			if _, err := client.Create(ctx, item, nil, zk.Persistent); err != nil && !errors.Is(err, zk.ErrNodeExists) {
				return nil, err
			}
			want = `"disabledShardCount":`
		}
		began := time.Now()
		for {
			text, _, err := v.get(ctx, "/api/jobs?page=1&q="+url.QueryEscape(job.Name()))
			if err != nil {
				return nil, err
			}
			if strings.Contains(text, want) && !strings.Contains(text, want+"0") {
				break
			}
		}
		seen = append(seen, time.Since(began).Seconds()*1000)
	}
	return seen, nil
}
