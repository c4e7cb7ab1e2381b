package requested

import (
	"fmt"
	"slices"
	"testing"
)

// Instances that read a queue at the same time begin with different requests, and every request
// belongs to one of them, oldest first.
func TestInstancesPreferDifferentRequests(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprintf("1766000000%03d-0193a5b0-%04d", i, i*7919%10000))
	}
	const instances, free = 3, 16
	began := map[string]int{}
	for self := range instances {
		got := preferred(names, self, instances, free)
		if slices.Compare(slices.Sorted(slices.Values(got)), names) != 0 {
			t.Fatalf("instance %d is offered %d requests, want all %d, each once", self, len(got), len(names))
		}
		near := slices.Sorted(slices.Values(got[:instances*free]))
		if slices.Compare(near, names[:instances*free]) != 0 {
			t.Errorf("instance %d begins with requests that came later than others", self)
		}
		for _, name := range got[:free/2] {
			began[name]++
		}
	}
	if len(began) != instances*free/2 {
		t.Errorf("%d different requests are tried first, want %d", len(began), instances*free/2)
	}
	alone := preferred(names, -1, instances, free)
	if slices.Compare(alone, names) != 0 || slices.Compare(preferred(names, 0, 1, free), names) != 0 {
		t.Error("a single instance doesn't begin with the oldest request")
	}
}
