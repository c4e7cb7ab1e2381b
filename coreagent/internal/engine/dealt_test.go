package engine

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestDealtRecordTellsEveryOwner(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.IntRange(1, 300).Draw(t, "items")
		ids := make([]string, rapid.IntRange(1, 9).Draw(t, "instances"))
		for i := range ids {
			ids[i] = fmt.Sprintf("10.0.0.%d@-@%d", i, i)
		}
		owners := make([]string, items)
		wanted := make(map[string][]int)
		for n := range owners {
			owners[n] = rapid.SampledFrom(ids).Draw(t, "owner")
			wanted[owners[n]] = append(wanted[owners[n]], n)
		}
		data := encodeDealt(ids, wanted)
		got, ok := decodeDealt(data, items)
		if diff := cmp.Diff(owners, got); !ok || diff != "" {
			t.Fatalf("%q is read as %v (-want +got):\n%s", data, ok, diff)
		}
		if _, ok := decodeDealt(data, items+1); ok {
			t.Fatalf("%q counts for one item more", data)
		}
		if _, ok := decodeDealt(data, items-1); ok {
			t.Fatalf("%q counts for one item fewer", data)
		}
	})
}

func TestDealtRecordRefusesNonsense(t *testing.T) {
	t.Parallel()
	for _, data := range []string{"", "a", "a 0-1\nb 1", "a 1-0", "a x", "a 0-", "a -1-1", "a 0,,1", " 0-1", "a 0-99999999999999999999"} {
		if owners, ok := decodeDealt([]byte(data), 2); ok {
			t.Errorf("%q is read as %q", data, owners)
		}
	}
}
