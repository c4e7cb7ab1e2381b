package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// snapshot measures a console that watches a large namespace.
func snapshot(b *bench) {
	const lists, changes = 200, 200
	s := b.newScene()
	defer s.end()
	s.plantJobs(snapshotJobs)
	c := b.launch("serve", "--zookeeper="+s.Addr(), "--namespace=bench")
	defer c.end(os.Interrupt)
	c.signIn()

	// The list is usable if it has every job, and the first page the status of each row.
	b.poll("list of all jobs", 2*tooLong, 20*time.Millisecond, func() bool {
		a := c.ask("/api/jobs?page=1&pageSize=50")
		return a.status == http.StatusOK && a.total == strconv.Itoa(snapshotJobs) && !strings.Contains(a.text, `"READING"`)
	})
	b.atMost("snapshot-cold", "s", 5, fmt.Sprintf("%d jobs of %d shards on %d servers; from the start of `console serve` to the first list with all of them and the status of the first page's", snapshotJobs, snapshotItems, snapshotServers),
		time.Since(c.began).Seconds())
	b.note("snapshot-complete", "s", "until the status of every job, server and shard is known and nothing is read any more", s.awaitQuiet().Sub(c.began).Seconds())

	// From here on, every request to ZooKeeper counts.
	before, began := s.requests(), time.Now()
	took, work := make(map[string][]float64), make(map[string]float64)
	for _, path := range []string{"/jobs", "/api/jobs"} {
		cpu := c.usage().cpu
		for n := range lists {
			took[path] = append(took[path], c.get(path+fmt.Sprintf("?page=%d&pageSize=50", 1+n%(snapshotJobs/50))).last)
		}
		work[path] = millis(c.usage().cpu-cpu) / lists
	}
	reads := max(0, s.requests()-before-pings(time.Since(began))) / (2 * lists)
	b.atMost("snapshot-warm-reads", "", 0, fmt.Sprintf("requests that ZooKeeper counts per list, %d lists, without pings", 2*lists), reads)
	b.atMost("snapshot-list-p95", "ms", 20, "GET /jobs with 50 rows of 10,000, every page of the list; in a browser that is signed in", percentile(took["/jobs"], 95))
	b.note("snapshot-list-work", "ms", "processor time of the console for each of them", work["/jobs"])
	b.atMost("snapshot-api-p95", "ms", 20, "GET /api/jobs, likewise", percentile(took["/api/jobs"], 95))
	b.note("snapshot-api-work", "ms", "processor time of the console for each of them", work["/api/jobs"])
	b.atMost("snapshot-rss", "MB", 600, "resident memory of the console after that", c.usage().resident/1e6)

	random := rand.New(rand.NewPCG(7, 7))
	var seen []float64
	for n := range changes {
		job, want := benchJob(random.IntN(snapshotJobs)), fmt.Sprintf("change-%d.", n)
		s.describe(job, want)
		if n%2 == 1 { // Shards change more often than anything else.
			_, err := s.client.Create(s, job.ItemDisabled(random.IntN(snapshotItems)), nil, zk.Persistent)
			if !errors.Is(err, zk.ErrNodeExists) {
				check(err)
			}
			want = `"disabledShardCount":`
		}
		began := time.Now()
		for {
			text := c.get("/api/jobs?page=1&q=" + url.QueryEscape(job.Name())).text
			if strings.Contains(text, want) && !strings.Contains(text, want+"0") {
				break
			}
		}
		seen = append(seen, millis(time.Since(began)))
	}
	b.atMost("snapshot-change-p99", "ms", 250, fmt.Sprintf("from writing a node to the list that shows it, %d changes of configurations and shards", changes), percentile(seen, 99))
}
