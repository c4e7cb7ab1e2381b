package app

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/past"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// notedGap is how long the registry may be away before an obstacle counts as another one.
const notedGap = 30 * time.Second

// mostNoted is how many obstacles the board remembers.
const mostNoted = 5000

// noted is a finding that decided about a job for a while.
type noted struct {
	job         string
	finding     statistics.Finding
	from, until time.Time // by the finding or when the board saw it first, and when it saw it last
}

// note remembers the findings of the registry that hold jobs up, so that the past can be explained
// after their nodes have gone. Only compare calls it.
func (b *board) note(look Board, jobs []statistics.Job, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open == nil {
		b.open = make(map[notedKey]*noted)
	}
	for i := range jobs {
		j := &jobs[i]
		if s := look.States[i]; slices.Contains(heldUp, s) {
			judgement := explain.Judge(look.about(j, look.Digests[i]))
			f := judgement.Finding
			if f != nil && (!f.OfHistory() && f.Effect.HoldsUp() || f.Code == statistics.CodeNotRecorded) {
				b.noteOne(j.Name, f, now)
			}
		}
		var off []int
		for k := range j.Findings { // A shard that is off may not decide.
			if f := &j.Findings[k]; f.Code == statistics.CodeItemDisabled {
				b.noteOne(j.Name, f, now)
				off = f.Items
			}
		}
		if j.Status != statistics.StatusReading {
			b.noteOff(j.Name, off, now)
		}
	}
	for key, n := range b.open {
		if !n.until.Equal(now) {
			delete(b.open, key)
		}
	}
	if over := len(b.noted) - mostNoted; over > 0 {
		b.noted = slices.Clone(b.noted[over:])
	}
}

// noteOff remembers which shards of a job are disabled, with mu held.
func (b *board) noteOff(job string, items []int, now time.Time) {
	before := b.off[job]
	after := make(map[int]time.Time, len(before)+len(items))
	for n, on := range before {
		after[n] = cmp.Or(on, now)
	}
	for _, n := range items {
		after[n] = time.Time{}
	}
	if maps.Equal(before, after) {
		return
	}
	if b.off == nil {
		b.off = make(map[string]map[int]time.Time)
	}
	b.off[job] = after
	b.version++
}

// notedKey is the obstacle of a job, of which there is one with each code at a time.
type notedKey struct {
	job  string
	code statistics.Code
}

// noteOne remembers that a finding holds a job up, with mu held.
func (b *board) noteOne(job string, f *statistics.Finding, now time.Time) {
	key := notedKey{job, f.Code}
	open := b.open[key]
	unrecorded := f.Code == statistics.CodeNotRecorded // Its time and its words go on with the fire times.
	same := open != nil && now.Sub(open.until) < notedGap && open.finding.Instance == f.Instance && (open.finding.Since.Equal(f.Since) || unrecorded)
	if same && slices.Equal(open.finding.Items, f.Items) && (open.finding.Sentence == f.Sentence || unrecorded) {
		open.until = now
		return
	}
	from := now
	if !same && !f.Since.IsZero() && f.Since.Before(now) { // The node has been there since then.
		from = f.Since
	}
	b.open[key] = &noted{job, *f, from, now}
	b.noted = append(b.noted, b.open[key])
}

// heldUp are the states in which the registry holds a job, or shards of it, up, or in which its runs may not
// be recorded.
var heldUp = []explain.State{
	explain.Down, explain.Unreadable, explain.Blocked, explain.Partial, explain.Resharding, explain.Held, explain.Disabled, explain.Ended, explain.Late,
	explain.Unknown,
}

// noneDue are the findings because of which no run is due.
var noneDue = []statistics.Code{
	statistics.CodeJobDisabled, statistics.CodeNoEnabledInstance, statistics.CodeItemDisabled, statistics.CodeHeld,
	statistics.CodeCronNeverAgain, statistics.CodeScheduleEnded,
}

// Obstacles returns the obstacles of a job that the console remembers, as the caller may see them.
func (s *Console) Obstacles(c *gin.Context, l i18n.Lang, job string) []past.Obstacle {
	if !s.remembered(c) {
		return nil
	}
	return s.notedOf(l, job, LooksOnly(c))
}

// notedOf returns the obstacles of a job that the board remembers.
func (s *Console) notedOf(l i18n.Lang, job string, masked bool) (list []past.Obstacle) {
	s.board.mu.Lock()
	defer s.board.mu.Unlock()
	for _, n := range s.board.noted {
		if n.job != job {
			continue
		}
		f := n.finding
		if masked {
			f = maskedFindings([]statistics.Finding{f})[0]
		}
		sentence, _ := health.Words(l, f)
		list = append(list, past.Obstacle{
			From: n.from, Until: n.until, Sentence: sentence, Items: f.Items, Whole: f.Effect == statistics.EffectJob,
			NoneDue: slices.Contains(noneDue, f.Code), Unrecorded: f.Code == statistics.CodeNotRecorded,
		})
	}
	return list
}
