package app

import (
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// boardShared is how many jobs a list has at least whose standing is kept for others.
const boardShared = 50

// looked is what was known of a list of jobs the last time that somebody looked.
type looked struct {
	list     *statistics.Job // its first
	size     int
	version  uint64
	history  explain.Evidence // of no job
	standing *query.Standing
}

// look takes what is known of some jobs. Who looks at the same list has the same, until
// something was learned or the history was read again.
func (b *board) look(jobs []statistics.Job, masked bool, now time.Time) Board {
	b.mu.Lock()
	defer b.mu.Unlock()
	v := Board{history: explain.Evidence{Known: b.trusted(now), Newest: b.newest, Writers: b.writers, Now: b.at}}
	if len(jobs) == 0 {
		v.Standing = query.NewStanding(query.NewListing(nil), nil, v.history)
		return v
	}
	look := looked{list: &jobs[0], size: len(jobs), version: b.version, history: v.history}
	var (
		listing *query.Listing
		digests []*explain.Digest
	)
	shared := !masked && len(jobs) >= boardShared // The masked list is another one each time.
	if last := b.looked; shared && last.list == look.list && last.size == look.size {
		listing = last.standing.Listing
		if last.version == look.version {
			digests = last.standing.Digests
		}
		if digests != nil && last.history == look.history {
			v.Standing = last.standing
			return v
		}
	}
	if listing == nil {
		listing = query.NewListing(jobs)
	}
	if digests == nil {
		digests = b.digestsOf(jobs, masked)
	}
	v.Standing = query.NewStanding(listing, digests, v.history)
	if look.standing = v.Standing; shared {
		b.looked = look
	}
	return v
}

// digestsOf are what is known of jobs, in their order, with mu held.
func (b *board) digestsOf(jobs []statistics.Job, masked bool) []*explain.Digest {
	digests := make([]*explain.Digest, len(jobs))
	for i := range jobs {
		j := &jobs[i]
		e := b.entries[j.Name]
		if e == nil {
			if b.entries == nil {
				b.entries = make(map[string]*boardEntry)
			}
			e = &boardEntry{open: &noRuns, unread: true}
			b.entries[j.Name] = e
		}
		shown := &e.open
		if masked && e.open.Bad() {
			shown = &e.masked
		}
		crash, bare := b.crashes[j.Name], b.unserved[j.Name]
		*shown = (*shown).Planned(j).WithCrashes(crash.N, crash.Since).WithUnserved(bare.From, bare.Until).WithOff(b.off[j.Name])
		digests[i] = *shown
	}
	return digests
}

// compared is the state of some jobs, in their order.
type compared struct {
	names  []string
	states []explain.State
}

// compare tells of the jobs whose state is another than when it was called last: time
// alone makes a job late. It is called by KeepHealth only.
func (b *board) compare(jobs []statistics.Job, now time.Time) {
	look := b.look(jobs, false, now)
	b.note(look, jobs, now)
	states := look.States
	last := b.before
	same := len(last.names) == len(jobs)
	for i := 0; same && i < len(jobs); i++ {
		same = last.names[i] == jobs[i].Name
	}
	if !same {
		last = last.inOrderOf(jobs)
	}
	for i := range jobs {
		if last.states[i] != "" && last.states[i] != states[i] {
			b.changed.Tell(jobs[i].Name)
		}
	}
	b.before = compared{last.names, states}
}

// inOrderOf are the states of other jobs, empty for one that was not there.
func (c compared) inOrderOf(jobs []statistics.Job) compared {
	known := make(map[string]explain.State, len(c.names))
	for i, name := range c.names {
		known[name] = c.states[i]
	}
	list := compared{make([]string, len(jobs)), make([]explain.State, len(jobs))}
	for i := range jobs {
		list.names[i], list.states[i] = jobs[i].Name, known[jobs[i].Name]
	}
	return list
}
