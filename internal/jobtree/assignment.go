package jobtree

import "strings"

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
