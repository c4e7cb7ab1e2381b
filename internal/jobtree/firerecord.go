package jobtree

import (
	"strconv"
	"strings"
	"time"
)

// FireRecords is the parent of the fire records, one per shard. Its own data is
// the job's [FireEra]. Java's agents know neither.
func (j Job) FireRecords() string { return j.path("/extension/fired") }

// FireRecord is the node with the fire record of one shard.
func (j Job) FireRecord(item int) string { return j.path("/extension/fired/" + strconv.Itoa(item)) }

// FireRecord says how far the fire times of one shard are accounted for. It is
// written in the transaction that ends a run, and when the shard changes hands.
// Its zero value says nothing.
type FireRecord struct {
	// Completed is the newest fire time for which the shard was run to its end,
	// zero for none; of a shard that an edit has added, when that was. The shard
	// never runs again for a fire time up to it.
	Completed time.Time

	// Through is the time up to which no fire time is missed: each was completed,
	// or nobody had to run it. It is never before Completed.
	Through time.Time

	// Owner is the id of the instance that keeps the record.
	Owner string

	// Begun is the run that has marked the shard as running and not completed it. It
	// tells the survivors of a crash which run was interrupted. Begun stays although Completed
	// is set if the run was recorded late, because another instance may have claimed it.
	// Without an Owner it isn't stored.
	Begun Due
}

// Due is what a run of a shard stands for. The zero value means that this isn't known.
type Due struct {
	At      time.Time // the fire time, or when a trigger was taken
	Trigger bool      // the run was triggered, so it settles no fire time
}

// Known reports whether d names anything.
func (d Due) Known() bool { return !d.At.IsZero() }

// Equal reports whether d and o are the same, to the millisecond that the tree keeps.
func (d Due) Equal(o Due) bool { return d.Trigger == o.Trigger && millis(d.At) == millis(o.At) }

// Encode returns the data of a failover offer: the milliseconds of At, after a "t" for a
// trigger. It is empty if d isn't known, as in the offers of Java's agents.
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

// DecodeDue reads what [Due.Encode] returns. Anything else is a Due that isn't known.
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

// Encode returns the node's data: milliseconds of Completed, the owner, and
// milliseconds of Through unless they are those of Completed. Begun follows the owner
// behind the separator of instance ids. Versions that don't know it take the two for
// the name of another owner, and so still don't repeat what was completed.
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

// DecodeFireRecord reads a node's data; false if it is not a record.
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

// FireEra says since when a job has had its schedule and the switches without
// which no fire time counts as missed. What came before belongs to another era:
// nothing of it is made up for.
type FireEra struct {
	Since    time.Time // by ZooKeeper's clock
	Version  int32     // of the configuration that was seen last
	Settings uint64    // what that configuration says of them, as a hash
}

// Encode returns the data of [Job.FireRecords].
func (e FireEra) Encode() []byte {
	b := strconv.AppendInt(nil, millis(e.Since), 10)
	b = strconv.AppendInt(append(b, ' '), int64(e.Version), 10)
	return strconv.AppendUint(append(b, ' '), e.Settings, 16)
}

// DecodeFireEra reads what Encode has written; false for anything else, such as
// the empty node of a job that no agent of this kind has led.
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
