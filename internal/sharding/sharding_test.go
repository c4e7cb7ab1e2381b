package sharding

import (
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// hosts is the ascending input of ElasticJob's own unit tests.
var hosts = []string{"h0", "h1", "h2"}

// sampleIDs are the four real ids of the worked example, descending.
var sampleIDs = []string{"10.0.0.2@-@99", "10.0.0.2@-@1234", "10.0.0.1@-@100", "10.0.0.10@-@7"}

func mustByName(t *testing.T, name string) Strategy {
	t.Helper()
	s, err := ByName(name)
	if err != nil {
		t.Fatalf("ByName(%q): %v", name, err)
	}
	return s
}

func TestK19AverageMatchesJavaTable(t *testing.T) {
	t.Parallel()
	tests := []struct {
		instances []string
		total     int
		want      map[string][]int
	}{
		{nil, 3, map[string][]int{}},
		{hosts[:1], 3, map[string][]int{"h0": {0, 1, 2}}},
		{hosts, 2, map[string][]int{"h0": {0}, "h1": {1}, "h2": {}}},
		{hosts, 4, map[string][]int{"h0": {0, 3}, "h1": {1}, "h2": {2}}},
		{hosts, 8, map[string][]int{"h0": {0, 1, 6}, "h1": {2, 3, 7}, "h2": {4, 5}}},
		{hosts, 9, map[string][]int{"h0": {0, 1, 2}, "h1": {3, 4, 5}, "h2": {6, 7, 8}}},
		{hosts, 10, map[string][]int{"h0": {0, 1, 2, 9}, "h1": {3, 4, 5}, "h2": {6, 7, 8}}},
		{hosts, 11, map[string][]int{"h0": {0, 1, 2, 9}, "h1": {3, 4, 5, 10}, "h2": {6, 7, 8}}},
		{hosts, 0, map[string][]int{"h0": {}, "h1": {}, "h2": {}}},
		{hosts, -1, map[string][]int{"h0": {}, "h1": {}, "h2": {}}},
	}
	for _, tt := range tests {
		got := mustByName(t, NameAverage).Assign(tt.instances, "any", tt.total)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%d instances, %d shards (-want +got):\n%s", len(tt.instances), tt.total, diff)
		}
	}
}

// K20: with real ids, the highest one is served first.
func TestK20HighestInstanceIsServedFirst(t *testing.T) {
	t.Parallel()
	ids := []string{"10.0.0.1@-@a", "10.0.0.2@-@b"}
	SortInstances(ids)
	want := map[string][]int{"10.0.0.2@-@b": {0, 2}, "10.0.0.1@-@a": {1}}
	if diff := cmp.Diff(want, mustByName(t, "").Assign(ids, "job", 3)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStrategiesOnAscendingHosts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		strategy, job string
		want          map[string][]int
	}{
		{NameOdevity, "1", map[string][]int{"h0": {0}, "h1": {1}, "h2": {}}},
		{NameOdevity, "0", map[string][]int{"h2": {0}, "h1": {1}, "h0": {}}},
		{NameRoundRobin, "1", map[string][]int{"h1": {0}, "h2": {1}, "h0": {}}},
		{NameRoundRobin, "2", map[string][]int{"h2": {0}, "h0": {1}, "h1": {}}},
		{NameRoundRobin, "3", map[string][]int{"h0": {0}, "h1": {1}, "h2": {}}},
	}
	for _, tt := range tests {
		got := mustByName(t, tt.strategy).Assign(hosts, tt.job, 2)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s, job %q (-want +got):\n%s", tt.strategy, tt.job, diff)
		}
	}
	if diff := cmp.Diff([]string{"h0", "h1", "h2"}, hosts); diff != "" {
		t.Errorf("a strategy changed its argument (-want +got):\n%s", diff)
	}
}

// K21: four real ids, ten shards, all strategies that don't depend on the time.
func TestK21FourInstancesTenItems(t *testing.T) {
	t.Parallel()
	ids := slices.Clone(sampleIDs)
	rand.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	SortInstances(ids)
	if diff := cmp.Diff(sampleIDs, ids); diff != "" {
		t.Fatalf("order (-want +got):\n%s", diff)
	}
	tests := []struct {
		strategy, job string
		order         []int // indexes into sampleIDs, in serving order
	}{
		{NameAverage, "test_job", []int{0, 1, 2, 3}},
		{NameOdevity, "test_job", []int{3, 2, 1, 0}},
		{NameOdevity, "javaSimpleJob", []int{0, 1, 2, 3}},
		{NameRoundRobin, "test_job", []int{0, 1, 2, 3}},
		{NameRoundRobin, "1", []int{1, 2, 3, 0}},
		{NameRoundRobin, "2", []int{2, 3, 0, 1}},
		{NameRoundRobin, "javaSimpleJob", []int{3, 0, 1, 2}},
	}
	shares := [][]int{{0, 1, 8}, {2, 3, 9}, {4, 5}, {6, 7}}
	for _, tt := range tests {
		want := map[string][]int{}
		for position, index := range tt.order {
			want[sampleIDs[index]] = shares[position]
		}
		got := mustByName(t, tt.strategy).Assign(ids, tt.job, 10)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, job %q (-want +got):\n%s", tt.strategy, tt.job, diff)
		}
	}
}

// K22: the reference hashes.
func TestK22JavaHash(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text       string
		want       int32
		mod3, mod4 int
	}{
		{"", 0, 0, 0},
		{"0", 48, 0, 0},
		{"1", 49, 1, 1},
		{"test_job", -1146456432, 0, 0},
		{"javaSimpleJob", -694093655, 2, 3},
		{"javaDataflowJob", 517610819, 2, 3},
		{"scriptJob", 249928434, 0, 2},
		{"myJob", 104343153, 0, 1},
		{"polygenelubricants", math.MinInt32, 2, 0}, // Java has -2 here
		{"测试", 903146, 2, 2},
		{"订单任务", 1086058041, 0, 1},
		{"\U0001F600job", 1276931962, 1, 2},
	}
	for _, tt := range tests {
		got := JavaHash(tt.text)
		if got != tt.want {
			t.Errorf("JavaHash(%q) = %d, want %d", tt.text, got, tt.want)
		}
		if mod := rotation(got, 3); mod != tt.mod3 {
			t.Errorf("rotation(%q, 3) = %d, want %d", tt.text, mod, tt.mod3)
		}
		if mod := rotation(got, 4); mod != tt.mod4 {
			t.Errorf("rotation(%q, 4) = %d, want %d", tt.text, mod, tt.mod4)
		}
	}
}

// K23: in the case in which Java throws, the result should still be a permutation.
func TestK23SmallestIntIsSafe(t *testing.T) {
	t.Parallel()
	strategies := []Strategy{
		RoundRobin{},
		// The hash is the smallest int, and so is its sum with a time of 2^32.
		SingleShardingBalance{Now: func() time.Time { return time.UnixMilli(1 << 32) }},
	}
	for _, strategy := range strategies {
		got := strategy.Assign(hosts, "polygenelubricants", 3)
		want := map[string][]int{"h2": {0}, "h0": {1}, "h1": {2}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%T (-want +got):\n%s", strategy, diff)
		}
	}
}

func TestSingleShardingBalanceRotatesWithTime(t *testing.T) {
	t.Parallel()
	for _, start := range []int64{0, 1<<31 - 2, 1<<32 - 2, 1795246125123} {
		seen := map[string]int{}
		for ms := start; ms < start+6; ms++ {
			s := SingleShardingBalance{Now: func() time.Time { return time.UnixMilli(ms) }}
			got := s.Assign(hosts, "myJob", 1)
			sum := int32(104343153) + int32(uint32(ms))
			want := hosts[int(math.Abs(float64(sum)))%3]
			if len(got[want]) != 1 {
				t.Errorf("at %d ms: %v, want the shard on %s", ms, got, want)
			}
			seen[want]++
		}
		if start == 1795246125123 && len(seen) != 3 {
			t.Errorf("six milliseconds served only %v", seen)
		}
	}
	if got := mustByName(t, NameSingleShardingBalance).Assign(hosts, "myJob", 1); len(got) != 3 {
		t.Errorf("default clock: %v", got)
	}
}

func TestByName(t *testing.T) {
	t.Parallel()
	for _, name := range append(Names(), "") {
		mustByName(t, name)
	}
	for _, name := range []string{"X", "avg_allocation", " ODEVITY"} {
		_, err := ByName(name)
		var unknown *UnknownStrategyError
		if !errors.As(err, &unknown) || unknown.Name != name {
			t.Fatalf("ByName(%q): error %v, want *UnknownStrategyError", name, err)
		}
		if want := "Cannot find sharding strategy using type '" + name + "'."; !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %q does not begin with %q", err, want)
		}
		for _, allowed := range Names() {
			if !strings.Contains(err.Error(), allowed) {
				t.Errorf("error %q does not name %s", err, allowed)
			}
		}
	}
}

func TestItemSlicesDoNotOverlap(t *testing.T) {
	t.Parallel()
	got := Average{}.Assign(hosts, "job", 9)
	_ = append(got["h0"], 99)
	if diff := cmp.Diff([]int{3, 4, 5}, got["h1"]); diff != "" {
		t.Errorf("appending to h0 changed h1 (-want +got):\n%s", diff)
	}
}

func TestEveryItemExactlyOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		instances := rapid.SliceOfNDistinct(rapid.String(), 0, 40, rapid.ID[string]).Draw(t, "instances")
		job := rapid.String().Draw(t, "job")
		total := rapid.IntRange(0, 300).Draw(t, "total")
		at := time.UnixMilli(rapid.Int64Range(0, 1<<43).Draw(t, "ms"))
		SortInstances(instances)
		before := slices.Clone(instances)
		for _, strategy := range []Strategy{
			Average{}, Odevity{}, RoundRobin{}, SingleShardingBalance{Now: func() time.Time { return at }},
		} {
			got := strategy.Assign(instances, job, total)
			if diff := cmp.Diff(before, instances); diff != "" {
				t.Fatalf("%T changed its argument:\n%s", strategy, diff)
			}
			if diff := cmp.Diff(got, strategy.Assign(instances, job, total)); diff != "" {
				t.Fatalf("%T is not deterministic:\n%s", strategy, diff)
			}
			if len(got) != len(instances) {
				t.Fatalf("%T: %d keys for %d instances", strategy, len(got), len(instances))
			}
			owners := make([]int, total)
			least, most := math.MaxInt, 0
			for _, id := range instances {
				items, ok := got[id]
				if !ok {
					t.Fatalf("%T: no key for %q", strategy, id)
				}
				if !slices.IsSorted(items) {
					t.Fatalf("%T: shards %v are not ascending", strategy, items)
				}
				for _, item := range items {
					owners[item]++
				}
				least, most = min(least, len(items)), max(most, len(items))
			}
			if len(instances) == 0 {
				continue
			}
			for item, n := range owners {
				if n != 1 {
					t.Fatalf("%T: shard %d has %d owners", strategy, item, n)
				}
			}
			if most-least > 1 {
				t.Fatalf("%T: between %d and %d shards", strategy, least, most)
			}
		}
	})
}

// Strings should be compared and hashed as Java's UTF-16 units.
func TestJavaTextProperties(t *testing.T) {
	t.Parallel()
	char := rapid.SampledFrom([]rune{'@', '0', '9', 'z', '测', 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF})
	text := rapid.StringOf(char)
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		unitsA, unitsB := utf16.Encode([]rune(a)), utf16.Encode([]rune(b))
		if got, want := sign(compareUTF16(a, b)), slices.Compare(unitsA, unitsB); got != want {
			t.Fatalf("compareUTF16(%q, %q) = %d, want %d", a, b, got, want)
		}
		var h int32
		for _, unit := range unitsA {
			h = 31*h + int32(unit)
		}
		if got := JavaHash(a); got != h {
			t.Fatalf("JavaHash(%q) = %d, want %d", a, got, h)
		}
	})
	// Texts with invalid UTF-8 should still have a fixed order.
	ids := []string{"a\xff", "a\xfe", "a"}
	SortInstances(ids)
	if diff := cmp.Diff([]string{"a\xff", "a\xfe", "a"}, ids); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

func BenchmarkAssign(b *testing.B) {
	instances := make([]string, 100)
	for i := range instances {
		instances[i] = "10.0.0.1@-@" + string(rune('a'+i))
	}
	SortInstances(instances)
	for b.Loop() {
		RoundRobin{}.Assign(instances, "test_job", 10000)
	}
}

// TestMS49ThousandOneShardJobs: both suitable strategies should spread a thousand jobs over three
// nodes, to within a fifth.
func TestMS49ThousandOneShardJobs(t *testing.T) {
	t.Parallel()
	now, random := time.UnixMilli(1795246125123), rand.New(rand.NewPCG(1, 2))
	for _, strategy := range []Strategy{
		RoundRobin{},
		// Jobs are sharded at different times, not all in one millisecond.
		SingleShardingBalance{Now: func() time.Time { return now.Add(time.Duration(random.IntN(5000)) * time.Millisecond) }},
	} {
		load := make(map[string]int)
		for i := range 1000 {
			for id, items := range strategy.Assign(sampleIDs[:3], "report-"+strconv.Itoa(i), 1) {
				load[id] += len(items)
			}
		}
		counts := slices.Collect(maps.Values(load))
		if float64(slices.Max(counts)) > 1.2*float64(slices.Min(counts)) {
			t.Errorf("%T: %v", strategy, load)
		}
	}
}
