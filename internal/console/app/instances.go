package app

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

const (
	// membersPause is how long changes are gathered before jobs are looked at.
	membersPause = 100 * time.Millisecond
	// membersSweep is the pause between two looks at all jobs: what changed of a job
	// that nobody has read since is not announced.
	membersSweep = 10 * time.Second
	// membersTimeout bounds one look.
	membersTimeout = 30 * time.Second
)

// changedJobs gathers which jobs changed.
type changedJobs struct {
	wake chan struct{}

	mu   sync.Mutex
	jobs map[string]bool
	all  bool
}

func (c *changedJobs) note(n statistics.News) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n.Job == "" {
		c.all = true
	} else {
		c.jobs[n.Job] = true
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *changedJobs) take() (jobs map[string]bool, all bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	jobs, all = c.jobs, c.all
	c.jobs, c.all = make(map[string]bool), false
	return jobs, all
}

// KeepInstances remembers which instances come and leave in the registry of the
// command line, and who takes their shards, until the context ends.
func (s *Console) KeepInstances(ctx context.Context) {
	if s.opts.Instances == nil {
		return
	}
	changed := &changedJobs{wake: make(chan struct{}, 1), jobs: make(map[string]bool), all: true}
	if s.opts.Changes != nil {
		defer s.opts.Changes(changed.note)()
	}
	sweep := time.NewTicker(membersSweep)
	defer sweep.Stop()
	gather := time.NewTimer(0)
	defer gather.Stop()
	var looked time.Time
	for blind := false; ; {
		select {
		case <-gather.C:
		case <-ctx.Done():
			return
		}
		jobs, all := changed.take()
		limited, cancel := context.WithTimeout(ctx, membersTimeout)
		err := s.seeInstances(limited, jobs, all)
		cancel()
		switch {
		case err == nil && blind:
			s.members.Restart(s.Now())
		case err != nil && !blind && ctx.Err() == nil:
			s.members.Blind(looked, errors.Is(err, statistics.ErrUnavailable))
		}
		if err == nil {
			looked = s.Now()
		}
		if blind = err != nil; blind {
			changed.note(statistics.News{}) // all of them, as soon as they can be read
		}
		select {
		case <-changed.wake:
			gather.Reset(membersPause)
			if blind {
				gather.Reset(time.Second)
			}
		case <-sweep.C:
			changed.note(statistics.News{})
			gather.Reset(0)
		case <-ctx.Done():
			return
		}
	}
}

// Instances reads which instances a job has; see [statistics.Reader].
type Instances interface {
	InstanceIDs(ctx context.Context, job string) ([]string, error)
	AgentIDs(ctx context.Context, job string) ([]string, error)
	StoppedIDs(ctx context.Context, job string) ([]string, error)
}

// seen reads which instances a job has now, and which have stopped if some have left.
func (s *Console) seen(ctx context.Context, job string) (seen members.Seen, err error) {
	if seen.Live, err = s.opts.Instances.InstanceIDs(ctx, job); err == nil {
		seen.Agents, err = s.opts.Instances.AgentIDs(ctx, job)
	}
	if err == nil && s.members.Gone(job, seen.Live) {
		seen.Stopped, err = s.opts.Instances.StoppedIDs(ctx, job)
	}
	return seen, err
}

// seeInstances looks at the instances of some jobs or of all.
func (s *Console) seeInstances(ctx context.Context, jobs map[string]bool, all bool) error {
	if all {
		list, err := s.opts.Jobs.Jobs(ctx)
		if err != nil {
			return err
		}
		names := make([]string, 0, len(list))
		for _, j := range list {
			names = append(names, j.Name)
			if j.Status != statistics.StatusReading {
				jobs[j.Name] = true
			}
		}
		s.members.Keep(names)
	}
	for job := range jobs {
		seen, err := s.seen(ctx, job)
		if err != nil {
			return err
		}
		if !s.members.See(job, seen, s.Now()) && !s.members.Follows(job) {
			continue
		}
		detail, err := s.opts.Jobs.Job(ctx, job)
		if errors.Is(err, statistics.ErrJobNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		s.members.Look(detail, s.Now())
		s.board.reread(job)
		s.membersChanged.Tell(job)
	}
	return nil
}

// withLosses returns an explanation with the instances that were lost.
func withLosses(why *statistics.Explanation, losses []members.Loss) *statistics.Explanation {
	with := *why
	with.Findings = slices.Clone(why.Findings)
	for _, lost := range losses {
		f := statistics.Finding{
			Code: statistics.CodeInstanceLost, Effect: statistics.EffectNothing, Instance: lost.Instance, Server: lost.IP(), Items: lost.Lost,
			Node: explain.SeenNode, Value: string(lost.Exit), Since: lost.At, Advice: i18n.English.ExplainFixInstanceLost(),
		}
		f.Sentence = health.Lost(i18n.English, f)
		with.Findings = append(with.Findings, f)
	}
	slices.SortStableFunc(with.Findings, statistics.Finding.Compare)
	return &with
}

// Lost are the instances that were lost, the newest first; see [members.Loss].
func (s *Console) Lost(c *gin.Context) []members.LostInstance {
	if log := s.Members(c); log != nil {
		return members.ByInstance(log.Losses(""), log.Departed)
	}
	return nil
}

// MaxAcknowledged is how many instances can be acknowledged at once.
const MaxAcknowledged = 1000

// AcknowledgeLosses removes instances from the lost ones, and returns those it removed.
func (s *Console) AcknowledgeLosses(c *gin.Context, instances []string) []string {
	had := []string{}
	if log := s.Members(c); log != nil {
		had = append(had, log.Acknowledge(instances)...)
	}
	s.Note(c, slog.String("order", "acknowledge"), slog.String("target", view.Enumerate(had, 20)), slog.Int("affected", len(had)))
	return had
}

// Members is what is known of the instances of the registry that a request is about;
// nil if the console doesn't know.
func (s *Console) Members(c *gin.Context) *members.Log {
	if s.opts.Instances == nil || s.RegistryOf(c).name != DefaultRegistry {
		return nil
	}
	return &s.members
}
