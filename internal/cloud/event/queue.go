package event

import (
	"slices"
	"sync"

	"github.com/elasticjob-go/elasticjob/internal/rawjson"
)

// queue keeps undelivered executions. The zero value is ready to use.
type queue struct {
	mu   sync.Mutex
	list []Execution
	// sending is the number of executions in the current request. They stay in the list until they
	// have arrived.
	sending int
	dropped int
}

// add appends an execution. If there are already most, it drops the oldest. The end of a run
// replaces its start, because it contains everything, unless the start is being sent.
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

func (q *queue) remove(n int) {
	q.list = slices.Delete(q.list, 0, n)
	q.sending = max(0, q.sending-n)
}

// take returns a report of up to most executions, and their number.
func (q *queue) take(most int) (report []byte, count int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	report = []byte(`{"executions":[`)
	for i := range min(most, len(q.list)) {
		text, err := rawjson.Marshal(q.list[i]) // Escapes would turn some characters into six bytes.
		if err != nil {
			return nil, 0, err
		}
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

type fate int

const (
	stay    fate = iota // send again
	arrived             // stored
	refused             // permanently refused
)

// settle applies the result to the executions being sent.
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

// state returns how many executions are waiting, and how many were dropped in total.
func (q *queue) state() (waiting, dropped int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.list), q.dropped
}
