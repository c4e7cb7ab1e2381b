package statistics

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// TestNodes: the tables must behave like a map, for jobs with few nodes and with many.
func TestNodes(t *testing.T) {
	t.Parallel()
	ns, err := jobtree.NewNamespace("shop/billing")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		shards := rapid.SampledFrom([]int{3, 100}).Draw(t, "shards")
		keys := rapid.Custom(func(t *rapid.T) cacheKey {
			job := ns.Job(rapid.SampledFrom([]string{"a", "ab", "b"}).Draw(t, "job"))
			path := rapid.SampledFrom([]string{ns.Root(), "/elsewhere", job.Root(), job.Config(), job.Item(rapid.IntRange(0, shards).Draw(t, "item"))}).Draw(t, "path")
			return cacheKey{path, rapid.Bool().Draw(t, "children")}
		})
		tables, model := newNodes(ns), map[cacheKey]cachedNode{}
		for i := range rapid.IntRange(1, 600).Draw(t, "steps") {
			key := keys.Draw(t, "key")
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0, 1:
				tables.remove(key)
				delete(model, key)
			case 2:
				tables.suspectAll()
				for k, n := range model {
					n.suspect = true
					model[k] = n
				}
			case 3:
				tables.trim(rapid.SampledFrom([]string{"a", "ab", "c"}).Draw(t, "trimmed"))
			default:
				n := newCachedNode(fmt.Sprint(i%5), key.children, zk.Stat{Mzxid: int64(i), Pzxid: int64(-i)})
				tables.set(key, n)
				n.listing = key.children
				model[key] = n
			}
			if got, kept := tables.get(key); got != model[key] || kept != (model[key] != cachedNode{}) {
				t.Fatalf("%v: %v, %t; want %v", key, got, kept, model[key])
			}
		}
		kept := tables.keys("")
		for job := range tables.byJob {
			if len(tables.keys(job)) == 0 {
				t.Errorf("the table of %q is empty", job)
			}
			kept = append(kept, tables.keys(job)...)
		}
		byPath := func(a, b cacheKey) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
		slices.SortFunc(kept, byPath)
		if want := slices.SortedFunc(maps.Keys(model), byPath); !slices.Equal(kept, want) || tables.count != len(want) {
			t.Fatalf("%d are kept: %v; want %v", tables.count, kept, want)
		}
		for key, n := range model {
			if got, _ := tables.get(key); got != n {
				t.Fatalf("%v: %v, want %v", key, got, n)
			}
		}
	})
}
