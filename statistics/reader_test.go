package statistics_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
)

type bundle struct {
	*treetest.Bundle
	reader *statistics.Reader
}

// each runs a test against both servers, with this tree.
func each(t *testing.T, tree string, fn func(t *testing.T, b bundle)) {
	t.Helper()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		b := treetest.New(t, srv.Addr)
		b.Plant(t, tree)
		fn(t, bundle{b, statistics.NewReader(b.Registry())})
	})
}

func (b bundle) jobs(t *testing.T) map[string]statistics.Job {
	t.Helper()
	list, err := b.reader.Jobs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	byName := make(map[string]statistics.Job, len(list))
	for i, j := range list {
		if i > 0 && list[i-1].Name >= j.Name {
			t.Errorf("%q comes before %q", list[i-1].Name, j.Name)
		}
		byName[j.Name] = j
	}
	return byName
}

func (b bundle) detail(t *testing.T, name string) statistics.JobDetail {
	t.Helper()
	d, err := b.reader.Job(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// javaTree is a job after its first run by a Java agent.
const javaTree = `
	j1 = com.example.MyJob
	j1/config = "cron: 0/5 * * * * ?\ndescription: first\ndisabled: false\nfailover: true\njobName: j1\njobParameter: ''\nmaxTimeDiffSeconds: -1\nmisfire: true\nmonitorExecution: true\noverwrite: false\nreconcileIntervalMinutes: 10\nshardingItemParameters: 0=a\nshardingTotalCount: 1\nstaticSharding: false\ntimeZone: GMT+8:00\nprops:\n  job.title: 夜间清理\n"
	j1/instances/10.0.0.1@-@15247 [E] = "jobInstanceId: 10.0.0.1@-@15247\nserverIp: 10.0.0.1\n"
	j1/leader/election/instance [E] = 10.0.0.1@-@15247
	j1/leader/sharding
	j1/servers/10.0.0.1 = ENABLED
	j1/sharding/0
	j1/sharding/0/instance = 10.0.0.1@-@15247
`

// started is before anything is created.
var started = time.Now().Truncate(time.Millisecond)

func TestJobOfAJavaAgent(t *testing.T) {
	each(t, javaTree, func(t *testing.T, b bundle) {
		want := statistics.Job{
			Name: "j1", Class: "com.example.MyJob", Type: jobconfig.TypeSimple, Cron: "0/5 * * * * ?", TimeZone: "GMT+8:00",
			Title: "夜间清理", Description: "first", Shards: 1, Status: statistics.StatusOK, Reason: "1 shards are assigned to live instances",
			Instances: 1, Servers: 1, Leader: "10.0.0.1@-@15247", Failover: true, OneInstance: true, Generation: "3.x",
			JavaInstances: 1, Recorded: true, Monitored: true, Misfire: true, Owners: []string{"10.0.0.1@-@15247"},
		}
		age := cmpopts.IgnoreFields(statistics.Job{}, "ReadySince", "AbleSince", "OwnersSince", "Created", "Changed", "NextFire")
		if diff := cmp.Diff(map[string]statistics.Job{"j1": want}, b.jobs(t), age); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		d := b.detail(t, "j1")
		if diff := cmp.Diff(want, d.Job, age); diff != "" {
			t.Errorf("the detail tells something else (-list +detail):\n%s", diff)
		}
		instances := []statistics.Instance{{ID: "10.0.0.1@-@15247", IP: "10.0.0.1", Leader: true, Enabled: true}}
		if diff := cmp.Diff(instances, d.Instances, cmpopts.IgnoreFields(statistics.Instance{}, "Since")); diff != "" {
			t.Errorf("instances (-want +got):\n%s", diff)
		}
		if d.Created.IsZero() || d.Created.After(d.ReadySince) {
			t.Errorf("created %v, ready since %v", d.Created, d.ReadySince)
		}
		for what, since := range map[string]time.Time{"the job is ready": d.ReadySince, "the instance is there": d.Instances[0].Since} {
			if since.Before(started) || since.After(time.Now()) {
				t.Errorf("%s since %v", what, since)
			}
		}
		servers := []statistics.JobServer{{IP: "10.0.0.1", Enabled: true, Data: "ENABLED", Instances: []string{"10.0.0.1@-@15247"}}}
		if diff := cmp.Diff(servers, d.Servers); diff != "" {
			t.Errorf("servers (-want +got):\n%s", diff)
		}
		shards := []statistics.Shard{{
			Item: 0, Parameter: "a", Instance: "10.0.0.1@-@15247", IP: "10.0.0.1",
			Status: statistics.ShardPending, Reason: "10.0.0.1@-@15247 should run it at the next fire",
		}}
		if diff := cmp.Diff(shards, d.Shards); diff != "" {
			t.Errorf("shards (-want +got):\n%s", diff)
		}
		if d.Config == nil || d.Config.Name != "j1" || !strings.HasPrefix(string(d.RawConfig), "cron:") {
			t.Errorf("configuration %+v, %q", d.Config, d.RawConfig)
		}
	})
}

// healthy returns a job with two hosts. One address is a prefix of the other.
func healthy(job string, shards int) string {
	tree := fmt.Sprintf(`
		%[1]s/config = "jobName: %[1]s\nshardingTotalCount: %[2]d\n"
		%[1]s/servers/10.0.0.1 = ENABLED
		%[1]s/servers/10.0.0.10 = ENABLED
		%[1]s/instances/10.0.0.1@-@7 [E] = "jobInstanceId: 10.0.0.1@-@7\nserverIp: 10.0.0.1\n"
		%[1]s/instances/10.0.0.10@-@8 [E] = "jobInstanceId: 10.0.0.10@-@8\nserverIp: 10.0.0.10\n"
	`, job, shards)
	for item := range shards {
		tree += fmt.Sprintf("%s/sharding/%d/instance = %s\n", job, item, []string{"10.0.0.1@-@7", "10.0.0.10@-@8"}[item%2])
	}
	return tree
}

func TestEveryJobStatus(t *testing.T) {
	for name, test := range map[string]struct {
		tree   string
		status statistics.Status
		reason string
	}{
		"ok": {"", statistics.StatusOK, "2 shards are assigned to live instances"},
		"broken yaml": {
			`j/config = "jobName: j\ncron: */5 * * * * ?\n"`, statistics.StatusBroken, "config: decode configuration: line 2: ",
		},
		"no shards":         {`j/config = "jobName: j\nshardingTotalCount: 0\n"`, statistics.StatusBroken, "shardingTotalCount should larger than zero."},
		"no name":           {`j/config = "shardingTotalCount: 1\n"`, statistics.StatusBroken, "jobName can not be empty."},
		"empty config":      {`j/config`, statistics.StatusBroken, "the document is empty"},
		"unknown key":       {`j/config = "foo: 1\njobName: j\nshardingTotalCount: 2\n"`, statistics.StatusOK, "2 shards"},
		"all disabled":      {"j/servers/10.0.0.1 = DISABLED\nj/servers/10.0.0.10 = DISABLED", statistics.StatusDisabled, `servers/10.0.0.1 is "DISABLED", servers/10.0.0.10 is "DISABLED"`},
		"not enabled":       {"j/servers/10.0.0.1\nj/servers/10.0.0.10 = DISABLED", statistics.StatusDisabled, `servers/10.0.0.1 is ""`},
		"one disabled":      {"j/servers/10.0.0.1 = DISABLED", statistics.StatusOK, `not every server is enabled: servers/10.0.0.1 is "DISABLED"`},
		"shard disabled":    {"j/sharding/1/disabled", statistics.StatusOK, "1 of 2 shards are disabled"},
		"instance has left": {"j/sharding/1/instance = 10.0.0.1@-@70", statistics.StatusShardingFlag, "sharding/1/instance is 10.0.0.1@-@70, which is not live"},
		"prefix only":       {"j/sharding/1/instance = 10.0.0.1@-@", statistics.StatusShardingFlag, "sharding/1/instance is 10.0.0.1@-@, which is not live"},
		"not assigned":      {"j/sharding/0/instance\nj/sharding/1/instance", statistics.StatusShardingFlag, "nothing is assigned yet"},
		"foreign shard":     {"j/sharding/abc/instance = x", statistics.StatusOK, "2 shards"},
		"trigger in one":    {"j/instances/10.0.0.1@-@7 = TRIGGER", statistics.StatusOK, "2 shards"},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, healthy("j", 2)+healthy("other", 1)+test.tree, func(t *testing.T, b bundle) {
				jobs := b.jobs(t)
				if got := jobs["j"]; got.Status != test.status || !strings.Contains(got.Reason, test.reason) {
					t.Errorf("status %s because %q, want %s because %q", got.Status, got.Reason, test.status, test.reason)
				}
				if (test.status == statistics.StatusBroken) != (jobs["j"].ConfigError != "") {
					t.Errorf("ConfigError is %q", jobs["j"].ConfigError)
				}
				if got := jobs["other"]; got.Status != statistics.StatusOK {
					t.Errorf("the other job is %s because %q", got.Status, got.Reason)
				}
				if d := b.detail(t, "j"); d.Status != test.status || d.Reason != jobs["j"].Reason {
					t.Errorf("the detail says %s because %q", d.Status, d.Reason)
				}
			})
		})
	}
}

func TestCrashedAndServerless(t *testing.T) {
	tree := `
		crashed/config = "jobName: crashed\nshardingTotalCount: 1\n"
		crashed/servers/10.0.0.1 = DISABLED
		crashed/instances
		fresh/config = "jobName: fresh\nshardingTotalCount: 1\n"
		serverless/config = "jobName: serverless\nshardingTotalCount: 1\n"
		serverless/instances/10.0.0.1@-@7 [E]
		serverless/sharding/0/instance = 10.0.0.1@-@7
	`
	each(t, tree, func(t *testing.T, b bundle) {
		jobs := b.jobs(t)
		for _, name := range []string{"crashed", "fresh"} {
			if got := jobs[name]; got.Status != statistics.StatusCrashed || !strings.HasPrefix(got.Reason, "instances ") {
				t.Errorf("%s is %s because %q", name, got.Status, got.Reason)
			}
		}
		if got := jobs["serverless"]; got.Status != statistics.StatusOK || !strings.HasPrefix(got.Reason, "servers has no children") {
			t.Errorf("serverless is %s because %q; no server is not a disabled one", got.Status, got.Reason)
		}
	})
}

func TestWhatIsNoJobIsLeftOut(t *testing.T) {
	each(t, healthy("j", 1)+"orphan/servers/10.0.0.1 = ENABLED\nempty\n", func(t *testing.T, b bundle) {
		if jobs := b.jobs(t); len(jobs) != 1 {
			t.Errorf("jobs %v, want j only", jobs)
		}
		for _, name := range []string{"orphan", "empty", "nope", "a/b", "", ".."} {
			if d, err := b.reader.Job(t.Context(), name); !errors.Is(err, statistics.ErrJobNotFound) {
				t.Errorf("%q: %+v, %v; want ErrJobNotFound", name, d.Job, err)
			}
		}
		servers, err := b.reader.Servers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := []statistics.Server{{IP: "10.0.0.1", Jobs: 1, Instances: 1}, {IP: "10.0.0.10", Jobs: 1, Instances: 1}}
		if diff := cmp.Diff(want, servers, countsOnly); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestNamespaceThatDoesNotExist(t *testing.T) {
	each(t, "", func(t *testing.T, b bundle) {
		if jobs, err := b.reader.Jobs(t.Context()); err != nil || len(jobs) != 0 {
			t.Errorf("%v, %v", jobs, err)
		}
		if servers, err := b.reader.Servers(t.Context()); err != nil || len(servers) != 0 {
			t.Errorf("%v, %v", servers, err)
		}
	})
}

func TestTypes(t *testing.T) {
	tree := `
		simple = com.example.A
		simple/config = "jobName: simple\nshardingTotalCount: 1\ncron: 0 0 * * * ?\n"
		flow = com.example.B
		flow/config = "jobName: flow\nshardingTotalCount: 1\nprops:\n  streaming.process: 'true'\n"
		script = SCRIPT
		script/config = "jobName: script\nshardingTotalCount: 1\nprops:\n  script.command.line: date\n"
		http = HTTP
		http/config = "jobName: http\nshardingTotalCount: 1\n"
		old/config = "{\"jobName\":\"old\",\"jobClass\":\"x.Y\",\"jobType\":\"DATAFLOW\",\"cron\":\"0 0 * * * ?\",\"shardingTotalCount\":1}"
		old/servers/10.0.0.1
		old/instances/10.0.0.1@-@7 [E]
		old/sharding/0/instance = 10.0.0.1@-@7
	`
	each(t, tree, func(t *testing.T, b bundle) {
		jobs := b.jobs(t)
		for name, want := range map[string]statistics.Job{
			"simple": {Class: "com.example.A", Type: "SIMPLE", Generation: "3.x", Status: statistics.StatusCrashed},
			"flow":   {Class: "com.example.B", Type: "DATAFLOW", Generation: "3.x", Status: statistics.StatusCrashed, OneOff: true},
			"script": {Type: "SCRIPT", Generation: "3.x", Status: statistics.StatusCrashed, OneOff: true},
			"http":   {Type: "HTTP", Generation: "3.x", Status: statistics.StatusCrashed, OneOff: true},
			"old":    {Class: "x.Y", Type: "DATAFLOW", Generation: "2.x", Status: statistics.StatusOK},
		} {
			j := jobs[name]
			got := statistics.Job{Class: j.Class, Type: j.Type, Generation: j.Generation, Status: j.Status, OneOff: j.OneOff}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	})
}

func TestEveryShardStatus(t *testing.T) {
	tree := healthy("j", 12) + `
		j/config = "jobName: j\nshardingItemParameters: 0=a,11=z\nshardingTotalCount: 13\n"
		j/sharding/1/disabled
		j/sharding/1/running = 10.0.0.10@-@8
		j/sharding/2/running = 10.0.0.1@-@7
		j/sharding/3/running [E]
		j/sharding/4/instance = 10.0.0.3@-@9
		j/sharding/5/instance
		j/sharding/6/instance = 10.0.0.3@-@9
		j/sharding/6/running = 10.0.0.3@-@9
		j/sharding/7/instance = 10.0.0.3@-@9
		j/sharding/7/failover [E] = 10.0.0.1@-@7
		j/sharding/7/failovering = 10.0.0.1@-@7
		j/sharding/7/running = 10.0.0.1@-@7
		j/sharding/8/misfire
		j/sharding/20/instance = 10.0.0.1@-@7
		j/sharding/abc
		j/leader/sharding/necessary
	`
	each(t, tree, func(t *testing.T, b bundle) {
		d := b.detail(t, "j")
		type row struct {
			Item   int
			Status statistics.ShardStatus
			Reason string
		}
		var got []row
		for _, s := range d.Shards {
			got = append(got, row{s.Item, s.Status, s.Reason})
		}
		const waits = "There is no leader to assign the shards, and the job waits for that. The shards have to be assigned again: the owner of shard 4, 10.0.0.3@-@9, has left or is disabled."
		want := []row{
			{0, statistics.ShardBlocked, waits},
			{1, statistics.ShardDisabled, "sharding/1/disabled exists"},
			{2, statistics.ShardRunning, "sharding/2/running is 10.0.0.1@-@7; it removes the markers of a run when all shards that it runs have ended"},
			{3, statistics.ShardRunning, "sharding/3/running is 10.0.0.10@-@8"},
			{4, statistics.ShardShardingFlag, "sharding/4/instance is 10.0.0.3@-@9, which is not live"},
			{5, statistics.ShardShardingFlag, "sharding/5/instance is absent or empty"},
			{6, statistics.ShardShardingFlag, `sharding/6/instance is 10.0.0.3@-@9, which is not live; sharding/6/running is left behind by "10.0.0.3@-@9", which is not live`},
			{7, statistics.ShardRunning, "sharding/7/running is 10.0.0.1@-@7; it removes the markers of a run when all shards that it runs have ended"},
			{8, statistics.ShardBlocked, waits},
			{9, statistics.ShardBlocked, waits},
			{10, statistics.ShardBlocked, waits},
			{11, statistics.ShardBlocked, waits},
			{12, statistics.ShardShardingFlag, "sharding/12 does not exist yet"},
			{20, statistics.ShardPending, "10.0.0.1@-@7 has it; the shard is beyond shardingTotalCount 13 and goes at the next sharding"},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		otherFields(t, d, b)
	})
}

// otherFields checks the other fields of the shards and the job.
func otherFields(t *testing.T, d statistics.JobDetail, b bundle) {
	if s := d.Shards[7]; s.Failover != "10.0.0.1@-@7" || s.RunningOn != "10.0.0.1@-@7" || s.RunningSince.IsZero() || s.IP != "10.0.0.3" {
		t.Errorf("the shard that failed over is %+v", s)
	}
	if s := d.Shards[6]; s.RunningOn != "10.0.0.3@-@9" || s.IP != "10.0.0.3" {
		t.Errorf("the shard whose instance has left is %+v", s)
	}
	if !d.Shards[8].Misfire || d.Shards[0].Parameter != "a" || d.Shards[11].Parameter != "z" || d.Shards[1].Parameter != "" {
		t.Error("misfire or parameters are wrong")
	}
	if !d.ReshardingNeeded || d.Resharding {
		t.Errorf("resharding needed %t, under way %t", d.ReshardingNeeded, d.Resharding)
	}
	b.Plant(t, "j/leader/sharding/processing [E]")
	if !b.detail(t, "j").Resharding {
		t.Error("the leader's mark is not seen")
	}
}

func TestMistypedTotalDoesNotFillTheMemory(t *testing.T) {
	each(t, `j/config = "jobName: j\nshardingTotalCount: 2000000000\n"`, func(t *testing.T, b bundle) {
		if n := len(b.detail(t, "j").Shards); n > 10_000 {
			t.Errorf("%d shards", n)
		}
	})
}

func TestBadItemParametersAreReported(t *testing.T) {
	each(t, healthy("j", 1)+`j/config = "jobName: j\nshardingItemParameters: 0=a,1\nshardingTotalCount: 1\n"`, func(t *testing.T, b bundle) {
		j := b.jobs(t)["j"]
		if j.Status != statistics.StatusOK || !strings.Contains(j.ConfigError, "format error") {
			t.Errorf("%s, %q", j.Status, j.ConfigError)
		}
	})
}

// An instance may have registered a different address than its id has, or none.
func TestInstancesWithOddContent(t *testing.T) {
	tree := `
		j/config = "jobName: j\nshardingTotalCount: 1\n"
		j/servers/10.0.0.2 = ENABLED
		j/servers/10.0.0.9 = ENABLED
		j/servers/10.0.0.10 = DISABLED
		j/servers/some-host = ENABLED
		j/instances/10.0.0.10@-@1 [E]
		j/instances/10.0.0.10@-@2 [E] = TRIGGER
		j/instances/10.0.0.10@-@3 [E] = "serverIp: ["
		j/instances/pod-7@-@1 [E] = "jobInstanceId: pod-7@-@1\nserverIp: 10.0.0.2\n"
		j/instances/10.0.0.77@-@1 [E]
	`
	each(t, tree, func(t *testing.T, b bundle) {
		d := b.detail(t, "j")
		want := []statistics.JobServer{
			{IP: "10.0.0.2", Enabled: true, Data: "ENABLED", Instances: []string{"pod-7@-@1"}},
			{IP: "10.0.0.9", Enabled: true, Data: "ENABLED"},
			{IP: "10.0.0.10", Data: "DISABLED", Instances: []string{"10.0.0.10@-@1", "10.0.0.10@-@2", "10.0.0.10@-@3"}},
			{IP: "some-host", Enabled: true, Data: "ENABLED"},
		}
		if diff := cmp.Diff(want, d.Servers); diff != "" {
			t.Errorf("servers of the job (-want +got):\n%s", diff)
		}
		for _, instance := range d.Instances {
			if instance.Enabled != (instance.ID == "pod-7@-@1") {
				t.Errorf("%s: enabled %t", instance.ID, instance.Enabled)
			}
		}
		servers, err := b.reader.Servers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all := []statistics.Server{
			{IP: "10.0.0.2", Jobs: 1, Instances: 1}, {IP: "10.0.0.9", Jobs: 1},
			{IP: "10.0.0.10", Jobs: 1, DisabledJobs: 1, Instances: 3},
			{IP: "10.0.0.77", Jobs: 1, DisabledJobs: 1, Instances: 1}, {IP: "some-host", Jobs: 1},
		}
		if diff := cmp.Diff(all, servers, countsOnly); diff != "" {
			t.Errorf("servers (-want +got):\n%s", diff)
		}
	})
}

func TestProcessServingSeveralJobsCountsOnce(t *testing.T) {
	each(t, healthy("a", 1)+healthy("b", 1)+"b/servers/10.0.0.1 = DISABLED", func(t *testing.T, b bundle) {
		servers, err := b.reader.Servers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := []statistics.Server{
			{IP: "10.0.0.1", Jobs: 2, Instances: 1, DisabledJobs: 1, JobNames: []string{"a", "b"}, InstanceIDs: servers[0].InstanceIDs},
			{IP: "10.0.0.10", Jobs: 2, Instances: 1, JobNames: []string{"a", "b"}, InstanceIDs: servers[1].InstanceIDs},
		}
		if len(servers[0].InstanceIDs) != 1 || !strings.HasPrefix(servers[0].InstanceIDs[0], "10.0.0.1@-@") {
			t.Errorf("instances %q", servers[0].InstanceIDs)
		}
		if diff := cmp.Diff(want, servers); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestUnusualJobNames(t *testing.T) {
	names := []string{"a.b", "a b", "作业", "50%", "config", "servers"}
	each(t, "", func(t *testing.T, b bundle) {
		for _, name := range names {
			b.Put(t, name+"/config", "jobName: '"+name+"'\nshardingTotalCount: 1\n", zk.Persistent)
		}
		jobs := b.jobs(t)
		if len(jobs) != len(names) {
			t.Errorf("%d jobs, want %d", len(jobs), len(names))
		}
		for _, name := range names {
			if d := b.detail(t, name); d.Name != name || d.Config.Name != name {
				t.Errorf("%q is read as %+v", name, d.Job)
			}
		}
	})
}

// TestShardsOfJobs: shards that are running, lost or without an owner should be counted in the list
// and on the job's page.
func TestShardsOfJobs(t *testing.T) {
	const failover = `j/config = "jobName: j\nshardingTotalCount: 3\nfailover: true\nmonitorExecution: true\n"` + "\n"
	for name, test := range map[string]struct {
		tree       string
		want       [3]int // running, lost, unassigned
		lostShards []int
	}{
		"idle":                            {"", [3]int{}, nil},
		"running":                         {"j/sharding/1/running = 10.0.0.10@-@8", [3]int{1, 0, 0}, nil},
		"running by one that has left":    {"j/sharding/1/running = 10.0.0.2@-@1", [3]int{0, 1, 0}, []int{1}},
		"offered to others":               {failover + "j/leader/failover/items/0", [3]int{0, 1, 0}, []int{0}},
		"offered, without failover":       {"j/leader/failover/items/0", [3]int{}, nil},
		"offered, and running by another": {"j/leader/failover/items/0\nj/sharding/0/running = 10.0.0.10@-@8", [3]int{1, 0, 0}, nil},
		"claimed by one that has left":    {"j/sharding/0/failover = 10.0.0.2@-@1", [3]int{0, 1, 0}, []int{0}},
		"claimed by one that is there":    {"j/sharding/0/failover = 10.0.0.10@-@8", [3]int{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, healthy("j", 3)+test.tree+"\n", func(t *testing.T, b bundle) {
				numbers := func(j statistics.Job) [3]int { return [3]int{j.RunningShards, j.LostShards, j.UnassignedShards} }
				d := b.detail(t, "j")
				var lost []int
				for _, shard := range d.Shards {
					if shard.Lost {
						lost = append(lost, shard.Item)
					}
				}
				if got := numbers(b.jobs(t)["j"]); got != test.want {
					t.Errorf("the list counts %v, want %v", got, test.want)
				}
				if got := numbers(d.Job); got != test.want || !slices.Equal(lost, test.lostShards) {
					t.Errorf("the job counts %v, lost %v; want %v, %v", got, lost, test.want, test.lostShards)
				}
			})
		})
	}
}
