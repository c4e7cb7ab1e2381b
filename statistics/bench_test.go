package statistics_test

import (
	"fmt"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// plantMany creates jobs with three instances and ten shards each.
func plantMany(tb testing.TB, b *treetest.Bundle, jobs int) {
	tb.Helper()
	b.Put(tb, "", "", zk.Persistent)
	for i := range jobs {
		name := fmt.Sprintf("job-%04d", i)
		job := b.NS.Job(name)
		add := func(p, data string) zk.Op { return zk.CreateOp(p, []byte(data), zk.Persistent) }
		ops := []zk.Op{
			add(job.Root(), "com.example.MyJob"), add(job.Config(), "cron: 0/5 * * * * ?\njobName: "+name+"\nshardingTotalCount: 10\n"),
			add(job.Servers(), ""), add(job.Instances(), ""), add(job.Sharding(), ""),
		}
		for k := range 3 {
			ip := fmt.Sprintf("10.0.0.%d", k)
			ops = append(ops, add(job.Server(ip), "ENABLED"), add(job.Instance(ip+"@-@1"), "jobInstanceId: "+ip+"@-@1\nserverIp: "+ip+"\n"))
		}
		for item := range 10 {
			ops = append(ops, add(job.Item(item), ""), add(job.ItemInstance(item), fmt.Sprintf("10.0.0.%d@-@1", item%3)))
		}
		if err := b.Client.Multi(tb.Context(), ops...); err != nil {
			tb.Fatal(err)
		}
	}
}

func BenchmarkThousandJobs(b *testing.B) {
	bundle := treetest.New(b, zktest.Fake(b).Addr)
	plantMany(b, bundle, 1000)
	reader := statistics.NewReader(bundle.Registry())
	b.Run("jobs", func(b *testing.B) {
		for b.Loop() {
			if jobs, err := reader.Jobs(b.Context()); err != nil || len(jobs) != 1000 {
				b.Fatalf("%d jobs, %v", len(jobs), err)
			}
		}
	})
	b.Run("servers", func(b *testing.B) {
		for b.Loop() {
			if servers, err := reader.Servers(b.Context()); err != nil || len(servers) != 3 {
				b.Fatalf("%d servers, %v", len(servers), err)
			}
		}
	})
	watching := statistics.NewWatchingReader(bundle.Registry())
	defer watching.Close()
	b.Run("jobs kept", func(b *testing.B) {
		for b.Loop() {
			if jobs, err := watching.Jobs(b.Context()); err != nil || len(jobs) != 1000 {
				b.Fatalf("%d jobs, %v", len(jobs), err)
			}
		}
	})
	b.Run("one", func(b *testing.B) {
		for b.Loop() {
			if _, err := reader.Job(b.Context(), "job-0500"); err != nil {
				b.Fatal(err)
			}
		}
	})
}
