package consoletest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Sample is a namespace with a job in every state and a history, for the tests
// and the storybook.
func Sample() (*FakeRegistry, *fakeHistory) {
	job := func(name, cron, zone, description string, shards int, status statistics.Status, reason string, instances, servers, disabled int) statistics.JobDetail {
		return statistics.JobDetail{Job: statistics.Job{
			Name: name, Type: jobconfig.TypeSimple, Cron: cron, TimeZone: zone, Description: description, Shards: shards,
			Status: status, Reason: reason, Instances: instances, Servers: servers, DisabledServers: disabled, ConfigVersion: 3,
			OneOff: cron == "",
		}}
	}
	ok := func(name, cron, description string, shards int) statistics.JobDetail {
		return job(name, cron, "GMT+0", description, shards, statistics.StatusOK, "every shard is assigned to a live instance", 3, 3, 0)
	}
	jobs := []statistics.JobDetail{
		ok("invoices", "0 0/5 * * * ?", "Send the invoices of the last five minutes", 4),
		job("settlement.daily", "0 30 2 * * ?", "GMT+8:00", "Settle all accounts of the day before", 12, statistics.StatusShardingFlag,
			"/sharding/7/instance names 10.2.0.17@-@88, which is not in /instances", 3, 4, 0),
		job("mail-digest", "0 0 7 ? * MON-FRI", "GMT+1:00", "Digest for subscribers", 6, statistics.StatusDisabled,
			"all 3 servers of /servers hold DISABLED", 3, 3, 3),
		job("warehouse-sync", "0/30 * * * * ?", "", "", 3, statistics.StatusCrashed, "/instances has no children", 0, 2, 0),
		job("legacy-import", "", "", "", 0, statistics.StatusBroken, "/config cannot be read: line 4: mapping values are not allowed here", 1, 1, 0),
		job("reindex", "", "", "Runs on demand", 8, statistics.StatusOK, "every shard is assigned to a live instance", 2, 2, 0),
		ok("作业-报表", "0 0 1 L * ?", "月度报表", 2),
		ok("50% discount", "0 15 10 ? * 6#3", "Name with a percent sign and spaces", 1),
		ok("config", "0 0 * * * ?", "", 1),
		ok("a.b", "0 0 12 1/5 * ?", "", 1),
		ok("c++", "0 10 * * * ?", "", 1),
	}
	for i, name := range []string{"audit-export", "cache-warmup", "currency-rates", "dunning", "fraud-scan", "geo-update", "heartbeat-report", "inventory-snapshot", "ledger-compact", "loyalty-points", "price-feed", "ratings", "search-ping", "session-cleanup", "sms-retry", "tax-tables", "thumbnails", "token-rotation"} {
		j := ok(name, fmt.Sprintf("%d 0/%d * * * ?", i, i%7+3), []string{"", "Nightly housekeeping", "Pulls rates from the central bank and stores them for the shops"}[i%3], i%5+1)
		if i == 3 {
			j.DisabledItems = 1
		}
		if i == 5 {
			j.DisabledServers = 1
		}
		jobs = append(jobs, j)
	}
	configure(jobs)
	registry := &FakeRegistry{requestedRuns: sampleRequested(),
		List: jobs, Machines: sampleServers(),
		Health: app.RegistryHealth{State: app.RegistryConnected, Since: Noon.Add(-26 * time.Hour), Address: "zk1:2181,zk2:2181,zk3:2181", Namespace: "shop/billing"},
	}
	return registry, &fakeHistory{Rows: slices.Clone(sampled.runs), runRecord: sampleRecord()}
}

func sampleServers() []statistics.Server {
	var servers []statistics.Server
	for k, n := range []int{1, 1, 1, 0, 0} {
		servers = append(servers, statistics.Server{IP: fmt.Sprintf("10.2.0.%d", 14+k), Jobs: 26 - 9*k + k*k, Instances: n, DisabledJobs: k % 2})
	}
	return append(servers, statistics.Server{IP: "10.2.0.9", Jobs: 2, Instances: 1, DisabledJobs: 2})
}

// configure gives the jobs their configurations, instances and shards.
func configure(jobs []statistics.JobDetail) {
	for i := range jobs {
		j := &jobs[i]
		populate(j)
		if j.Status == statistics.StatusBroken {
			j.RawConfig = []byte("jobName: legacy-import\ncron: '0 0 * * * ?'\nshardingTotalCount: 2\ndescription: a: b\n")
			j.ConfigError = "line 4: mapping values are not allowed here"
			continue
		}
		cfg := &jobconfig.Config{
			Name: j.Name, Cron: j.Cron, TimeZone: j.TimeZone, Description: j.Description, Shards: j.Job.Shards, Misfire: true, MonitorExecution: true,
			ItemParameters: "0=eu,1=us,2=asia,3=latam", Props: map[string]string{"db.password": "s3cret-Canary-9"},
		}
		j.Config = cfg
	}
	unsettle(&jobs[1])
	sampled.once.Do(func() { sampled.make(jobs) })
	for i := range jobs {
		j := &jobs[i]
		j.Requested = j.Name == "invoices"
		if j.Config != nil {
			j.RawConfig = bytes.Clone(sampled.configs[j.Name])
		}
	}
}

// unsettle makes a job with shards in several states.
func unsettle(settle *statistics.JobDetail) {
	settle.ReshardingNeeded, settle.UnassignedShards = true, 1
	settle.Shards[7] = statistics.Shard{Item: 7, Parameter: "latam", Instance: "10.2.0.17@-@88", IP: "10.2.0.17", Status: statistics.ShardShardingFlag,
		Reason: "/sharding/7/instance names 10.2.0.17@-@88, which is not in /instances", Failover: sampleInstances[1], Misfire: true}
	for _, k := range []int{0, 3} {
		settle.Shards[k].Status, settle.Shards[k].RunningOn, settle.Shards[k].RunningSince = statistics.ShardRunning, settle.Shards[k].Instance, Noon.Add(-time.Duration(k*40+12)*time.Second)
	}
	settle.Shards[5].Status, settle.Shards[5].Disabled = statistics.ShardDisabled, true
}

// sampleInstances serve the jobs; the first one leads.
var sampleInstances = []string{"10.2.0.14@-@2211", "10.2.0.15@-@918", "10.2.0.16@-@40551"}

// populate gives a job its instances, servers and shards.
func populate(j *statistics.JobDetail) {
	if j.Job.Instances > 0 {
		j.Leader = sampleInstances[0]
		for k, id := range sampleInstances[:min(j.Job.Instances, 3)] {
			j.Instances = append(j.Instances, statistics.Instance{ID: id, IP: jobtree.InstanceIP(id), Leader: k == 0, Since: Noon.Add(-time.Duration(k+3) * time.Hour), Enabled: j.Job.DisabledServers == 0, Agent: statistics.Agent{TakesRuns: true}})
		}
	}
	for k := range j.Job.Servers {
		ip := fmt.Sprintf("10.2.0.%d", 14+k)
		srv := statistics.JobServer{IP: ip, Enabled: k >= j.DisabledServers, Data: "ENABLED"}
		if !srv.Enabled {
			srv.Data = "DISABLED"
		}
		for _, inst := range j.Instances {
			if inst.IP == ip {
				srv.Instances = append(srv.Instances, inst.ID)
			}
		}
		j.Servers = append(j.Servers, srv)
	}
	for k := range j.Job.Shards {
		sh := statistics.Shard{Item: k, Parameter: []string{"eu", "us", "asia", "latam"}[k%4], Status: statistics.ShardPending}
		if len(j.Instances) > 0 {
			sh.Instance = j.Instances[k%len(j.Instances)].ID
		} else {
			sh.Instance, sh.Status, sh.Reason = "10.2.0.15@-@17", statistics.ShardShardingFlag, "/sharding/0/instance names 10.2.0.15@-@17, which is not in /instances"
		}
		sh.IP = jobtree.InstanceIP(sh.Instance)
		j.Shards = append(j.Shards, sh)
	}
}

// sampled is what of the sample takes long to make: hundreds of tests have one each.
var sampled sampleParts

type sampleParts struct {
	once    sync.Once
	configs map[string][]byte
	runs    []tracing.Execution
}

func (p *sampleParts) make(jobs []statistics.JobDetail) {
	p.configs = make(map[string][]byte, len(jobs))
	for _, j := range jobs {
		if j.Config == nil {
			continue
		}
		text, err := j.Config.Encode()
		if err != nil {
			panic(fmt.Sprintf("the sample's job %s: %v", j.Name, err))
		}
		p.configs[j.Name] = text
	}
	p.runs = sampleRuns(jobs)
}

func sampleRuns(jobs []statistics.JobDetail) []tracing.Execution {
	rng := rand.New(rand.NewPCG(1, 2))
	var runs []tracing.Execution
	for n, j := range jobs {
		if j.Job.Shards == 0 || n == 5 {
			continue
		}
		for k := range 18 {
			start := Noon.Add(-time.Duration(k*5+n%3+1) * time.Minute)
			for _, sh := range j.Shards {
				e := tracing.Execution{
					ID: fmt.Sprintf("%d-%d-%d", n, k, sh.Item), JobName: j.Name, Item: sh.Item, IP: sh.IP, Hostname: "worker-" + sh.IP[len(sh.IP)-2:],
					TaskID: jobtree.TaskID(j.Name, []int{sh.Item}, sh.Instance, ""), Source: tracing.SourceNormal,
					StartTime: start.Add(time.Duration(rng.IntN(40)) * time.Millisecond), Success: true,
				}
				e.CompleteTime = e.StartTime.Add(time.Duration(200+rng.IntN(900)) * time.Millisecond)
				switch {
				case k == 0 && n == 1 && sh.Item%3 == 0:
					e.CompleteTime, e.Success = time.Time{}, false
				case (n*7+k*3+sh.Item)%23 == 5:
					e.Success = false
					e.FailureCause = "dial tcp 10.9.1.2:3306: i/o timeout\n" + strings.Repeat("\tat com.example.billing.InvoiceJob.execute(InvoiceJob.java:71)\n", 6)
				case (n+k)%11 == 4:
					e.Source = tracing.SourceMisfire
				}
				runs = append(runs, e)
			}
		}
	}
	slices.SortStableFunc(runs, func(a, b tracing.Execution) int { return b.StartTime.Compare(a.StartTime) })
	return runs
}
