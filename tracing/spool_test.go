package tracing

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

var errAway = errors.New("database away")

func spoolOf(t *testing.T, dir string, sink Sink, opts SpoolOptions) *Spool {
	t.Helper()
	opts.Logger = slog.New(slog.DiscardHandler)
	s, err := NewSpool(dir, sink, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func numbered(from, to int) (events []Event, ids []string) {
	for i := from; i < to; i++ {
		id := fmt.Sprintf("s%06d", i)
		events = append(events, Event{Status: &Status{ID: id, JobName: "j", Items: []int{0, i}, State: StateRunning, Message: "数据\n", CreationTime: time.Unix(int64(i), 1e6).UTC()}})
		ids = append(ids, id)
	}
	return events, ids
}

// TestMS45TenMinutesWithoutDatabase records for ten minutes of virtual time while the database is away.
// The recorder's memory holds only a fraction of the events, but none is lost and all arrive in order.
func TestMS45TenMinutesWithoutDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &fakeSink{err: errAway}
		spool := spoolOf(t, t.TempDir(), sink, SpoolOptions{})
		recorder := NewAsync(spool, AsyncOptions{QueueSize: 500, BatchDelay: 5 * time.Second, Logger: slog.New(slog.DiscardHandler)})
		all, ids := numbered(0, 12_000)
		begin := time.Now()
		for _, event := range all {
			time.Sleep(50 * time.Millisecond)
			recorder.RecordStatus(*event.Status)
		}
		if away := time.Since(begin); away < 10*time.Minute {
			t.Fatalf("the database was away for %s", away)
		}
		time.Sleep(10 * time.Second) // the last batch
		synctest.Wait()
		if stats := spool.Stats(); stats.Bytes == 0 || !errors.Is(stats.LastError, errAway) {
			t.Errorf("%+v", stats)
		}
		sink.set(func(s *fakeSink) { s.err = nil })
		time.Sleep(time.Minute)
		synctest.Wait()
		if stats := spool.Stats(); stats.Bytes != 0 || stats.LastError != nil || stats.Drained != stats.Spooled || stats.Spooled != 12_000 {
			t.Errorf("%+v", stats)
		}
		if diff := cmp.Diff(ids, sink.ids()); diff != "" {
			t.Errorf("lost or out of order: %s", diff)
		}
		more, _ := numbered(12_000, 12_001)
		recorder.RecordStatus(*more[0].Status)
		time.Sleep(time.Minute)
		if err := errors.Join(recorder.Close(t.Context()), spool.Close()); err != nil {
			t.Fatal(err)
		}
		if stats := recorder.Stats(); stats.Written != 12_001 || stats.Dropped != 0 || spool.Stats().Spooled != 12_000 {
			t.Errorf("%+v, %+v", stats, spool.Stats())
		}
	})
}

// TestSpoolResumesAfterRestart leaves events behind, damages the end of their file as a power
// failure does, and starts again.
func TestSpoolResumesAfterRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		sink := &fakeSink{err: errAway}
		first := spoolOf(t, dir, sink, SpoolOptions{})
		if _, err := NewSpool(dir, sink, SpoolOptions{}); err == nil {
			t.Error("two spools have one folder")
		}
		all, ids := numbered(0, 700)
		for batch := range slices.Chunk(all, 100) {
			if err := first.Write(t.Context(), batch); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(first.Close(), first.Close()); err != nil {
			t.Fatal(err)
		}
		files, err := listEvents(dir)
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		file, err := os.OpenFile(files[len(files)-1], os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = file.WriteString(`{"Status":{"ID":"torn","Jo`)
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}

		sink.set(func(s *fakeSink) { s.err = nil })
		second := spoolOf(t, dir, sink, SpoolOptions{})
		newer, more := numbered(700, 710)
		if err := second.Write(t.Context(), newer); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if err := second.Close(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(append(ids, more...), sink.ids()); diff != "" {
			t.Error(diff)
		}
		if got := sink.batches[0][0]; !cmp.Equal(got, all[0]) {
			t.Error(cmp.Diff(all[0], got))
		}
		if files, err := listEvents(dir); err != nil || len(files) != 0 {
			t.Error(files, err)
		}
	})
}

// TestSpoolIsBounded fills the spool. The files should stay within their limit, the recorder should
// count the losses, and the kept events should arrive.
func TestSpoolIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &fakeSink{err: errAway}
		spool := spoolOf(t, t.TempDir(), sink, SpoolOptions{MaxBytes: 100_000})
		recorder := NewAsync(spool, AsyncOptions{QueueSize: 160, Logger: slog.New(slog.DiscardHandler)})
		all, _ := numbered(0, 3000)
		for _, event := range all {
			recorder.RecordStatus(*event.Status)
			time.Sleep(10 * time.Millisecond)
		}
		if stats := spool.Stats(); stats.Bytes > 100_000 || stats.Bytes < 80_000 {
			t.Errorf("%+v", stats)
		}
		sink.set(func(s *fakeSink) { s.err = nil })
		time.Sleep(5 * time.Minute)
		if err := errors.Join(recorder.Close(t.Context()), spool.Close()); err != nil {
			t.Fatal(err)
		}
		got := sink.ids()
		if stats := recorder.Stats(); stats.Dropped == 0 || len(got)+int(stats.Dropped) != 3000 || !slices.IsSorted(got) {
			t.Errorf("%d arrived, %+v", len(got), stats)
		}
	})
}

// TestMS46SpoolGivesUpWhatIsRefused: an event that the database always refuses should not block the
// others, and we should not retry it forever.
func TestMS46SpoolGivesUpWhatIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &fakeSink{err: errAway, refuse: func(e Event) bool { return strings.HasSuffix(e.Status.ID, "077") }}
		spool := spoolOf(t, t.TempDir(), sink, SpoolOptions{})
		all, ids := numbered(0, 300)
		if err := spool.Write(t.Context(), all); err != nil {
			t.Fatal(err)
		}
		sink.set(func(s *fakeSink) { s.err = nil })
		time.Sleep(time.Minute)
		synctest.Wait()
		if err := spool.Write(t.Context(), all[77:78]); !errors.Is(err, ErrRejected) {
			t.Errorf("with the database there: %v", err)
		}
		if err := spool.Close(); err != nil {
			t.Fatal(err)
		}
		if stats := spool.Stats(); stats.Failed != 1 || stats.Drained != 299 || stats.Bytes != 0 {
			t.Errorf("%+v", stats)
		}
		if diff := cmp.Diff(slices.Delete(ids, 77, 78), sink.ids()); diff != "" {
			t.Error(diff)
		}
	})
}

// V29: a damaged line in the middle of a file, caused by a bad block or two writers, should lose
// only its own event and be counted.
func TestV29DamagedLineOfTheSpool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		sink := &fakeSink{err: errAway}
		first := spoolOf(t, dir, sink, SpoolOptions{})
		all, ids := numbered(0, 300)
		if err := errors.Join(first.Write(t.Context(), all), first.Close()); err != nil {
			t.Fatal(err)
		}
		files, err := listEvents(dir)
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(string(text), "\n")
		lines[10] = strings.Repeat("\x00", len(lines[10])-1) + "\n"
		lines[20] = lines[20][:len(lines[20])/2] + "\n"
		lines[30] = "{}\n"
		lines[299] = lines[299][:20] // the last, incomplete line
		if err := os.WriteFile(files[0], []byte(strings.Join(lines, "")), 0o600); err != nil {
			t.Fatal(err)
		}
		sink.set(func(s *fakeSink) { s.err = nil })
		second := spoolOf(t, dir, sink, SpoolOptions{})
		time.Sleep(time.Minute)
		synctest.Wait()
		if stats := second.Stats(); stats.Damaged != 4 || stats.Drained != 296 || stats.Bytes != 0 {
			t.Errorf("%+v", stats)
		}
		if err := second.Close(); err != nil {
			t.Fatal(err)
		}
		want := slices.Concat(ids[:10], ids[11:20], ids[21:30], ids[31:299])
		if diff := cmp.Diff(want, sink.ids()); diff != "" {
			t.Error(diff)
		}
	})
}

// TestW95RemovedFiles: files of the spool, or its folder, are removed while the database is away.
// Their events are lost and counted. All others should arrive without a restart.
func TestW95RemovedFiles(t *testing.T) {
	for name, remove := range map[string]func(t *testing.T, dir string){
		"the file": func(t *testing.T, dir string) {
			paths, err := listEvents(dir)
			if err != nil || len(paths) != 1 {
				t.Fatal(paths, err)
			}
			if err := os.Remove(paths[0]); err != nil {
				t.Fatal(err)
			}
		},
		"the folder": func(t *testing.T, dir string) {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "spool")
			synctest.Test(t, func(t *testing.T) {
				sink := &fakeSink{err: errAway}
				spool := spoolOf(t, dir, sink, SpoolOptions{})
				before, _ := numbered(0, 150)
				after, want := numbered(150, 300)
				write := func(events []Event) {
					t.Helper()
					if err := spool.Write(t.Context(), events); err != nil {
						t.Fatal(err)
					}
				}
				write(before)
				synctest.Wait() // The spool failed to read the file and tries again after a pause.
				remove(t, dir)
				write(after[:75])
				write(after[75:])
				sink.set(func(s *fakeSink) { s.err = nil })
				time.Sleep(time.Minute)
				synctest.Wait()
				if stats := spool.Stats(); stats.Lost != 150 || stats.Bytes != 0 || stats.LastError != nil {
					t.Errorf("%+v", stats)
				}
				if diff := cmp.Diff(want, sink.ids()); diff != "" {
					t.Errorf("stored (-want +got)\n%s", diff)
				}
				if err := spool.Close(); err != nil {
					t.Error(err)
				}
				if err := spoolOf(t, dir, sink, SpoolOptions{}).Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
