package rdb

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestTextFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "s")
		width := rapid.IntRange(1, 20).Draw(t, "width")
		for _, set := range []charset{charsetUnicode, charsetBMP, charsetASCII} {
			got := set.text(s, width)
			if !utf8.ValidString(got) || utf8.RuneCountInString(got) > width {
				t.Fatalf("set %d: %q", set, got)
			}
			if valid := strings.ToValidUTF8(s, "\uFFFD"); set == charsetUnicode && !strings.HasPrefix(valid, got) {
				t.Fatalf("%q does not begin with %q", valid, got)
			}
			for _, r := range got {
				if set == charsetBMP && r > 0xFFFF || set == charsetASCII && r > 0x7F {
					t.Fatalf("set %d: %q", set, got)
				}
			}
		}
	})
}

func TestItemsRoundTrip(t *testing.T) {
	for want, items := range map[string][]int{
		"[]": nil, "[0]": {0}, "[0, 1, 2]": {0, 1, 2}, "[12, 7]": {12, 7},
	} {
		if got := encodeItems(items); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOfN(rapid.IntRange(0, 1_000_000), 0, 60).Draw(t, "items")
		text := encodeItems(items)
		if len(text) > widthItems {
			t.Fatalf("%d characters: %s", len(text), text)
		}
		got := decodeItems(text)
		if strings.HasSuffix(text, "...]") {
			if len(got) >= len(items) || len(got) < 10 {
				t.Fatalf("%d of %d shards: %s", len(got), len(items), text)
			}
			items = items[:len(got)]
		}
		if diff := cmp.Diff(items, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
	for text, want := range map[string][]int{"": nil, "1,2": {1, 2}, "[x]": nil, "[1, x, 2]": {1}, " [3] ": {3}} {
		if diff := cmp.Diff(want, decodeItems(text)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestScanForms(t *testing.T) {
	want := time.Date(2026, 11, 20, 10, 0, 0, 500_000_000, time.UTC)
	for _, value := range []any{
		want, want.In(time.FixedZone("", 3600)), "2026-11-20 10:00:00.500", []byte("2026-11-20 10:00:00.5"),
		"2026-11-20 11:00:00.5+01:00", "2026-11-20T10:00:00.5Z", "2026-11-20T10:00:00.500", "2026-11-20 10:00:00.500 +0000 UTC",
	} {
		var m time.Time
		if err := (*moment)(&m).Scan(value); err != nil || !m.Equal(want) || m.Location() != time.UTC {
			t.Errorf("%v: %v, %v", value, m, err)
		}
	}
	var m moment
	for _, nonsense := range []any{"noon", 12, "2026-02-30 10:00:00.500", "2026-11-20 24:00:00.500", "2026-11-20 10:60:00.500", "2026-00-20 10:00:00.500", "2026-11-20 10:00:00,50x"} {
		if err := m.Scan(nonsense); err == nil {
			t.Errorf("%v is accepted as %v", nonsense, m)
		}
	}
	for value, want := range map[any]bool{true: true, false: false, int64(1): true, int64(0): false, "1": true, "0": false, nil: false} {
		var f flag
		if err := f.Scan(value); err != nil || bool(f) != want {
			t.Errorf("%v: %t, %v", value, f, err)
		}
	}
	for _, value := range [][]byte{{1}, []byte("1"), {0}, []byte("0")} {
		var f flag
		if err := f.Scan(value); err != nil || bool(f) != (value[0] == 1 || value[0] == '1') {
			t.Errorf("%v: %t, %v", value, f, err)
		}
	}
}

// TestTimesAsWritten: stored times should be parsed as time.Parse would.
func TestTimesAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		written := shape{dialect: "sqlite"}.bind(time.UnixMilli(rapid.Int64Range(-62_000_000_000_000, 250_000_000_000_000).Draw(t, "ms"))).(string)
		want, err := time.Parse(timeLayout, written)
		var got time.Time
		if wrong := (*moment)(&got).Scan(written); err != nil || wrong != nil || !got.Equal(want) {
			t.Fatalf("%q: %v, %v; want %v, %v", written, got, wrong, want, err)
		}
	})
}

func TestCursor(t *testing.T) {
	orders := []order{{}, {ascending: true}, {key: "job_name"}, {key: "complete_time", kind: aTime, nulls: "x IS NULL"}, {key: "x", kind: aNumber, nulls: "x IS NULL", ascending: true}}
	rapid.Check(t, func(t *rapid.T) {
		o := rapid.SampledFrom(orders).Draw(t, "order")
		moments := rapid.Custom(func(t *rapid.T) time.Time {
			return time.UnixMicro(rapid.Int64Range(-1<<50, 1<<50).Draw(t, "at")).UTC()
		})
		text := rapid.String().Filter(storable)
		p := position{at: moments.Draw(t, "at"), id: text.Draw(t, "id")}
		switch {
		case o.key == "" || o.nulls != "" && rapid.Bool().Draw(t, "null"):
			p.null = true
		case o.kind == aText:
			p.key = text.Draw(t, "key")
		case o.kind == aTime:
			p.key = moments.Draw(t, "key")
		default:
			p.key = rapid.Int64().Draw(t, "key")
		}
		q := query{order: o}
		if err := q.from(p.encode(o)); err != nil || *q.cursor != p {
			t.Fatal(q.cursor, p, err)
		}
		// A cursor of another order is refused.
		other := query{order: order{key: "ip"}}
		if err := other.from(p.encode(o)); err == nil {
			t.Fatal(other.cursor)
		}
	})
}
