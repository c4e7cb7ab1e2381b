package recipe

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// TestStateKeepsEveryField: the compact form should not lose any field of the metadata.
func TestStateKeepsEveryField(t *testing.T) {
	t.Parallel()
	var stat zk.Stat
	fields := reflect.ValueOf(&stat).Elem()
	for i := range fields.NumField() {
		switch f := fields.Field(i); f.Interface().(type) {
		case time.Time:
			f.Set(reflect.ValueOf(time.UnixMilli(int64(1700000000000 + i))))
		default:
			f.SetInt(int64(i + 1))
		}
	}
	want := Node{Exists: true, Data: []byte("data"), Children: []string{"a", "b"}, Stat: stat, Seen: 7}
	if diff := cmp.Diff(want, (&entry{there: keep(want), seen: 7}).node()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Node{Seen: 3}, (&entry{seen: 3}).node()); diff != "" {
		t.Errorf("an absent node (-want +got):\n%s", diff)
	}
}
