package statistics_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// countsOnly ignores the lists of a server, so only its counts are compared.
var countsOnly = cmpopts.IgnoreFields(statistics.Server{}, "JobNames", "InstanceIDs")

func TestServerJobs(t *testing.T) {
	each(t, healthy("a", 1)+healthy("b", 1)+"b/servers/10.0.0.1 = DISABLED\nc/config = x\nc/servers/10.0.0.100 = ENABLED\n", func(t *testing.T, b bundle) {
		jobs, err := b.reader.ServerJobs(t.Context(), "10.0.0.1")
		if err != nil {
			t.Fatal(err)
		}
		if len(jobs) != 2 || jobs[0].Name != "a" || !jobs[0].Enabled || len(jobs[0].Instances) != 1 || jobs[1].Name != "b" || jobs[1].Enabled {
			t.Errorf("jobs %+v", jobs)
		}
		if jobs, err := b.reader.ServerJobs(t.Context(), "10.0.0.100"); err != nil || len(jobs) != 1 || len(jobs[0].Instances) != 0 {
			t.Errorf("a job with a broken configuration: %+v, %v", jobs, err)
		}
		if jobs, err := b.reader.ServerJobs(t.Context(), "10.0.0.2"); !errors.Is(err, statistics.ErrServerNotFound) {
			t.Errorf("unknown server: %+v, %v", jobs, err)
		}
	})
}

// TestV14ServersCountAlike: the number of jobs in a server's row must match the list of the
// server's jobs, even if server nodes are missing.
func TestV14ServersCountAlike(t *testing.T) {
	tree := healthy("a", 2) + healthy("b", 1) + `
		b/servers/10.0.0.1 = DISABLED
		c/config = "jobName: c\nshardingTotalCount: 1\n"
		c/instances/10.0.0.1@-@1 [E] = "jobInstanceId: 10.0.0.1@-@1\nserverIp: 10.0.0.1\n"
		c/instances/10.0.0.1@-@2 [E] = "jobInstanceId: 10.0.0.1@-@2\nserverIp: 10.0.0.1\n"
		c/instances/10.0.0.77@-@1 [E]
	`
	each(t, tree, func(t *testing.T, b bundle) {
		servers, err := b.reader.Servers(t.Context())
		if err != nil || len(servers) < 3 {
			t.Fatalf("%+v, %v", servers, err)
		}
		for _, server := range servers {
			jobs, err := b.reader.ServerJobs(t.Context(), server.IP)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			disabled := 0
			for _, job := range jobs {
				names = append(names, job.Name)
				if !job.Enabled {
					disabled++
				}
			}
			if diff := cmp.Diff(names, server.JobNames); diff != "" || server.Jobs != len(names) || server.DisabledJobs != disabled {
				t.Errorf("%s: %+v, %d disabled (-jobs +row)\n%s", server.IP, server, disabled, diff)
			}
		}
	})
}

// TestServerJobsLeaveLittleGarbage: each view of a server's page asks for its jobs, so that should
// allocate little.
func TestServerJobsLeaveLittleGarbage(t *testing.T) {
	const jobs = 300
	b := treetest.New(t, zktest.Fake(t).Addr)
	plantMany(t, b, jobs)
	reader := statistics.NewWatchingReader(b.Registry())
	defer reader.Close()
	ask := func() []statistics.ServerJob {
		list, err := reader.ServerJobs(t.Context(), "10.0.0.1")
		if err != nil || len(list) != jobs {
			t.Fatalf("%d jobs, %v", len(list), err)
		}
		return list
	}
	for _, job := range ask() {
		if len(job.Instances) != 1 || cap(job.Instances) != 1 || job.Instances[0] != "10.0.0.1@-@1" {
			t.Fatalf("%s has the instances %q, with room for %d", job.Name, job.Instances, cap(job.Instances))
		}
	}
	least := math.Inf(1) // other tests may allocate at the same time, so take the lowest
	for range 20 {
		least = min(least, testing.AllocsPerRun(1, func() { ask() }))
	}
	if least > jobs/4 {
		t.Errorf("%v objects for %d jobs", least, jobs)
	}
}
