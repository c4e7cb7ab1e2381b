package engine

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/internal/zk"
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

// A group of operations is never split, and none is lost.
func TestChunksKeepGroups(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var groups [][]zk.Op
		total := 0
		for range rapid.IntRange(0, 60).Draw(t, "groups") {
			group := make([]zk.Op, rapid.IntRange(1, 3).Draw(t, "size"))
			for i := range group {
				group[i] = zk.SetOp(fmt.Sprint(total), make([]byte, rapid.IntRange(0, transactionBytes/5).Draw(t, "bytes")), int32(len(groups)))
				total++
			}
			groups = append(groups, group)
		}
		next, in := 0, make(map[int32]int)
		for k, chunk := range chunks(groups) {
			size := 0
			for _, op := range chunk {
				if op.Path != fmt.Sprint(next) {
					t.Fatalf("operation %s after %d", op.Path, next-1)
				}
				if was, seen := in[op.Version]; seen && was != k {
					t.Fatalf("group %d is split", op.Version)
				}
				next, in[op.Version] = next+1, k
				size += op.Size()
			}
			if size > zk.MaxTransaction {
				t.Fatalf("a transaction of %d bytes", size)
			}
		}
		if next != total {
			t.Fatalf("%d operations of %d", next, total)
		}
	})
}
