package event

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"
)

// queue keeps what has not arrived yet. Its zero value is ready.
type queue struct {
	mu   sync.Mutex
	list []Execution
	// sending is how many of the first are on their way; they stay until they have arrived.
	sending int
	dropped int
}

// add appends; if there is no room among so many, the oldest gives way. The end of a run
// takes the place of its beginning, of which it says everything, unless that is on its way.
func (q *queue) add(e Execution, most int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if last := len(q.list) - 1; last >= q.sending && q.list[last].ID == e.ID {
		q.list[last] = e
		return
	}
	if len(q.list) >= most {
		q.remove(1)
		q.dropped++
	}
	q.list = append(q.list, e)
}

// remove takes the first away.
func (q *queue) remove(n int) {
	q.list = slices.Delete(q.list, 0, n)
	q.sending = max(0, q.sending-n)
}

// take sends the first on their way: the report of at most so many, and how many they are.
func (q *queue) take(most int) (report []byte, count int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	report = []byte(`{"executions":[`)
	for i := range min(most, len(q.list)) {
		var one bytes.Buffer
		encoder := json.NewEncoder(&one)
		encoder.SetEscapeHTML(false) // It would make six bytes of each.
		if err := encoder.Encode(q.list[i]); err != nil {
			return nil, 0, err
		}
		text := bytes.TrimSpace(one.Bytes())
		if i > 0 && len(report)+len(text)+len(",]}") > MaxBytes {
			break
		}
		if i > 0 {
			report = append(report, ',')
		}
		report = append(report, text...)
		count = i + 1
	}
	q.sending = count
	return append(report, "]}"...), count, nil
}

// fate is what became of those that were on their way.
type fate int

const (
	stay    fate = iota // they will be sent again
	arrived             // they are stored
	refused             // nobody will ever take them
)

// settle ends the way of the first.
func (q *queue) settle(f fate) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if f == refused {
		q.dropped += q.sending
	}
	if f != stay {
		q.remove(q.sending)
	}
	q.sending = 0
}

// state is how many wait, and how many were dropped until now.
func (q *queue) state() (waiting, dropped int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.list), q.dropped
}
