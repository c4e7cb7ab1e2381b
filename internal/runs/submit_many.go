package runs

import (
	"context"
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Bounds of one transaction that places many requests.
const (
	maxTogether       = 100
	maxTogetherBytes  = 256 << 10
	maxTogetherBeside = 20 // agents of Java read the whole job anew after each change
)

// SubmitMany places requests in their order. It stops at the first that is refused; the
// tickets are those of the ones before it. Requests that have yet to wait for their time
// and have no key are placed many in one transaction.
func (s Store) SubmitMany(ctx context.Context, list []jobrun.Request) (tickets []jobrun.Ticket, err error) {
	for len(tickets) < len(list) {
		rest := list[len(tickets):]
		together, placed, err := s.submitTogether(ctx, rest)
		if err != nil {
			return tickets, err
		}
		if placed {
			tickets = append(tickets, together...)
			continue
		}
		// One by one: something is the matter with one of them, or no answer came.
		for i := range max(len(together), 1) {
			one := func() (jobrun.Ticket, error) { return s.Submit(ctx, rest[i]) }
			if len(together) > 0 {
				one = func() (jobrun.Ticket, error) { return s.submitAs(ctx, canonical(rest[i]), together[i], true) }
			}
			ticket, err := one()
			if err != nil {
				return tickets, err
			}
			tickets = append(tickets, ticket)
		}
	}
	return tickets, nil
}

// submitTogether places as many of the first requests as one transaction can. It reports
// false if they are to be placed one by one, under the ids of the tickets, as some of
// them may be there already.
func (s Store) submitTogether(ctx context.Context, list []jobrun.Request) (tickets []jobrun.Ticket, placed bool, err error) {
	now := s.Now()
	if !waits(list[0], s) {
		return nil, false, nil
	}
	at, err := s.look(ctx, list[0])
	if err != nil {
		return nil, false, nil //nolint:nilerr // Submit tries again, and says what is wrong.
	}
	most := maxTogether
	if at.beside {
		most = maxTogetherBeside
	}
	ops, size, into := []zk.Op{zk.CheckOp(s.Tree.Config(), zk.AnyVersion)}, 0, make(map[int]int)
	for _, r := range list[:min(len(list), most)] {
		r = canonical(r)
		if !waits(r, s) || CheckRequest(r, now) != nil || at.check(r) != nil {
			break
		}
		t := jobrun.Ticket{ID: NewID(now), Due: wholeMillis(dueOf(r, now), now)}
		if at.nobody {
			t.Warning = nobodyThere
		}
		data, err := encode(r, at, t, now).Encode()
		if size += len(data); err != nil || size > maxTogetherBytes {
			break
		}
		bucket := jobtree.RunBucket(t.ID, len(r.Params))
		into[bucket]++
		ops = append(ops, zk.CreateOp(s.Tree.RunsBucket(bucket)+"/"+jobtree.RunName(t.Due, t.ID), data, zk.Persistent))
		tickets = append(tickets, t)
	}
	if len(tickets) < 2 {
		return nil, false, nil
	}
	if s.roomFor(ctx, at, into) != nil {
		return nil, false, nil
	}
	for range jobtree.RunBuckets { // Each of them may have to be made.
		err = s.Client.Multi(ctx, ops...)
		refused := (*zk.MultiError)(nil)
		switch {
		case errors.As(err, &refused) && errors.Is(err, zk.ErrNoNode) && refused.Op.Path != s.Tree.Config():
			if s.prepare(ctx, refused.Op.Path) == nil {
				continue
			}
			return nil, false, nil
		case errors.As(err, &refused):
			return nil, false, nil // Nothing is placed.
		case err != nil && !zk.Retriable(err):
			return nil, false, err
		}
		return tickets, err == nil, nil
	}
	return nil, false, nil
}

// soon is how early a request is so nearly due that it is placed alone, to begin at once.
const soon = 5 * time.Millisecond

// waits reports whether a request is one of those that are placed together.
func waits(r jobrun.Request, s Store) bool {
	now := s.Now()
	return r.Key == "" && dueOf(r, now).After(now.Add(soon))
}

// roomFor looks whether buckets have room for so many requests more.
func (s Store) roomFor(ctx context.Context, at standing, into map[int]int) error {
	var buckets []int
	for bucket := range into {
		buckets = append(buckets, bucket)
	}
	return each(ctx, len(buckets), func(ctx context.Context, i int) error {
		return s.checkRoom(ctx, at, buckets[i], into[buckets[i]])
	})
}
