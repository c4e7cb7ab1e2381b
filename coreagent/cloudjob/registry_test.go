package cloudjob_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/cloudjob"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// sharedEnv returns the environment of a process that shares the shards of a job, with changes.
func sharedEnv(t *testing.T, servers, process string, changes ...string) []string {
	t.Helper()
	job := cloud.NewJob("settle.daily", "shop", 4)
	job.Type, job.Cron, job.ShardParameters, job.Parameter = cloud.TypeDaemon, "* * * * * ?", "1=Turin", "p"
	job.Props = map[string]string{cloud.PropDaemon: cloud.DaemonRegistry, "k": "v"}
	if err := job.Validate(); err != nil {
		t.Fatal(err)
	}
	config, err := job.LiteConfiguration(nil)
	if err != nil {
		t.Fatal(err)
	}
	document, err := config.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{
		"ELASTICJOB_JOB_NAME=settle.daily", "ELASTICJOB_EXECUTION_TYPE=DAEMON", "ELASTICJOB_REGISTRY_SERVERS=" + servers, "ELASTICJOB_REGISTRY_NAMESPACE=shop",
		"ELASTICJOB_JOB_CONFIGURATION=" + string(document), "ELASTICJOB_PROCESS=" + process, "ELASTICJOB_GRACE_SECONDS=10",
	}, changes...)
}

// served records which process ran which shards.
type served struct {
	mu  sync.Mutex
	ran map[string]map[int]int
}

func (s *served) handler(t *testing.T, process string) coreagent.Handler {
	return coreagent.HandlerFunc(func(_ context.Context, shard *coreagent.Shard) error {
		if shard.Total != 4 || shard.JobParameter != "p" || shard.Props["k"] != "v" || (shard.Parameter == "Turin") != (shard.Item == 1) || shard.Props[cloud.PropDaemon] != "" {
			t.Errorf("%+v", shard)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.ran[process] == nil {
			s.ran[process] = make(map[int]int)
		}
		s.ran[process][shard.Item]++
		return nil
	})
}

// shards returns the shards that a process ran.
func (s *served) shards(process string) (items []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for item := range s.ran[process] {
		items = append(items, item)
	}
	slices.Sort(items)
	return items
}

// TestSharedShards: two processes share the shards of a job by a ZooKeeper. When one of them ends,
// the other one gets all. Their runs are reported, with sampling every second run of a shard.
func TestSharedShards(t *testing.T) {
	t.Parallel()
	server := coreagenttest.NewServer(t)
	told := inbox{reported: make(map[string]event.Execution)}
	console := httptest.NewServer(&told)
	defer console.Close()
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("good"), 0o600); err != nil {
		t.Fatal(err)
	}
	all := served{ran: make(map[string]map[int]int)}
	type process struct {
		stop  context.CancelCauseFunc
		ended chan int
	}
	start := func(name string, changes ...string) process {
		ctx, stop := context.WithCancelCause(t.Context())
		p := process{stop, make(chan int, 1)}
		env := sharedEnv(t, server.Addr(), name, append(changes, "ELASTICJOB_EVENTS_URL="+console.URL+event.Path, "ELASTICJOB_EVENTS_TOKEN_FILE="+token)...)
		go func() { p.ended <- cloudjob.Run(ctx, env, all.handler(t, name)) }()
		return p
	}
	first := start("feed-0")
	waittest.Until(t, "one process runs all shards", func() bool { return len(all.shards("feed-0")) == 4 })
	second := start("feed-1", "ELASTICJOB_EVENT_SAMPLING=2")
	waittest.Until(t, "two share them", func() bool { return len(all.shards("feed-1")) == 2 })
	first.stop(coreagent.ErrStopping)
	if code := <-first.ended; code != 0 {
		t.Errorf("exit code %d", code)
	}
	waittest.Until(t, "the other one has them all", func() bool { return len(all.shards("feed-1")) == 4 })
	waittest.Until(t, "runs of each shard by both were reported", func() bool { return told.shards() == 8 })
	second.stop(coreagent.ErrStopping)
	if code := <-second.ended; code != 0 {
		t.Errorf("exit code %d", code)
	}
	ran := 0
	for _, n := range all.ran["feed-1"] {
		ran += n
	}
	if n := told.of(t, "feed-1"); n < ran/2-4 || n > ran/2 {
		t.Errorf("%d of %d runs were reported, want each second of a shard", n, ran)
	}
}

// inbox is a console that accepts reports.
type inbox struct {
	mu       sync.Mutex
	reported map[string]event.Execution
}

func (b *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var report event.Report
	if err := json.NewDecoder(r.Body).Decode(&report); err != nil || r.Header.Get("Authorization") != "Bearer good" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range report.Executions {
		b.reported[e.ID] = e
	}
	w.WriteHeader(http.StatusAccepted)
}

// shards counts the shards of each process with completely reported runs.
func (b *inbox) shards() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	known := make(map[string]bool)
	for _, e := range b.reported {
		if e.Ended != nil && e.Cause == "" {
			known[fmt.Sprint(processOf(e), e.Item)] = true
		}
	}
	return len(known)
}

// of counts the runs of a process, and checks all reports.
func (b *inbox) of(t *testing.T, process string) (count int) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.reported {
		if processOf(e) == process {
			count++
		}
		if e.Scheduled.After(e.Started.Add(time.Second)) || e.Scheduled.IsZero() || !strings.HasPrefix(e.TaskID, "settle.daily@-@") {
			t.Errorf("%+v", e)
		}
	}
	return count
}

// processOf returns the process of an execution: its id ends with the process and the turn.
func processOf(e event.Execution) string {
	name, _, _ := strings.Cut(e.TaskID[strings.LastIndex(e.TaskID, "@-@")+len("@-@"):], "_")
	return name
}

// TestSharedShardsRefused: errors in the environment or the job end the process.
func TestSharedShardsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		change string
		code   int
	}{
		{"ELASTICJOB_REGISTRY_NAMESPACE=", 64},
		{"ELASTICJOB_PROCESS=", 64},
		{"ELASTICJOB_GRACE_SECONDS=0", 64},
		{"ELASTICJOB_JOB_CONFIGURATION=", 64},
		{"ELASTICJOB_JOB_CONFIGURATION=jobName: x", 78},
		{"ELASTICJOB_JOB_CONFIGURATION={", 78},
		{"ELASTICJOB_JOB_CONFIGURATION=" + strings.Repeat("x", 200<<10), 64},
		{"ELASTICJOB_JOB_CONFIGURATION={jobName: x, shardingTotalCount: 1, cron: '* * * * * ?', jobErrorHandlerType: NONE}", 78},
		{"ELASTICJOB_REGISTRY_SERVERS=:", 78},
		{"ELASTICJOB_REGISTRY_DIGEST=x", 78},
	} {
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		if code := cloudjob.Run(ctx, sharedEnv(t, "127.0.0.1:1", "feed-0", c.change), coreagent.HandlerFunc(nil)); code != c.code {
			t.Errorf("%.80s: exit code %d, want %d", c.change, code, c.code)
		}
		stop()
	}
}

// TestSharedShardsWithoutRegistry: a process that waits for its registry ends normally when it's stopped.
func TestSharedShardsWithoutRegistry(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancelCause(t.Context())
	ended := make(chan int)
	go func() {
		ended <- cloudjob.Run(ctx, sharedEnv(t, "127.0.0.1:1", "feed-0"), coreagent.HandlerFunc(func(context.Context, *coreagent.Shard) error { return nil }))
	}()
	stop(coreagent.ErrStopping)
	if code := <-ended; code != 0 {
		t.Errorf("exit code %d", code)
	}
}
