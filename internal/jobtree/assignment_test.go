package jobtree

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestAssignmentTellsEveryOwner(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		shards := rapid.IntRange(1, 300).Draw(t, "shards")
		ids := make([]string, rapid.IntRange(1, 9).Draw(t, "instances"))
		for i := range ids {
			ids[i] = fmt.Sprintf("10.0.0.%d@-@%d", i, i)
		}
		owners := make([]string, shards)
		wanted := make(map[string][]int)
		for n := range owners {
			owners[n] = rapid.SampledFrom(ids).Draw(t, "owner")
			wanted[owners[n]] = append(wanted[owners[n]], n)
		}
		data := EncodeAssignment(ids, wanted)
		got, ok := DecodeAssignment(data, shards)
		if diff := cmp.Diff(owners, got); !ok || diff != "" {
			t.Fatalf("%q is read as %v (-want +got):\n%s", data, ok, diff)
		}
		if _, ok := DecodeAssignment(data, shards+1); ok {
			t.Fatalf("%q counts for one shard more", data)
		}
		if _, ok := DecodeAssignment(data, shards-1); ok {
			t.Fatalf("%q counts for one shard fewer", data)
		}
	})
}

func TestAssignmentRefusesNonsense(t *testing.T) {
	t.Parallel()
	for _, data := range []string{"", "a", "a 0-1\nb 1", "a 1-0", "a x", "a 0-", "a -1-1", "a 0,,1", " 0-1", "a 0-99999999999999999999"} {
		if owners, ok := DecodeAssignment([]byte(data), 2); ok {
			t.Errorf("%q is read as %q", data, owners)
		}
	}
}

// TestAssignmentOnTheWire: the format never changes.
func TestAssignmentOnTheWire(t *testing.T) {
	t.Parallel()
	ids := []string{"10.0.0.2@-@7", "10.0.0.1@-@7", "10.0.0.3@-@7"}
	data := EncodeAssignment(ids, map[string][]int{"10.0.0.1@-@7": {4, 0, 1, 2}, "10.0.0.2@-@7": {3}})
	if want := "10.0.0.2@-@7 3\n10.0.0.1@-@7 0-2,4\n10.0.0.3@-@7 \n"; string(data) != want {
		t.Errorf("%q, want %q", data, want)
	}
}
