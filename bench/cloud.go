package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
)

const (
	cloudNamespace = "jobs"
	cloudPeriod    = 2 * time.Second  // of the jobs that fire often
	cloudMany      = 10_000           // jobs for which the scheduler is made
	cloudAhead     = 40 * time.Second // from making jobs to their fire time
)

// cloudParts run one after the other. The last ones leave work for the cluster's controllers.
var cloudParts = []part[*cluster]{
	{"fire", (*cluster).oneJob}, {"cronjob", (*cluster).besideCronJobs}, {"crash", (*cluster).crashes},
	{"many", (*cluster).manyJobs}, {"burst", (*cluster).burst}, {"crowd", (*cluster).crowd},
}

// cluster is a real control plane with simulated nodes, and consoles that schedule on it.
type cluster struct {
	*scene
	*kubetest.Cluster
	config   string // the kubeconfig of the scheduler
	consoles []*console

	mu   sync.Mutex
	seen map[kubetest.Kind][]kubetest.Seen
}

// onCluster measures the scheduler of ElasticJob-Cloud on Kubernetes.
func onCluster(b *bench) {
	dir, remove := tempFolder()
	defer closing(remove)
	c := &cluster{scene: b.newScene(), seen: make(map[kubetest.Kind][]kubetest.Seen)}
	defer c.scene.end()
	c.Cluster = must(kubetest.Start(b, dir, func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }))
	defer c.Close()
	check(c.Namespace(b, cloudNamespace))
	check(c.Install(b, nil))
	c.config = must(c.Kubeconfig(cloudNamespace))
	check(c.Create(b, kubetest.ElasticJobApps, cloudNamespace, kubetest.Object("ElasticJobApp", "bench", map[string]any{
		"appName": "bench", "image": "registry.example/bench:1", "cpuCount": 0.001, "memoryMB": 1.0, "env": map[string]any{"PLAY": kubetest.PlayWell},
	})))
	for _, kind := range []kubetest.Kind{kubetest.Jobs, kubetest.Pods} {
		check(c.Watch(b, kind, cloudNamespace, func(o kubetest.Seen) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.seen[kind] = append(c.seen[kind], o)
		}))
	}
	defer func() {
		for _, running := range c.consoles {
			running.end(os.Interrupt)
		}
	}()
	c.addConsole()
	c.leader(0)
	measureParts(b, c, cloudParts)
}

func (c *cluster) addConsole() {
	added := c.launch("serve", "--zookeeper="+c.Addr(), "--namespace=bench", "--cloud=kubernetes", "--cloud-kubeconfig="+c.config)
	c.consoles = append(c.consoles, added)
	added.signIn()
}

// remove ends a console.
func (c *cluster) remove(ended *console, how os.Signal) {
	c.consoles = slices.DeleteFunc(c.consoles, func(other *console) bool { return other == ended })
	ended.end(how)
}

// leader waits for the console that schedules, and knows at least so many jobs.
func (c *cluster) leader(jobs int) (found *console) {
	c.poll("console that schedules", 3*tooLong, 100*time.Millisecond, func() bool {
		for _, one := range c.consoles {
			var state struct {
				Leader, Synced bool
				Jobs           int
			}
			a := one.ask("/api/cloud")
			if a.status != http.StatusOK {
				continue
			}
			check(json.Unmarshal([]byte(a.text), &state))
			if state.Leader && state.Synced && state.Jobs >= jobs {
				found = one
				return true
			}
		}
		return false
	})
	return found
}

// createJobs makes resources of jobs; props are of all of them.
func (c *cluster) createJobs(prefix string, count int, cron string, props map[string]any) {
	var objects []map[string]any
	for n := range count {
		name := fmt.Sprintf("%s-%05d", prefix, n)
		objects = append(objects, kubetest.Object("ElasticJob", name, map[string]any{
			"jobName": name, "appName": "bench", "jobExecutionType": "TRANSIENT", "cron": cron, "shardingTotalCount": int64(1),
			"cpuCount": 0.001, "memoryMB": 1.0, "misfire": true, "props": props,
		}))
	}
	check(c.Create(c, kubetest.ElasticJobs, cloudNamespace, objects...))
}

// created lists the objects whose names begin with the prefix.
func (c *cluster) created(kind kubetest.Kind, prefix string) (list []kubetest.Seen) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, o := range c.seen[kind] {
		if strings.HasPrefix(o.Name, prefix+"-") {
			list = append(list, o)
		}
	}
	return list
}

// awaitCreated waits until so many objects exist.
func (c *cluster) awaitCreated(kind kubetest.Kind, prefix string, count int, limit time.Duration) (list []kubetest.Seen) {
	what := fmt.Sprintf("%d %s of %s", count, kind.Resource, prefix)
	if err := attempt(func() {
		c.poll(what, limit, 100*time.Millisecond, func() bool {
			list = c.created(kind, prefix)
			return len(list) >= count
		})
	}); err != nil {
		fail("%w: there are %d", err, len(list))
	}
	return list
}

// afterFire returns how many milliseconds after their fire times objects were stored.
func afterFire(list []kubetest.Seen) (late []float64) {
	for _, o := range list {
		late = append(late, millis(o.At.Sub(o.Fire)))
	}
	return late
}

// forget removes jobs and the objects that were made for them.
func (c *cluster) forget() {
	for _, kind := range []kubetest.Kind{kubetest.ElasticJobs, kubetest.CronJobs, kubetest.Jobs, kubetest.Pods} {
		check(c.DeleteAll(c, kind, cloudNamespace))
	}
}

// often is the schedule of a job that fires every cloudPeriod. Each fire time runs, also while
// the pods of the one before work.
const often = "0/2 * * * * ?"

var overlapping = map[string]any{"cloud.overlap": "allow"}

// oneJob measures how soon after a fire time its Job and its pod are stored, when nothing else
// happens.
func (c *cluster) oneJob() {
	const warm, fires = 3, 60
	c.createJobs("one", 1, often, overlapping)
	limit := (fires + warm + 10) * cloudPeriod
	jobs := afterFire(c.awaitCreated(kubetest.Jobs, "one", fires+warm, limit)[warm:])
	pods := afterFire(c.awaitCreated(kubetest.Pods, "one", fires+warm, limit)[warm:])
	how := fmt.Sprintf("a job that fires every %v, %d fires, as a watch of the API server learns of it; ", cloudPeriod, fires)
	c.percentiles("cloud-job", 25, 100, how+"from the fire time to the Job", jobs)
	c.percentiles("cloud-pod", 60, 300, how+"from the fire time to the pod that the Job controller makes", pods)
	c.forget()
}

// besideCronJobs has jobs of ours and CronJobs of the same minute on one cluster.
func (c *cluster) besideCronJobs() {
	const jobs = 200
	at := time.Now().Add(cloudAhead).Truncate(time.Minute).Add(time.Minute).UTC()
	c.createJobs("ours", jobs, fmt.Sprintf("0 %d %d * * ?", at.Minute(), at.Hour()), nil)
	var crons []map[string]any
	for n := range jobs {
		container := map[string]any{"name": "main", "image": "registry.example/bench:1", "env": []any{map[string]any{"name": "PLAY", "value": kubetest.PlayWell}}}
		pod := map[string]any{"spec": map[string]any{"restartPolicy": "Never", "containers": []any{container}}}
		crons = append(crons, map[string]any{
			"apiVersion": "batch/v1", "kind": "CronJob", "metadata": map[string]any{"name": fmt.Sprintf("cron-%05d", n)},
			"spec": map[string]any{"schedule": fmt.Sprintf("%d %d * * *", at.Minute(), at.Hour()), "jobTemplate": map[string]any{"spec": map[string]any{"template": pod}}},
		})
	}
	check(c.Create(c, kubetest.CronJobs, cloudNamespace, crons...))
	limit := time.Until(at) + 2*time.Minute
	ours := afterFire(c.awaitCreated(kubetest.Jobs, "ours", jobs, limit))
	cronJobs := c.awaitCreated(kubetest.Jobs, "cron", jobs, limit)
	for i := range cronJobs {
		cronJobs[i].Fire = at
	}
	theirs := afterFire(cronJobs)
	how := fmt.Sprintf("%d jobs of ours and %d CronJobs fire at the same minute of the same cluster; ", jobs, jobs)
	c.atMost("cloud-minute-p50", "ms", percentile(theirs, 50), how+"the limit is the time of CronJobs", percentile(ours, 50))
	c.atMost("cloud-minute-last", "ms", percentile(theirs, 100), how+"until the last Job is stored", percentile(ours, 100))
	c.note("cronjob-minute-p50", "ms", "the CronJob controller of the cluster", percentile(theirs, 50))
	c.note("cronjob-minute-last", "ms", "the same", percentile(theirs, 100))
	c.forget()
}

// crashes kills the console that schedules and waits for the next one. No fire time may be
// without its Job.
func (c *cluster) crashes() {
	const crashes = 3
	c.createJobs("crash", 1, often, overlapping)
	first := c.awaitCreated(kubetest.Jobs, "crash", 1, tooLong)[0].Fire
	var seconds []float64
	for range crashes {
		c.addConsole()
		leader := c.leader(0)
		c.awaitCreated(kubetest.Jobs, "crash", len(c.created(kubetest.Jobs, "crash"))+1, tooLong)
		died, before := time.Now(), len(c.created(kubetest.Jobs, "crash"))
		c.remove(leader, os.Kill)
		next := c.awaitCreated(kubetest.Jobs, "crash", before+1, tooLong)
		seconds = append(seconds, next[before].At.Sub(died).Seconds())
	}
	last := time.Now().Truncate(cloudPeriod)
	c.pauseUntil(last.Add(time.Minute)) // Until then all fire times must have their runs.
	missing, doubled := countFires(c.created(kubetest.Jobs, "crash"), first, last)
	c.worst("cloud-crash-next", "s", 20, fmt.Sprintf("the console that schedules is killed %d times, another one is ready; until the next Job is stored", crashes), seconds...)
	c.atMost("cloud-crash-missing", "", 0, "fire times of that time without a Job, of a job with misfire", missing)
	c.atMost("cloud-crash-doubled", "", 0, "fire times with two Jobs", doubled)
	c.forget()
}

// countFires counts the fire times without an object, and with more than one.
func countFires(list []kubetest.Seen, from, to time.Time) (missing, doubled float64) {
	times := make(map[int64]int)
	for _, o := range list {
		times[o.Fire.Unix()]++
	}
	for at := from; !at.After(to); at = at.Add(cloudPeriod) {
		switch n := times[at.Unix()]; {
		case n == 0:
			missing++
		case n > 1:
			doubled++
		}
	}
	return missing, doubled
}

// manyJobs starts a scheduler that has to know many jobs that don't fire.
func (c *cluster) manyJobs() {
	c.createJobs("many", cloudMany, "0 0 0 1 1 ?", nil)
	c.remove(c.leader(cloudMany), os.Interrupt) // It gives the lease back, so the next one doesn't wait for it.
	began := time.Now()
	c.addConsole()
	leader := c.leader(cloudMany)
	cold := time.Since(began).Seconds()
	c.pause(idleFor)
	c.atMost("cloud-start", "s", 5, fmt.Sprintf("%d ElasticJobs that don't fire; from the start of `console serve` until it schedules all of them", cloudMany), cold)
	c.atMost("cloud-rss", "MB", 157, fmt.Sprintf("resident memory of that console, %v later", idleFor), leader.usage().resident/1e6)
	c.forget()
}

// burst has jobs fire at the same second.
func (c *cluster) burst() {
	const jobs = 1000
	late := c.atOnce("burst", jobs, cloudAhead)
	c.note("cloud-burst-p50", "ms", fmt.Sprintf("%d jobs fire at the same second, with the budget of 200 writes a second, 400 at once", jobs), percentile(late, 50))
	c.atMost("cloud-burst-last", "ms", 6000, "until the last Job is stored; the goal is 60 s for 10,000", percentile(late, 100))
	c.forget()
}

// crowd has as many jobs fire at the same second as the scheduler is made for (CL41). The leader
// must stay the same.
func (c *cluster) crowd() {
	before := c.leader(0)
	late := c.atOnce("crowd", cloudMany, 5*cloudAhead)
	if c.leader(0) != before {
		fail("another console leads after the burst")
	}
	c.atMost("cloud-crowd-last", "s", 60, fmt.Sprintf("%d jobs fire at the same second; until the last Job is stored, by one leader", cloudMany), percentile(late, 100)/1000)
	// It is the last part, so its objects can stay.
}

// atOnce makes jobs that fire at one second, and returns how late their Jobs were.
func (c *cluster) atOnce(prefix string, count int, ahead time.Duration) []float64 {
	at := time.Now().Add(ahead).Truncate(time.Second).UTC()
	c.createJobs(prefix, count, fmt.Sprintf("%d %d %d * * ?", at.Second(), at.Minute(), at.Hour()), nil)
	if now := time.Now(); now.After(at.Add(-2 * time.Second)) {
		fail("the %d jobs were made at %v, too late for their fire time %v: the machine does other work", count, now, at)
	}
	return afterFire(c.awaitCreated(kubetest.Jobs, prefix, count, ahead+10*time.Minute))
}
