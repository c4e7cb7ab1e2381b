package firetime

import (
	"fmt"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// This is an explicit-state model of one shard, two processes and the operator. It explores every
// order of events within its bounds, uses the functions of this package like the engine, and checks
// these rules:
//
//   - twice: no run begins for a fire time that was recorded as completed;
//   - unowed: a misfire run is for a fire time that was due when it came, because it was in the
//     schedule and the shard and server were enabled;
//   - lost: once only time can pass, each due fire time has run, or a later one has, unless an
//     edit, a disabled server or shard, or a time without any live process came after it.
//
// A tick is half an hour. One schedule fires at each full hour, the other at each half hour, and
// the misfire window is two ticks.

const tick = 30 * time.Minute

var (
	modelStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	fullHours  = mustParse("0 0 * * * ?")
	halfHours  = mustParse("0 30 * * * ?")
)

func mustParse(cron string) *quartz.Expression {
	e, err := quartz.Parse(cron)
	if err != nil {
		panic(err)
	}
	return e
}

func at(ticks int8) time.Time { return modelStart.Add(time.Duration(ticks) * tick) }

func ticks(t time.Time) int8 {
	if t.IsZero() {
		return -1
	}
	return int8(t.Sub(modelStart) / tick)
}

// modelBounds limits the events other than the passing of time.
type modelBounds struct{ ticks, faults, edits, switches, moves int8 }

type modelProcess struct {
	life      int8 // its number; 0 if dead
	listed    int8 // the life of its instance node in the tree, 0 if there is none
	connected bool
	half      bool // its configuration has the half-hour schedule
	version   int8 // of that configuration
	written   int8
	waits     int8 // the fire time it holds in memory, or -1
	runs      int8 // the fire time it runs for, or -1
	misfire   bool // that run is a misfire run
	enabled   bool // its server
	switched  int8 // when the server was last written
}

// modelState is comparable because it's a key in the set of visited states.
type modelState struct {
	now       int8
	p         [2]modelProcess
	owner     int8 // the process that owns the shard, and its life
	ownerLife int8
	lives     int8

	half       bool // the stored configuration has the half-hour schedule
	version    int8
	written    int8
	eraSince   int8 // the note
	eraVersion int8
	eraHalf    bool
	shardOff   bool
	completed  int8 // the record
	through    int8
	record     int8 // its owner, by life
	mark       bool // misfire
	left       modelBounds

	// The actual events.
	due      uint16 // fire times that were due when they came, by tick
	done     uint16 // fire times recorded as completed
	excused  int8   // fire times up to here may be skipped
	violated string
}

// modelMutant is a defect that the model must find.
type modelMutant struct {
	unread    bool // V33: a record is written without being read
	noEra     bool // V34: edits begin no era
	nowhere   bool // V34: the write time of a server's status doesn't count
	plain     bool // V35: completion is checked against the schedule
	noMarkers bool // no misfire runs after the owner's death
}

func schedule(half bool) *quartz.Expression {
	if half {
		return halfHours
	}
	return fullHours
}

func fires(half bool, now int8) bool { return (now%2 == 1) == half }

func (s *modelState) set(bits *uint16, n int8) { *bits |= 1 << n }

func bit(bits uint16, n int8) bool { return bits>>n&1 == 1 }

func (s *modelState) config(half bool) *jobconfig.Config {
	return &jobconfig.Config{Cron: schedule(half).String(), Misfire: true, MonitorExecution: true}
}

func (s *modelState) era(half bool, version, written int8) jobtree.FireEra {
	noted := NewEra(s.config(s.eraHalf), int32(s.eraVersion), at(s.eraSince))
	if s.eraVersion > version {
		return noted
	}
	return Continue(noted, s.config(half), int32(version), at(written))
}

func (s *modelState) ownerAlive() bool { return s.p[s.owner].listed == s.ownerLife && s.ownerLife != 0 }

func (s *modelState) settled() bool { return s.ownerAlive() && s.p[s.owner].enabled }

func (s *modelState) fail(format string, args ...any) {
	if s.violated == "" {
		s.violated = fmt.Sprintf(format, args...)
	}
}

// next calls visit with each possible next state.
func (s modelState) next(m modelMutant, visit func(event string, s modelState)) (quiet bool) {
	quiet = true
	step := func(event string, change func(s *modelState)) {
		n := s
		change(&n)
		quiet = false
		visit(event, n)
	}
	fault := func(event string, ok bool, change func(s *modelState)) {
		if !ok || s.left.faults == 0 {
			return
		}
		n := s
		n.left.faults--
		change(&n)
		visit(event, n)
	}
	for i := range s.p {
		s.process(int8(i), m, step, fault)
	}
	s.operator(visit)
	if s.left.ticks > 0 && !s.busy() {
		n := s
		n.tick()
		visit("tick", n)
	}
	return quiet
}

// busy reports whether a process has work that takes milliseconds instead of half an hour: to read
// an edit, take a fire time, or make up for one.
func (s *modelState) busy() bool {
	owner := s.p[s.owner]
	serves := s.settled() && owner.connected && owner.runs < 0 && !s.shardOff
	return serves && (owner.waits >= 0 || s.mark) ||
		slices.ContainsFunc(s.p[:], func(p modelProcess) bool { return p.connected && p.version != s.version })
}

// tick lets time pass. Every live process takes the fire time of the schedule it knows.
func (s *modelState) tick() {
	s.left.ticks--
	s.now++
	if owner := s.p[s.owner]; fires(s.half, s.now) && owner.enabled && !s.shardOff {
		s.set(&s.due, s.now)
	}
	alive := false
	for i := range s.p {
		p := &s.p[i]
		alive = alive || p.life != 0
		switch {
		case p.life == 0 || !fires(p.half, s.now):
		case p.runs < 0:
			p.waits = s.now
		case p.connected && p.enabled && !s.shardOff:
			s.mark = true // The fire time passes during the run.
		}
	}
	if !alive {
		s.excused = s.now
	}
}

// process visits the events of one process.
func (s modelState) process(i int8, m modelMutant, step func(string, func(*modelState)), fault func(string, bool, func(*modelState))) {
	p := s.p[i]
	name := func(what string) string { return string('A'+rune(i)) + " " + what }
	fault(name("dies"), p.life != 0, func(s *modelState) {
		q := &s.p[i]
		q.life, q.connected, q.waits, q.runs = 0, false, -1, -1
	})
	fault(name("is cut off"), p.connected, func(s *modelState) { s.p[i].connected = false })
	if p.life == 0 {
		step(name("starts"), func(s *modelState) {
			q := &s.p[i]
			s.lives++
			q.life, q.listed, q.connected, q.waits, q.runs = s.lives, s.lives, true, -1, -1
			q.half, q.version, q.written = s.half, s.version, s.written
		})
		if p.listed != 0 {
			step(name("'s session ends"), func(s *modelState) { s.p[i].listed = 0 })
		}
		return
	}
	if !p.connected {
		s.cutOff(i, m, name, step)
		return
	}
	if p.version != s.version {
		step(name("reads the configuration"), func(s *modelState) {
			q := &s.p[i]
			q.half, q.version, q.written = s.half, s.version, s.written
		})
	}
	if p.enabled && p.version == s.version && s.eraVersion != s.version {
		step(name("notes the era"), func(s *modelState) {
			era := s.era(s.half, s.version, s.written)
			s.eraSince, s.eraVersion, s.eraHalf = ticks(era.Since), s.version, s.half
		})
	}
	runs := s.ownerAlive() && s.p[s.owner].runs >= 0 // The leader waits for its end.
	if p.enabled && !s.settled() && !runs {
		step(name("reshards"), func(s *modelState) { s.handOver(i, m) })
	}
	if other := 1 - i; p.enabled && s.settled() && s.left.moves > 0 && s.p[s.owner].runs < 0 {
		to := s.p[other]
		if to.connected && to.enabled && s.owner == i {
			step(name("hands the shard over"), func(s *modelState) { s.left.moves--; s.handOver(other, m) })
		}
	}
	switch mine := s.owner == i && s.ownerLife == p.life && s.settled(); {
	case p.runs >= 0:
		step(name("completes"), func(s *modelState) { s.complete(i) })
	case p.waits >= 0 && !s.settled() && p.enabled:
	case p.waits >= 0:
		step(name("takes the fire time"), func(s *modelState) { s.begin(i, mine, m) })
	case s.mark && mine && !s.shardOff:
		step(name("makes up"), func(s *modelState) { s.makeUp(i, m) })
	}
}

// cutOff visits the events of a process without a connection.
func (s modelState) cutOff(i int8, m modelMutant, name func(string) string, step func(string, func(*modelState))) {
	p := s.p[i]
	if p.runs >= 0 {
		step(name("'s run ends unrecorded"), func(s *modelState) { s.p[i].runs = -1 })
	}
	if p.listed != 0 && p.runs < 0 {
		step(name("'s session ends"), func(s *modelState) { s.p[i].listed = 0 })
	}
	if p.runs < 0 {
		step(name("rejoins"), func(s *modelState) { s.rejoin(i, m) })
	}
}

// rejoin registers a process under a new session.
func (s *modelState) rejoin(i int8, m modelMutant) {
	p := &s.p[i]
	p.connected, p.listed = true, p.life
	p.half, p.version, p.written = s.half, s.version, s.written
	if s.owner == i && s.ownerLife == p.life && s.record == p.life && !s.shardOff && (p.enabled || m.nowhere) {
		era := s.era(p.half, p.version, p.written)
		if _, missed := s.missed(m, p.half, at(s.through), era.Since, at(p.switched)); missed && !m.noMarkers {
			s.mark = true
		}
	}
}

func (s *modelState) missed(m modelMutant, half bool, through, era, switched time.Time) (time.Time, bool) {
	if m.noEra {
		era = time.Time{}
	}
	if m.nowhere {
		switched = time.Time{}
	}
	return Missed(schedule(half), time.UTC, at(s.now), through, era, switched)
}

// handOver assigns the shard to a process.
func (s *modelState) handOver(to int8, m modelMutant) {
	alive, old := s.ownerAlive(), s.p[s.owner]
	switch era := s.era(s.half, s.version, s.written); {
	case m.unread && alive:
		s.completed, s.through = -1, s.now
	case alive && !old.enabled || s.shardOff || !old.enabled:
		s.through = s.now
	default:
		window := at(s.now).Add(-MisfireWindow)
		f, missed := s.missed(m, s.half, at(s.through), era.Since, at(old.switched))
		if missed && f.After(window) && !m.noMarkers {
			s.mark = true
		}
		for _, moment := range []time.Time{era.Since, at(old.switched), window} {
			if !m.noEra && !m.nowhere {
				s.through = max(s.through, ticks(moment.Add(tick-1)))
			}
		}
		if missed && f.After(window) {
			s.through = min(s.through, ticks(f)-1)
		}
	}
	s.owner, s.ownerLife, s.record = to, s.p[to].life, s.p[to].life
}

// begin starts or drops a waiting fire time.
func (s *modelState) begin(i int8, mine bool, m modelMutant) {
	p := &s.p[i]
	f := p.waits
	p.waits = -1
	if !mine || s.shardOff {
		return
	}
	record := jobtree.FireRecord{Completed: at(s.completed)}
	if s.completed < 0 {
		record.Completed = time.Time{}
	}
	if !fires(p.half, f) { // The schedule was edited in the meantime.
		era := s.era(p.half, p.version, p.written)
		newest, missed := Missed(schedule(p.half), time.UTC, at(s.now), era.Since, at(f))
		switch {
		case missed:
			f = ticks(newest)
		case at(f).After(era.Since):
			return
		}
	}
	if Done(record, at(f)) && (!m.plain || fires(p.half, s.completed)) {
		return
	}
	if bit(s.done, f) {
		s.fail("twice: the run for %d begins although it was completed", f)
	}
	p.runs, p.misfire = f, false
}

// makeUp handles a misfire marker.
func (s *modelState) makeUp(i int8, m modelMutant) {
	p := &s.p[i]
	era := s.era(p.half, p.version, p.written)
	completed := time.Time{}
	if s.completed >= 0 {
		completed = at(s.completed)
	}
	f, missed := s.missed(m, p.half, completed, era.Since, time.Time{})
	if !missed {
		s.mark = false
		return
	}
	n := ticks(f)
	if bit(s.done, n) {
		s.fail("twice: %d is made up for although it was completed", n)
	}
	if owed := s.due>>max(0, s.completed+1) == 0; owed {
		s.fail("unowed: %d is made up for although nothing was due since %d", n, s.completed)
	}
	p.runs, p.misfire = n, true
}

// complete ends a run and records it in a transaction.
func (s *modelState) complete(i int8) {
	p := &s.p[i]
	s.set(&s.done, p.runs)
	record := Complete(jobtree.FireRecord{Completed: at(s.completed), Through: at(s.through)}, at(p.runs))
	s.completed, s.through = ticks(record.Completed), ticks(record.Through)
	if s.mark {
		enabled := at(p.switched)
		if !p.enabled || s.shardOff {
			enabled = at(s.now)
		}
		if _, open := Missed(schedule(p.half), time.UTC, at(s.now), at(p.runs), enabled); !open {
			s.mark = false
		}
	}
	p.runs = -1
}

func (s modelState) operator(visit func(event string, s modelState)) {
	if s.left.edits > 0 {
		n := s
		n.left.edits--
		n.half, n.version, n.written, n.excused = !s.half, s.version+1, s.now, s.now
		visit("the schedule is edited", n)
	}
	if s.left.switches == 0 {
		return
	}
	for i := range s.p {
		n := s
		n.left.switches--
		n.p[i].enabled, n.p[i].switched, n.excused = !s.p[i].enabled, s.now, s.now
		visit(fmt.Sprintf("server %c is switched", 'A'+i), n)
	}
	n := s
	n.left.switches--
	n.shardOff, n.excused = !s.shardOff, s.now
	if s.shardOff { // as in package lifecycle
		n.through, n.mark = max(n.through, s.now), false
	}
	visit("the shard is switched", n)
}
