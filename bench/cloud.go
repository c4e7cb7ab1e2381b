package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
)

const (
	cloudNamespace = "jobs"
	cloudPeriod    = 2 * time.Second
	cloudFires     = 60     // of one job
	cloudBeside    = 200    // jobs, and CronJobs, of one minute
	cloudSome      = 1000   // jobs of one second
	cloudMany      = 10_000 // jobs that the scheduler knows
	cloudCrashes   = 3
	// cloudAhead is how long before their fire time jobs are made.
	cloudAhead = 40 * time.Second
	// cloudSettles is how long after a crash all fire times must have their runs.
	cloudSettles = time.Minute
)

// cloudParts are measured one after the other: those last that leave work to the
// controllers of the cluster.
var cloudParts = []struct {
	name    string
	measure func(ctx context.Context, s *cloudScene) ([]figure, error)
}{
	{"fire", cloudOneJob},
	{"cronjob", cloudBesideCronJobs},
	{"crash", cloudCrash},
	{"many", cloudManyJobs},
	{"burst", cloudBurst},
	{"crowd", cloudCrowd},
}

func cloudPartNames() (names []string) {
	for _, p := range cloudParts {
		names = append(names, p.name)
	}
	return names
}

// onCluster measures the scheduler of ElasticJob-Cloud on Kubernetes: on a real control
// plane, whose nodes are played.
func onCluster(ctx context.Context, b *bench, _ kind) (figures []figure, err error) {
	ctx, cancel := context.WithTimeout(ctx, 90*time.Minute) // The programs may have to be built.
	defer cancel()
	s := &cloudScene{bench: b, seen: make(map[kubetest.Kind][]kubetest.Seen)}
	defer func() { err = errors.Join(err, s.end()) }()
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	for _, part := range cloudParts {
		if !b.wants("cloud", part.name) {
			continue
		}
		list, err := part.measure(ctx, s)
		figures = append(figures, list...)
		if err != nil {
			return figures, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return figures, nil
}

// cloudScene is a control plane with played nodes, and consoles that schedule on it.
type cloudScene struct {
	bench    *bench
	cluster  *kubetest.Cluster
	registry *registry
	dir      string
	config   string // the kubeconfig of the scheduler
	consoles []*cloudConsole

	mu   sync.Mutex
	seen map[kubetest.Kind][]kubetest.Seen
}

// cloudConsole is a console that schedules, or stands by.
type cloudConsole struct {
	*child
	visitor *visitor
}

func (s *cloudScene) begin(ctx context.Context) (err error) {
	if s.dir, err = os.MkdirTemp("", "bench-cloud-"); err != nil {
		return err
	}
	if s.registry, err = startRegistry(); err != nil {
		return err
	}
	tell := func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
	if s.cluster, err = kubetest.Start(ctx, s.dir, tell); err != nil {
		return err
	}
	if err := s.cluster.Namespace(ctx, cloudNamespace); err != nil {
		return err
	}
	if err := s.cluster.Install(ctx, nil); err != nil {
		return err
	}
	if s.config, err = s.cluster.Kubeconfig(cloudNamespace); err != nil {
		return err
	}
	app := kubetest.Object("ElasticJobApp", "bench", map[string]any{
		"appName": "bench", "image": "registry.example/bench:1", "cpuCount": 0.001, "memoryMB": 1.0,
		"env": map[string]any{"PLAY": kubetest.PlayWell},
	})
	if err := s.cluster.Create(ctx, kubetest.ElasticJobApps, cloudNamespace, app); err != nil {
		return err
	}
	for _, kind := range []kubetest.Kind{kubetest.Jobs, kubetest.Pods} {
		err := s.cluster.Watch(ctx, kind, cloudNamespace, func(o kubetest.Seen) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.seen[kind] = append(s.seen[kind], o)
		})
		if err != nil {
			return err
		}
	}
	if err := s.addConsole(ctx); err != nil {
		return err
	}
	_, err = s.leader(ctx)
	return err
}

func (s *cloudScene) end() (err error) {
	for _, c := range s.consoles {
		err = errors.Join(err, c.end())
	}
	if s.cluster != nil {
		s.cluster.Close()
	}
	if s.registry != nil {
		err = errors.Join(err, s.registry.end())
	}
	return errors.Join(err, os.RemoveAll(s.dir))
}

// addConsole starts one more console and waits until it answers.
func (s *cloudScene) addConsole(ctx context.Context) error {
	c, err := launch(ctx, s.bench.console, "serve", "--zookeeper="+s.registry.Addr(), "--namespace=bench", "--cloud=kubernetes", "--cloud-kubeconfig="+s.config)
	if err != nil {
		return err
	}
	console := &cloudConsole{child: c}
	s.consoles = append(s.consoles, console)
	if err := c.page(ctx); err != nil {
		return err
	}
	console.visitor, err = c.signIn(ctx)
	return err
}

// cloudState is what a console says of its scheduler.
type cloudState struct {
	Leader, Synced bool
	Jobs           int
}

func (c *cloudConsole) state(ctx context.Context) (state cloudState, err error) {
	text, _, err := c.visitor.get(ctx, "/api/cloud")
	if err != nil {
		return state, err
	}
	return state, json.Unmarshal([]byte(text), &state)
}

// leader waits for the console that schedules.
func (s *cloudScene) leader(ctx context.Context) (*cloudConsole, error) {
	ctx, cancel := context.WithTimeout(ctx, managedWithin)
	defer cancel()
	for {
		for _, c := range s.consoles {
			if state, err := c.state(ctx); err != nil || state.Leader && state.Synced {
				return c, err
			}
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return nil, fmt.Errorf("no console schedules: %w", err)
		}
	}
}

// stop ends a console as SIGTERM does.
func (s *cloudScene) stop(c *cloudConsole) error {
	s.leaveOut(c)
	return c.end()
}

func (s *cloudScene) leaveOut(c *cloudConsole) {
	s.consoles = slices.DeleteFunc(s.consoles, func(other *cloudConsole) bool { return other == c })
}

// crash ends a console as kill -9 does.
func (s *cloudScene) crash(c *cloudConsole) error {
	s.leaveOut(c)
	if err := c.cmd.Process.Kill(); err != nil {
		return err
	}
	_ = c.cmd.Wait() // It was killed.
	return os.RemoveAll(c.data)
}

// createJobs makes resources of jobs; props are of all of them.
func (s *cloudScene) createJobs(ctx context.Context, prefix string, count int, cron string, props map[string]any) error {
	var objects []map[string]any
	for n := range count {
		name := fmt.Sprintf("%s-%05d", prefix, n)
		objects = append(objects, kubetest.Object("ElasticJob", name, map[string]any{
			"jobName": name, "appName": "bench", "jobExecutionType": "TRANSIENT", "cron": cron, "shardingTotalCount": int64(1),
			"cpuCount": 0.001, "memoryMB": 1.0, "misfire": true, "props": props,
		}))
	}
	return s.cluster.Create(ctx, kubetest.ElasticJobs, cloudNamespace, objects...)
}

// made lists the objects of jobs, or of CronJobs, whose names begin alike.
func (s *cloudScene) made(kind kubetest.Kind, prefix string) []kubetest.Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []kubetest.Seen
	for _, o := range s.seen[kind] {
		if strings.HasPrefix(o.Name, prefix+"-") {
			list = append(list, o)
		}
	}
	return list
}

// awaitMade waits until so many objects were made.
func (s *cloudScene) awaitMade(ctx context.Context, kind kubetest.Kind, prefix string, count int, limit time.Duration) ([]kubetest.Seen, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		list := s.made(kind, prefix)
		if len(list) >= count {
			return list, nil
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return nil, fmt.Errorf("%d of %d %s of %s were made within %v: %w", len(list), count, kind.Resource, prefix, limit, err)
		}
	}
}

// lateness is how long after their fire times objects were made, in milliseconds.
func lateness(list []kubetest.Seen) (late []float64) {
	for _, o := range list {
		late = append(late, millis(o.At.Sub(o.Fire)))
	}
	return late
}

// forget removes jobs and what was made of them.
func (s *cloudScene) forget(ctx context.Context) error {
	for _, kind := range []kubetest.Kind{kubetest.ElasticJobs, kubetest.CronJobs, kubetest.Jobs, kubetest.Pods} {
		if err := s.cluster.DeleteAll(ctx, kind, cloudNamespace); err != nil {
			return err
		}
	}
	return nil
}
