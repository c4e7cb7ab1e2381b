package jobtree

import (
	"strconv"
	"strings"
	"time"
)

// FireRecords is the parent of the fire records, one per shard. Its own data is the job's
// [FireEra]. Java agents know neither.
func (j Job) FireRecords() string        { return j.path("/extension/fired") }
func (j Job) FireRecord(item int) string { return j.ofItem("/extension/fired", item) }

// FireRecord records how far the fire times of one shard are accounted for. It's written in the
// transaction that ends a run, and when the shard changes its owner. The zero value has no
// information.
type FireRecord struct {
	// Completed is the newest fire time that the shard completed, or zero. For a shard added by an
	// edit it's the time of the edit. The shard must never run again for a fire time up to it.
	Completed time.Time

	// Through is the time up to which no fire time is missed: each was completed, or no instance
	// had to run it. It's never before Completed.
	Through time.Time

	// Owner is the id of the instance that the shard belongs to. That instance writes the record,
	// or the leader when the shard changes hands. A failover run keeps the owner.
	Owner string

	// Begun is the run that has marked the shard as running and hasn't completed it. After a crash
	// it shows which run was interrupted. Begun stays although Completed is set if the run was
	// recorded late, because another instance may have claimed it. Without an Owner it isn't
	// stored.
	Begun Due
}

// Due is the cause of a shard's run. The zero value means that it's unknown.
type Due struct {
	At      time.Time // the fire time, or the time a trigger was taken
	Trigger bool      // the run was triggered, so it settles no fire time
}

func (d Due) Known() bool { return !d.At.IsZero() }

// Equal reports whether d and o are the same, with the tree's resolution of a millisecond.
func (d Due) Equal(o Due) bool { return d.Trigger == o.Trigger && millis(d.At) == millis(o.At) }

// Encode returns the data of a failover offer: the milliseconds of At, after a "t" for a trigger.
// It's empty if d is unknown, as in the offers of Java agents.
func (d Due) Encode() []byte {
	if !d.Known() {
		return nil
	}
	var b []byte
	if d.Trigger {
		b = append(b, 't')
	}
	return strconv.AppendInt(b, millis(d.At), 10)
}

// DecodeDue reads the data of [Due.Encode]. Any other data is an unknown Due.
func DecodeDue(data string) Due {
	digits, trigger := strings.CutPrefix(data, "t")
	at, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || at <= 0 || at > latestMillis {
		return Due{}
	}
	return Due{At: moment(at), Trigger: trigger}
}

// latestMillis is the last millisecond of the year 9999.
const latestMillis = 253402300799999

// Encode returns the node's data: milliseconds of Completed, the owner, and milliseconds of Through
// unless they equal Completed. Begun follows the owner behind the separator of instance ids. Older
// versions read the two as another owner's name, so they don't repeat completed runs either.
func (r FireRecord) Encode() []byte {
	b := strconv.AppendInt(nil, millis(r.Completed), 10)
	b = append(append(b, ' '), r.Owner...)
	if r.Owner != "" && r.Begun.Known() {
		b = append(append(b, idSeparator...), r.Begun.Encode()...)
	}
	if r.Through.After(r.Completed) {
		b = strconv.AppendInt(append(b, ' '), millis(r.Through), 10)
	}
	return b
}

// DecodeFireRecord reads a node's data. It's false if the data isn't a record.
func DecodeFireRecord(data []byte) (FireRecord, bool) {
	fields := strings.Split(string(data), " ")
	if len(fields) != 2 && len(fields) != 3 {
		return FireRecord{}, false
	}
	completed, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return FireRecord{}, false
	}
	r := FireRecord{Completed: moment(completed), Through: moment(completed), Owner: fields[1]}
	if parts := strings.SplitN(r.Owner, idSeparator, 3); len(parts) == 3 {
		r.Owner, r.Begun = parts[0]+idSeparator+parts[1], DecodeDue(parts[2])
	}
	if len(fields) == 3 {
		through, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			return FireRecord{}, false
		}
		if r.Through = moment(through); r.Through.Before(r.Completed) {
			r.Through = r.Completed
		}
	}
	return r, true
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func moment(millis int64) time.Time {
	if millis <= 0 {
		return time.Time{}
	}
	return time.UnixMilli(millis)
}

// FireEra is the time since which a job has had its current schedule and misfire switches. Fire times
// before it count as not missed, so they are never made up.
type FireEra struct {
	Since    time.Time // by ZooKeeper's clock
	Version  int32     // of the newest configuration seen
	Settings uint64    // hash of the relevant settings
}

// Encode returns the data of [Job.FireRecords].
func (e FireEra) Encode() []byte {
	b := strconv.AppendInt(nil, millis(e.Since), 10)
	b = strconv.AppendInt(append(b, ' '), int64(e.Version), 10)
	return strconv.AppendUint(append(b, ' '), e.Settings, 16)
}

// DecodeFireEra reads the data of [FireEra.Encode]. It's false for anything else, such as the empty
// node of a job that none of our agents has led.
func DecodeFireEra(data []byte) (FireEra, bool) {
	fields := strings.Split(string(data), " ")
	if len(fields) != 3 {
		return FireEra{}, false
	}
	since, err1 := strconv.ParseInt(fields[0], 10, 64)
	version, err2 := strconv.ParseInt(fields[1], 10, 32)
	settings, err3 := strconv.ParseUint(fields[2], 16, 64)
	return FireEra{Since: moment(since), Version: int32(version), Settings: settings}, err1 == nil && err2 == nil && err3 == nil
}
