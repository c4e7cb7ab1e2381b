package jobtree

import (
	"testing"
	"time"
)

func TestFireRecords(t *testing.T) {
	at, through := time.UnixMilli(946688400000), time.UnixMilli(946690200000)
	for text, want := range map[string]FireRecord{
		"946688400000 10.0.0.1@-@7":                              {Completed: at, Through: at, Owner: "10.0.0.1@-@7"},
		"946688400000 10.0.0.1@-@7 946690200000":                 {Completed: at, Through: through, Owner: "10.0.0.1@-@7"},
		"0 10.0.0.1@-@7 946690200000":                            {Through: through, Owner: "10.0.0.1@-@7"},
		"0 10.0.0.1@-@7":                                         {Owner: "10.0.0.1@-@7"},
		"946688400000 10.0.0.1@-@7@-@946690200000":               {Completed: at, Through: at, Owner: "10.0.0.1@-@7", Begun: Due{At: through}},
		"946688400000 10.0.0.1@-@7@-@t946690200000 946690200000": {Completed: at, Through: through, Owner: "10.0.0.1@-@7", Begun: Due{At: through, Trigger: true}},
	} {
		got, ok := DecodeFireRecord([]byte(text))
		if !ok || !got.Completed.Equal(want.Completed) || !got.Through.Equal(want.Through) || got.Owner != want.Owner ||
			!got.Begun.At.Equal(want.Begun.At) || got.Begun.Trigger != want.Begun.Trigger {
			t.Errorf("%q: %+v, %v, want %+v", text, got, ok, want)
		}
		if string(got.Encode()) != text {
			t.Errorf("%q is written as %q", text, got.Encode())
		}
	}
	for _, text := range []string{"", "946688400000", "x 10.0.0.1@-@7", "1 a b", "1 a 2 3", "9999999999999999999 a"} {
		if got, ok := DecodeFireRecord([]byte(text)); ok {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
	if early, ok := DecodeFireRecord([]byte("2000 a 1000")); !ok || early.Through.Before(early.Completed) {
		t.Errorf("accounted for through %v, before what was completed", early.Through)
	}
}

// An offer or record in a foreign format should decode to an unknown Due.
func TestW73OffersByOthers(t *testing.T) {
	for _, text := range []string{"", "t", "tt1", "x", "-1", "0", "t0", "253402300800000", "9999999999999999999", "10.0.0.1@-@7", "1 2"} {
		if due := DecodeDue(text); due.Known() || len(due.Encode()) > 0 {
			t.Errorf("%q is read as %+v", text, due)
		}
	}
	record, ok := DecodeFireRecord([]byte("1000 10.0.0.1@-@7@-@yesterday 2000"))
	if !ok || record.Owner != "10.0.0.1@-@7" || record.Begun.Known() {
		t.Errorf("%+v, %v", record, ok)
	}
}

func TestFireEras(t *testing.T) {
	era := FireEra{Since: time.UnixMilli(946688400000), Version: 7, Settings: 0xfedcba9876543210}
	got, ok := DecodeFireEra(era.Encode())
	if !ok || !got.Since.Equal(era.Since) || got.Version != era.Version || got.Settings != era.Settings {
		t.Errorf("%+v, %v, want %+v", got, ok, era)
	}
	for _, text := range []string{"", "1 2", "x 2 3", "1 99999999999 3", "1 2 xyz", "1 2 3 4"} {
		if got, ok := DecodeFireEra([]byte(text)); ok {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}
