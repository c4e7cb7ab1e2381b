package view

import (
	"testing"
	"time"
)

// A shard is held since its token was first seen, no matter what happens to others.
func TestTenures(t *testing.T) {
	t.Parallel()
	at := func(minute int) time.Time { return time.Unix(1700000000, 0).Add(time.Duration(minute) * time.Minute) }
	var held Tenures
	steps := []struct {
		shard, token, minute, want int
	}{
		{5, 100, 1, 1},
		{2, 101, 2, 2},
		{9, 102, 3, 3},
		{5, 100, 4, 1},
		{2, 200, 5, 5}, // another instance had it in between
		{2, 200, 6, 5},
		{9, 102, 7, 3},
	}
	for _, s := range steps {
		if got := held.Since(s.shard, int64(s.token), at(s.minute)); !got.Equal(at(s.want)) {
			t.Errorf("shard %d under token %d at minute %d: held since %v, want %v", s.shard, s.token, s.minute, got, at(s.want))
		}
	}
	held.End(5)
	held.End(7) // no such tenure
	if got := held.Since(5, 100, at(8)); !got.Equal(at(8)) {
		t.Errorf("after its end: held since %v", got)
	}
	if got := held.Since(9, 102, at(8)); !got.Equal(at(3)) || len(held) != 3 {
		t.Errorf("%d tenures, the other one since %v", len(held), got)
	}
}
