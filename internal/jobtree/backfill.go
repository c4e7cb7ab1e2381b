package jobtree

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Backfill is the data of a backfill's node. Times are in milliseconds, 0 if unset.
type Backfill struct {
	Version  int             `json:"v"`
	ID       string          `json:"id"`
	At       int64           `json:"at"` // time of the request
	By       RunBy           `json:"by"`
	From     int64           `json:"from"`
	To       int64           `json:"to"`
	Params   json.RawMessage `json:"params,omitempty"`
	Parallel int             `json:"parallel"`
	Total    int             `json:"total"`  // number of fire times
	Placed   int             `json:"placed"` // number of fire times with a requested run, from the first on
	// Removed counts removed outcomes by state. A run is counted in the transaction that removes
	// its outcome, so it's counted once.
	Removed map[string]int `json:"removed,omitempty"`

	Problem   string     `json:"problem,omitempty"` // why the next run can't be requested
	Cancelled *RunCancel `json:"cancel,omitempty"`
	Ended     int64      `json:"ended,omitempty"`

	unknown map[string]json.RawMessage
}

// Encode returns the node's data. It keeps keys of later versions.
func (b Backfill) Encode() ([]byte, error) { return encodeWith(b, b.unknown) }

func DecodeBackfill(data []byte) (b Backfill, err error) {
	b.unknown, err = decodeWith(data, &b)
	if err == nil && (len(b.ID) != 36 || b.Placed < 0 || b.Placed > b.Total) {
		err = errRunFormat
	}
	return b, err
}

// Shown returns b for pages and REST. It counts removed outcomes and fire times without a run. The
// caller adds the other runs.
func (b Backfill) Shown() jobrun.BackfillProgress {
	count := func(n int) int { return Count(n, jobrun.MostBackfilled) }
	p := jobrun.BackfillProgress{
		ID: Shown(b.ID), Requested: Moment(b.At), By: b.By.Shown(), From: Moment(b.From), To: Moment(b.To), Params: b.Params,
		Parallel: Count(b.Parallel, jobrun.MostBackfillParallel), Total: count(b.Total), Runs: make(map[jobrun.State]int),
		Problem: shownError(b.Problem), Ended: Moment(b.Ended),
	}
	for state, n := range b.Removed {
		p.Runs[knownEnd(state)] += count(n)
	}
	if c := b.Cancelled; c != nil {
		p.Cancel = &jobrun.Cancel{By: Shown(c.By), At: Moment(c.At), Reason: shownError(c.Reason)}
		p.Runs[jobrun.Cancelled] += count(b.Total - b.Placed)
	} else {
		p.Runs[jobrun.Queued] += count(b.Total - b.Placed)
	}
	return p
}

// RunID returns the id of the run for fire time number i, counted from 0. It's a UUID of version 7
// that ends with the last 17 characters of the backfill's id. Ids sort like the fire times.
func (b Backfill) RunID(i int) string {
	stamp := uint64(b.At)<<12 + uint64(i) + 1
	return fmt.Sprintf("%08x-%04x-7%03x-%s", stamp>>28&0xffffffff, stamp>>12&0xffff, stamp&0xfff, b.ID[19:])
}

// Owns reports whether a run's id belongs to the backfill.
func (b Backfill) Owns(run string) bool {
	return len(run) == 36 && len(b.ID) == 36 && run[19:] == b.ID[19:]
}

// RunNumber returns the i of [Backfill.RunID]. It's false if the run doesn't belong to the
// backfill.
func (b Backfill) RunNumber(id string) (int, bool) {
	if !b.Owns(id) {
		return 0, false
	}
	stamp, err := strconv.ParseUint(id[:8]+id[9:13]+id[15:18], 16, 64)
	i := int64(stamp - uint64(b.At)<<12 - 1)
	if err != nil || i < 0 || i >= int64(b.Total) {
		return 0, false
	}
	return int(i), true
}

// EncodeTimes returns the data of [Job.RunsBackfillTimes]: the compressed differences of the times
// in seconds. 100,000 times take at most 400 kB, and a few hundred bytes if they are regular.
func EncodeTimes(times []time.Time) []byte {
	var raw []byte
	last := int64(0)
	for _, at := range times {
		raw = binary.AppendVarint(raw, at.Unix()-last)
		last = at.Unix()
	}
	var packed bytes.Buffer
	w, _ := flate.NewWriter(&packed, flate.BestCompression) // The level is valid, and a buffer accepts everything.
	_, _ = w.Write(raw)
	_ = w.Close()
	return packed.Bytes()
}

func DecodeTimes(data []byte) ([]time.Time, error) {
	raw, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), jobrun.MostBackfilled*binary.MaxVarintLen64))
	if err != nil {
		return nil, fmt.Errorf("the fire times of a backfill can't be read: %w", err)
	}
	var times []time.Time
	last := int64(0)
	for len(raw) > 0 {
		gap, n := binary.Varint(raw)
		if n <= 0 || len(times) == jobrun.MostBackfilled {
			return nil, fmt.Errorf("the fire times of a backfill can't be read: fire time %d is invalid", len(times)+1)
		}
		last, raw = last+gap, raw[n:]
		times = append(times, time.Unix(last, 0).UTC())
	}
	return times, nil
}
