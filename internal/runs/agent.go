package runs

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// AgentData describes an agent. The agent writes it once, when it registers, as the data of its
// node: "go runs=1 backfills=1 debug=all parallel=2". Readers skip unknown words, and agents of
// older versions don't write all of them.
type AgentData struct {
	// TakesRuns is false for agents from before requested runs.
	TakesRuns bool
	// Backfills is false for agents that can't request the runs of a backfill.
	Backfills bool
	// Debug is the work that the process doesn't begin on its own, with a hold's words; "" for
	// none.
	Debug jobrun.Held
	// MaxParallel bounds the concurrent handlers of the process; 0 means no limit.
	MaxParallel int
	// NoRecorder is set if the agent doesn't record runs.
	NoRecorder bool
	// Zone is the process's time zone, for jobs without one; "" if unknown.
	Zone string
	// Version is the version of our library in the program; "" if unknown.
	Version string
	// Started is the agent's start by its own clock, in milliseconds; zero if unknown.
	Started time.Time
	// Clock is the agent's clock when it created the node; zero if unknown. Compare it with the
	// node's creation time.
	Clock time.Time
}

// Encode returns the data of the node.
func (a AgentData) Encode() []byte {
	text := "go"
	word := func(is bool, key, value string) {
		if is && !strings.ContainsFunc(value, unicode.IsSpace) {
			text += " " + key + "=" + value
		}
	}
	word(a.TakesRuns, "runs", "1")
	word(a.Backfills, "backfills", "1")
	word(a.Debug != "", "debug", string(a.Debug))
	word(a.MaxParallel > 0, "parallel", strconv.Itoa(a.MaxParallel))
	word(a.NoRecorder, "recorder", "0")
	word(a.Zone != "", "zone", a.Zone)
	word(a.Version != "", "version", a.Version)
	word(!a.Started.IsZero(), "start", strconv.FormatInt(a.Started.UnixMilli(), 10))
	word(!a.Clock.IsZero(), "clock", strconv.FormatInt(a.Clock.UnixMilli(), 10))
	return []byte(text)
}

func ParseAgent(data []byte) (a AgentData) {
	for _, word := range strings.Fields(string(data)) {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "runs":
			a.TakesRuns = value == "1"
		case "backfills":
			a.Backfills = value == "1"
		case "debug":
			a.Debug = jobrun.Held(value)
		case "parallel":
			if n, err := strconv.Atoi(value); err == nil && n > 0 {
				a.MaxParallel = n
			}
		case "recorder":
			a.NoRecorder = value == "0"
		case "zone":
			a.Zone = jobtree.Shown(value)
		case "version":
			a.Version = jobtree.Shown(value)
		case "start":
			a.Started = jobtree.ParseMoment(value).UTC()
		case "clock":
			a.Clock = jobtree.ParseMoment(value).UTC()
		}
	}
	return a
}

// Capable lists the instances with an agent that accepts requested runs.
func (s Store) Capable(ctx context.Context) ([]string, error) {
	ids, err := s.Children(ctx, s.Tree.Agents())
	if err != nil {
		return nil, err
	}
	return gather(ctx, len(ids), func(ctx context.Context, i int) (string, bool, error) {
		data, _, err := s.get(ctx, s.Tree.Agent(ids[i]))
		return ids[i], ParseAgent(data).TakesRuns, err
	})
}

// JavaAgents returns the instances among ids that don't accept requested runs: Java agents, and our
// agents from before requested runs. One of our agents that restarts doesn't count.
func (s Store) JavaAgents(ctx context.Context, ids []string) ([]string, error) {
	capable, err := s.Capable(ctx)
	if err != nil {
		return nil, err
	}
	return s.javaAgents(ctx, ids, capable)
}

// javaAgents is JavaAgents with the result of Capable.
func (s Store) javaAgents(ctx context.Context, ids, capable []string) ([]string, error) {
	return gather(ctx, len(ids), func(ctx context.Context, i int) (id string, java bool, err error) {
		if !slices.Contains(capable, ids[i]) {
			java, err = s.takesNone(ctx, ids[i])
		}
		return ids[i], java, err
	})
}

// takesNone reports whether an instance is registered and its agent doesn't accept requested runs.
// An agent with runs has its node for as long as its instance. So we check the instance before and
// after, and an instance that registers or leaves in between doesn't count.
func (s Store) takesNone(ctx context.Context, id string) (bool, error) {
	before, here, err := s.Client.Exists(ctx, s.Tree.Instance(id))
	if err != nil || !here {
		return false, err
	}
	data, _, err := s.get(ctx, s.Tree.Agent(id))
	if err != nil || ParseAgent(data).TakesRuns {
		return false, err
	}
	after, here, err := s.Client.Exists(ctx, s.Tree.Instance(id))
	return here && after.Czxid == before.Czxid, err
}
