package runs

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// TestParseSignal: the signal's data has a valid request's name or none.
func TestParseSignal(t *testing.T) {
	t.Parallel()
	name := jobtree.RunName(noon, NewID(noon))
	store := Store{Now: func() time.Time { return noon }}
	for _, c := range []struct {
		what  string
		queue bool
		name  string
	}{
		{string(store.SignalQueue(name).Data), true, name},
		{string(store.SignalQueue().Data), true, ""},
		{string(store.SignalQueue(name, name).Data), true, ""},
		{string(store.Signal().Data), false, ""},
		{"queue", true, ""}, // as earlier versions write it
		{"queue ", true, ""},
		{"queue 5-0946684810100-../../steward", true, ""},
		{"queue 5-0946684810100-", true, ""},
		{"queue a stranger's", true, ""},
		{"queues " + name, false, ""},
		{"open", false, ""},
	} {
		if queue, got := ParseSignal(c.what); queue != c.queue || got != c.name {
			t.Errorf("%q: %t, %q, want %t, %q", c.what, queue, got, c.queue, c.name)
		}
	}
}
