package usercode

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/sharding"
)

type assignFunc func(instances []string, total int) map[string][]int

func (f assignFunc) Assign(instances []string, _ string, total int) map[string][]int {
	return f(instances, total)
}

func asked(life context.Context, f assignFunc) named {
	return named{NewStrategies(life, map[string]sharding.Strategy{"OWN": f})}
}

type named struct{ *Strategies }

func (n named) Assign(instances []string, job string, total int) (map[string][]int, error) {
	return n.Strategies.Assign("OWN", instances, job, total)
}

// Invalid assignments are refused, and the error gives the reason.
func TestUserStrategiesAreChecked(t *testing.T) {
	t.Parallel()
	instances := []string{"b", "a"}
	for name, c := range map[string]struct {
		fn   assignFunc
		want string // "" if valid
	}{
		"fine":        {func([]string, int) map[string][]int { return map[string][]int{"a": {2, 0}, "b": {1}} }, ""},
		"all for one": {func([]string, int) map[string][]int { return map[string][]int{"a": {0, 1, 2}, "gone": nil} }, ""},
		"nothing":     {func([]string, int) map[string][]int { return nil }, "shard 0 has no owner"},
		"missing":     {func([]string, int) map[string][]int { return map[string][]int{"a": {0, 2}} }, "shard 1 has no owner"},
		"twice":       {func([]string, int) map[string][]int { return map[string][]int{"a": {0, 1}, "b": {1, 2}} }, "shard 1 was assigned to both a and b"},
		"stranger":    {func([]string, int) map[string][]int { return map[string][]int{"c": {0, 1, 2}} }, `given to "c", which is not one of b, a`},
		"too many":    {func([]string, int) map[string][]int { return map[string][]int{"a": {0, 1, 2, 3}} }, "a was given shard 3; the job has 0 to 2"},
		"negative":    {func([]string, int) map[string][]int { return map[string][]int{"a": {-1}} }, "shard -1"},
		"panic":       {func([]string, int) map[string][]int { panic("no map") }, "panic: no map"},
	} {
		s := asked(t.Context(), c.fn)
		wanted, err := s.Assign(instances, "job", 3)
		if c.want == "" && (err != nil || len(wanted["a"])+len(wanted["b"]) != 3) {
			t.Errorf("%s: %v, %v", name, wanted, err)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "sharding strategy OWN: ")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A strategy that writes to its result later changes nothing.
func TestW93AssignmentIsACopy(t *testing.T) {
	t.Parallel()
	result := map[string][]int{"a": {0, 1}}
	s := asked(t.Context(), func([]string, int) map[string][]int { return result })
	wanted, err := s.Assign([]string{"a"}, "job", 2)
	if err != nil {
		t.Fatal(err)
	}
	result["a"][0], result["b"] = 7, []int{8}
	if len(wanted) != 1 || wanted["a"][0] != 0 {
		t.Errorf("assigned %v", wanted)
	}
}

// A strategy that changes its argument doesn't harm the caller.
func TestUserStrategyCannotHarmItsCaller(t *testing.T) {
	t.Parallel()
	s := asked(t.Context(), func(instances []string, _ int) map[string][]int {
		clear(instances)
		return map[string][]int{"a": {0}}
	})
	instances := []string{"b", "a"}
	if wanted, err := s.Assign(instances, "job", 1); err != nil || !maps.EqualFunc(wanted, map[string][]int{"a": {0}}, func(x, y []int) bool { return len(x) == len(y) }) || instances[0] != "b" {
		t.Errorf("%v, %v, instances %q", wanted, err, instances)
	}
}

// A blocking strategy is abandoned, reported, and not called again while it blocks.
func TestMS44BlockingStrategy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var asks atomic.Int32
		s := asked(t.Context(), func([]string, int) map[string][]int {
			asks.Add(1)
			<-release
			return map[string][]int{"a": {0}}
		})
		if _, err := s.Assign([]string{"a"}, "job", 1); err == nil || !strings.Contains(err.Error(), "no answer within 10s") {
			t.Errorf("first call: %v", err)
		}
		if _, err := s.Assign([]string{"a"}, "job", 1); err == nil || !strings.Contains(err.Error(), "an earlier call has not returned") {
			t.Errorf("second call: %v", err)
		}
		if n := asks.Load(); n != 1 {
			t.Errorf("asked %d times", n)
		}
		close(release)
		synctest.Wait()
		if wanted, err := s.Assign([]string{"a"}, "job", 1); err != nil || len(wanted["a"]) != 1 {
			t.Errorf("after its return: %v, %v", wanted, err)
		}
	})
}

// A blocking strategy doesn't delay the job's stop.
func TestBlockingStrategyDoesNotDelayStop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		life, stop := context.WithCancelCause(t.Context())
		s := asked(life, func([]string, int) map[string][]int { <-release; return nil })
		errStopping := errors.New("the agent is stopping")
		time.AfterFunc(time.Second, func() { stop(errStopping) })
		start := time.Now()
		if _, err := s.Assign([]string{"a"}, "job", 1); !errors.Is(err, errStopping) || time.Since(start) != time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})
}
