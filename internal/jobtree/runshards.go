package jobtree

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// RunShards are shard numbers in ascending order, stored as ranges: "0-3,7".
type RunShards []int

func (s RunShards) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// String returns the ranges.
func (s RunShards) String() string {
	var b []byte
	for i := 0; i < len(s); {
		k := i
		for k+1 < len(s) && s[k+1] == s[k]+1 {
			k++
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(s[i]), 10)
		if k > i {
			b = strconv.AppendInt(append(b, '-'), int64(s[k]), 10)
		}
		i = k + 1
	}
	return string(b)
}

// UnmarshalText reads ranges, even unsorted ones. A job has at most 100,000 shards, so larger
// numbers are refused.
func (s *RunShards) UnmarshalText(text []byte) error {
	*s = nil
	for one := range strings.SplitSeq(string(text), ",") {
		if one == "" {
			continue
		}
		from, to, ok := parseRange(one)
		if !ok || to >= jobconfig.MaxShards || len(*s) > jobconfig.MaxShards {
			return fmt.Errorf("%q is not a shard or a range of shards", Shown(one))
		}
		for n := from; n <= to; n++ {
			*s = append(*s, n)
		}
	}
	slices.Sort(*s)
	*s = slices.Compact(*s)
	return nil
}

// parseRange reads one shard or a range of shards: "7" or "0-3".
func parseRange(text string) (from, to int, ok bool) {
	first, last, isRange := strings.Cut(text, "-")
	if !isRange {
		last = first
	}
	from, fromOK := ParseItem(first)
	to, toOK := ParseItem(last)
	return from, to, fromOK && toOK && from <= to
}

// Has reports whether s contains a shard.
func (s RunShards) Has(shard int) bool {
	_, found := slices.BinarySearch(s, shard)
	return found
}

// With returns s plus more shards. It doesn't change s.
func (s RunShards) With(more ...int) RunShards {
	all := append(slices.Clone(s), more...)
	slices.Sort(all)
	return slices.Compact(all)
}

// Without returns s minus some shards. It doesn't change s.
func (s RunShards) Without(some ...int) RunShards {
	return slices.DeleteFunc(slices.Clone(s), func(n int) bool { return slices.Contains(some, n) })
}

// Assignment is the node with the owners of all shards, for jobs with many shards. It's only valid
// if its transaction was the last to touch the resharding flags. Java agents don't know it.
func (j Job) Assignment() string { return j.path("/extension/dealt") }

// EncodeAssignment returns the data of [Job.Assignment]: a line per instance with its id and ranges
// of shards, such as "10.0.0.1@-@7 0-33,99". ids gives the order, wanted the shards of each
// instance.
func EncodeAssignment(ids []string, wanted map[string][]int) []byte {
	var b []byte
	for _, id := range ids {
		b = append(append(b, id...), ' ')
		b = append(append(b, RunShards(nil).With(wanted[id]...).String()...), '\n')
	}
	return b
}

// DecodeAssignment returns the owner of each shard. It's false unless every shard has exactly one
// owner.
func DecodeAssignment(data []byte, shards int) ([]string, bool) {
	owners := make([]string, shards)
	owned := 0
	for line := range strings.Lines(string(data)) {
		id, ranges, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !ok || id == "" {
			return nil, false
		}
		if ranges == "" {
			continue
		}
		for r := range strings.SplitSeq(ranges, ",") {
			from, to, ok := parseRange(r)
			if !ok || to >= shards {
				return nil, false
			}
			for n := from; n <= to; n++ {
				if owners[n] != "" {
					return nil, false
				}
				owners[n] = id
				owned++
			}
		}
	}
	return owners, owned == shards
}
