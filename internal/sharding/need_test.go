package sharding

import (
	"errors"
	"slices"
	"testing"
)

const one, two, three = "10.0.0.1@-@1", "10.0.0.2@-@1", "10.0.0.3@-@1"

func assigned(owners map[string][]int, err error) func() (map[string][]int, error) {
	return func() (map[string][]int, error) { return owners, err }
}

// reasons are assignments with the expected reasons.
var reasons = map[string]struct {
	change func(s *State)
	want   string
}{
	"nothing changed":       {func(*State) {}, ""},
	"no instance":           {func(s *State) { s.Instances, s.Existing = nil, 1 }, ""},
	"nothing was there":     {func(s *State) { s.Existing, s.Owners = 0, nil }, "the registry has 0 shards, the configuration has 3"},
	"more shards":           {func(s *State) { s.Existing = 1 }, "the registry has 1 shard, the configuration has 3"},
	"fewer shards":          {func(s *State) { s.Shards = 2 }, "the registry has 3 shards, the configuration has 2"},
	"static, more shards":   {func(s *State) { s.Static, s.Existing = true, 2 }, "the registry has 2 shards, the configuration has 3"},
	"no instance runs next": {func(s *State) { s.NextLeft = true }, "the instance that should run next has left or is disabled"},
	"static, next":          {func(s *State) { s.Static, s.NextLeft = true, true }, "the instance that should run next has left or is disabled"},
	"no owner":              {func(s *State) { s.Owners = []string{two, "", two} }, "shard 1 has no owner"},
	"an owner that left":    {func(s *State) { s.Owners = []string{two, one, three} }, "the owner of shard 2, " + three + ", has left or is disabled"},
	"static, an owner":      {func(s *State) { s.Static, s.Owners = true, []string{two, "", three} }, ""},
	"the same basis":        {func(s *State) { s.Basis = Topology(3, "", []string{two, one}) }, ""},
	"one came":              {func(s *State) { s.Basis = Topology(3, "", []string{one}) }, "instances, servers, the strategy or the number of shards changed"},
	"another strategy":      {func(s *State) { s.Basis, s.Strategy = Topology(3, "", []string{two, one}), NameOdevity }, "instances, servers, the strategy or the number of shards changed"},
	"static, one came":      {func(s *State) { s.Static, s.Basis = true, Topology(3, "", []string{one}) }, ""},
	"a term begins": {
		func(s *State) { s.Wanted = assigned(map[string][]int{two: {0, 2}, one: {1}}, nil) }, "",
	},
	"a term begins after a change": {
		func(s *State) { s.Wanted = assigned(map[string][]int{two: {0, 1}, one: {2}}, nil) },
		"the assignment differs from the strategy's result for the current instances",
	},
	"a term begins with a strategy that fails": {
		func(s *State) { s.Wanted = assigned(nil, errors.New("no answer")) },
		"the assignment differs from the strategy's result for the current instances",
	},
	"with a basis the assignment isn't compared": {
		func(s *State) {
			s.Basis, s.Wanted = Topology(3, "", []string{two, one}), func() (map[string][]int, error) { panic("asked") }
		}, "",
	},
	"more was read than is configured": {
		func(s *State) {
			s.Owners, s.Wanted = []string{two, one, two, one}, assigned(map[string][]int{two: {0, 2}, one: {1}}, nil)
		}, "",
	},
	"less was read than is configured": {
		func(s *State) {
			s.Owners, s.Wanted = []string{two, one}, assigned(map[string][]int{two: {0, 2}, one: {1}}, nil)
		}, "the assignment differs from the strategy's result for the current instances",
	},
	"a lottery, even": {
		func(s *State) {
			s.Strategy, s.Wanted = NameSingleShardingBalance, assigned(nil, errors.New("never asked"))
		}, "",
	},
	"a lottery, uneven": {
		func(s *State) {
			s.Strategy, s.Wanted, s.Owners = NameSingleShardingBalance, assigned(nil, nil), []string{two, two, two}
		}, "the assignment differs from the strategy's result for the current instances",
	},
}

// TestReason checks when shards should be assigned again, and the text of the reason.
func TestReason(t *testing.T) {
	t.Parallel()
	good := State{Shards: 3, Existing: 3, Owners: []string{two, one, two}, Instances: []string{two, one}}
	for name, test := range reasons {
		t.Run(name, func(t *testing.T) {
			s := good
			s.Owners, s.Instances = slices.Clone(s.Owners), slices.Clone(s.Instances)
			if test.change(&s); s.Reason() != test.want {
				t.Errorf("%q, want %q", s.Reason(), test.want)
			}
		})
	}
}

func TestOwners(t *testing.T) {
	t.Parallel()
	if got := Owners(map[string][]int{"a": {2, 0}, "b": {1}, "c": nil}, 4); !slices.Equal(got, []string{"a", "b", "a", ""}) {
		t.Errorf("%q", got)
	}
}
