package doctor

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestDoctorOfClocks(t *testing.T) {
	t.Parallel()
	before := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	after := before.Add(3 * time.Second)
	for off, want := range map[time.Duration]string{
		-time.Hour:        "[error: zk: its clock and this machine's clock differ by 1h0m0s",
		-20 * time.Second: "[warning: zk: its clock and this machine's clock differ by 20s",
		-5 * time.Second:  "[]", 0: "[]", 10 * time.Second: "[]", 14 * time.Second: "[warning: ",
		63 * time.Second: "[error: ",
	} {
		if got := fmt.Sprint(clock("zk", before, before.Add(off), after)); !strings.HasPrefix(got, want) {
			t.Errorf("%v: %s, want %s", off, got, want)
		}
	}
}

func TestDoctorOfVersions(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{"3.4.14": true, "2.9": true, "3.5.0": false, "3.10.1": false,
		"4.0": false, "": false, "x": false} {
		if old(version) != want {
			t.Errorf("old(%q) is %v", version, !want)
		}
	}
}

// TestDoctorLogsNoNotes: one line per error and warning.
func TestDoctorLogsNoNotes(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	list := []Finding{New(Error, "a", "p\n  q", "w", "f."), New(Note, "b", "p", "w", "f"), New(Warning, "c", "p",
		"w", "f")}
	Log(t.Context(), slog.New(slog.NewTextHandler(&text, nil)), list)
	if n := strings.Count(text.String(), "level=WARN"); n != 2 || !strings.Contains(text.String(), "p q") {
		t.Errorf("%d lines:\n%s", n, text.String())
	}
	if errors, warnings := Faults(list); errors != 1 || warnings != 1 {
		t.Errorf("%d errors and %d warnings", errors, warnings)
	}
	if got := list[0].String(); got != "error: a: p q. Why: w. Fix: f" {
		t.Error(got)
	}
}
