package runs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

const (
	mostAhead     = 365 * 24 * time.Hour
	maxKey        = 200
	maxNote       = 200
	defaultKeyFor = 10 * time.Minute
	mostKeyFor    = 24 * time.Hour

	// A list of children must fit into one answer of ZooKeeper, and its memory.
	maxBucket = 750 // requests in one bucket
	maxLarge  = 16  // in a bucket for large parameters
	maxKeys   = 750 // keys in a folder
	maxQueue  = 64  // requests that can begin; further ones wait in their buckets

	maxParamsWithJava = 8 << 10 // bytes, because Java agents keep the whole job in memory
)

// Submit places a request. It retries until ctx ends. If ZooKeeper hasn't answered by then, the
// ticket has the id under which the run may have been placed.
func (s Store) Submit(ctx context.Context, r jobrun.Request) (jobrun.Ticket, error) {
	now := s.Now()
	if err := CheckRequest(r, now); err != nil {
		return jobrun.Ticket{}, err
	}
	list := []jobrun.Request{r}
	asked := newTickets(list, now)
	tickets, err := s.submission(now).placeSome(ctx, list, asked)
	refused := (*refusal)(nil)
	switch {
	case err == nil:
		return tickets[0], nil
	case errors.As(err, &refused):
		return jobrun.Ticket{}, err
	}
	return asked[0], err
}

// SubmitMany places requests in order, many per transaction. It stops at the first refused request
// and returns the earlier requests' tickets. It retries like [Store.Submit]. If ZooKeeper doesn't
// answer, up to one transaction of requests may have been placed without a ticket.
func (s Store) SubmitMany(ctx context.Context, list []jobrun.Request) (tickets []jobrun.Ticket, err error) {
	now := s.Now()
	call, asked := s.submission(now), newTickets(list, now)
	// Send one transaction at a time. With several, later requests could be placed after an earlier
	// one was refused.
	for len(tickets) < len(list) {
		from := len(tickets)
		next := list[from:min(from+maxBatch, len(list))]
		for i, r := range next {
			if err = CheckRequest(r, now); err != nil {
				next = next[:i]
				break
			}
		}
		if len(next) == 0 {
			return tickets, err
		}
		placed, err := call.placeSome(ctx, next, asked[from:])
		if err != nil {
			return tickets, err
		}
		tickets = append(tickets, placed...)
	}
	return tickets, nil
}

// newTickets returns the tickets for new runs. Ids are in the order of the requests, because runs
// with the same due time begin in the order of their ids.
func newTickets(list []jobrun.Request, now time.Time) []jobrun.Ticket {
	const apart = 250 * time.Nanosecond // the resolution of ids
	tickets := make([]jobrun.Ticket, len(list))
	for i, r := range list {
		tickets[i] = jobrun.Ticket{ID: NewID(now.Add(time.Duration(i) * apart)), Due: wholeMillis(dueOf(r, now), now)}
	}
	return tickets
}

// jobState is the state of the job that a submission depends on.
type jobState struct {
	config      *jobconfig.Config
	settings    Settings
	withJava    bool // the job also has Java agents, or agents of a version without runs
	noInstances bool
	queued      int
	behind      bool
	schema      *runparams.Schema // nil if the job accepts any parameters
}

// between is the wait before an unanswered request is retried.
const between = 100 * time.Millisecond

// pause waits before a retry. failure is the reason, or nil if something had changed. It returns an
// error once ctx has ended.
func (s Store) pause(ctx context.Context, failure error) error {
	if failure == nil && ctx.Err() == nil {
		return nil
	}
	if errors.Is(failure, zk.ErrClosed) {
		return failure
	}
	timer := time.NewTimer(between)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		if failure == nil {
			return fmt.Errorf("%w: the runs of job %q keep changing", context.Cause(ctx), s.Tree.Name())
		}
		if !errors.Is(failure, zk.ErrUnavailable) { // The error only means that its time was up.
			failure = fmt.Errorf("%w: %w", zk.ErrUnavailable, failure)
		}
		return failure
	}
}

// CheckRequest checks a request without regard to the job.
func CheckRequest(r jobrun.Request, now time.Time) error {
	wrong := func(format string, args ...any) error { return refuse(jobrun.ErrOptions, format, args...) }
	switch due := dueOf(r, now); {
	case r.Delay != 0 && !r.NotBefore.IsZero():
		return wrong("Delay and NotBefore exclude each other")
	case r.Delay < 0:
		return wrong("Delay: %v is negative", r.Delay)
	case due.After(now.Add(mostAhead)) && r.Delay > 0:
		return wrong("Delay: %v is more than 365 days", r.Delay)
	case due.After(now.Add(mostAhead)):
		return wrong("NotBefore: %s is more than 365 days ahead", r.NotBefore.UTC().Format(time.RFC3339))
	case r.Shards != nil && len(r.Shards) == 0:
		return wrong("Shards: the list is empty; name one shard at least, or leave it out (nil) for all")
	case utf8.RuneCountInString(r.Key) > maxKey:
		return wrong("Key: %d characters; at most %d", utf8.RuneCountInString(r.Key), maxKey)
	case !utf8.ValidString(r.Key) || !utf8.ValidString(r.Note):
		return wrong("Key and Note: want valid UTF-8")
	case r.KeyFor > mostKeyFor:
		return wrong("KeyFor: %v is not allowed; want at most %v", r.KeyFor, mostKeyFor)
	case utf8.RuneCountInString(r.Note) > maxNote:
		return wrong("Note: %d characters; at most %d", utf8.RuneCountInString(r.Note), maxNote)
	case strings.ContainsFunc(r.Note, unicode.IsControl):
		return wrong("Note: want one line of text")
	case r.Expiry > mostExpiry || r.Expiry > 0 && r.Expiry < leastExpiry:
		return wrong("Expiry: %v is not allowed; want %v to %v, or -1 for never", r.Expiry, leastExpiry, mostExpiry)
	}
	switch r.Overlap {
	case "", jobrun.OverlapQueue, jobrun.OverlapOne, jobrun.OverlapSkip, jobrun.OverlapCancel:
	default:
		return wrong("Overlap: %q is not allowed; want queue, one, skip or cancel", jobtree.Shown(string(r.Overlap)))
	}
	return runparams.CheckJSON(r.Params)
}

// wholeMillis rounds a time to milliseconds, as nodes store it. A future time is rounded up,
// because no run may begin before its time.
func wholeMillis(at, now time.Time) time.Time {
	whole := at.Truncate(time.Millisecond)
	if at.After(now) && whole.Before(at) {
		return whole.Add(time.Millisecond)
	}
	return whole
}

func dueOf(r jobrun.Request, now time.Time) time.Time {
	switch {
	case r.Delay > 0:
		return now.Add(min(r.Delay, 2*mostAhead))
	case r.NotBefore.After(now):
		return r.NotBefore
	}
	return now
}

func (at jobState) check(r jobrun.Request) error {
	for _, n := range r.Shards {
		if at.settings.Assign == jobrun.AssignOne {
			return refuse(jobrun.ErrOptions, "Shards: the job assigns each run to one shard")
		}
		if n < 0 || n >= at.config.Shards {
			return refuse(jobrun.ErrOptions, "Shards: %d is not one of 0 to %d", n, at.config.Shards-1)
		}
	}
	if at.withJava && len(r.Params) > maxParamsWithJava {
		return refuse(jobrun.ErrTooLarge, "parameters have %d bytes; at most %d are allowed while agents of Java serve the job", len(r.Params), maxParamsWithJava)
	}
	if at.schema == nil || r.By.Kind == ByRetry { // A fire time's retry has no parameters.
		return nil
	}
	return at.schema.Check(r.Params)
}

// ByRetry is the origin of retries of fire times and triggers.
const ByRetry = "retry"

// look reads everything a submission depends on, concurrently.
func (s Store) look(ctx context.Context, r jobrun.Request) (at jobState, err error) {
	var config, queue, behind, format node
	var instances, agents []string
	if err := readAll(ctx, s.getting(s.Tree.Config(), &config), s.finding(s.Tree.RunsQueue(), &queue), s.finding(s.Tree.RunsBehind(), &behind), s.getting(s.Tree.Runs(), &format),
		s.listing(s.Tree.Instances(), &instances),
		func(ctx context.Context) (err error) { agents, err = s.Capable(ctx); return err },
		func(ctx context.Context) (err error) { _, at.schema, err = s.schema(ctx); return err },
	); err != nil {
		return at, err
	}
	at.queued, at.behind = int(queue.NumChildren), behind.exists()
	switch {
	case !config.exists():
		return at, refuse(jobrun.ErrNoSuchJob, "there is no job %q", s.Tree.Name())
	case format.exists() && string(format.data) != jobtree.RunsFormat:
		return at, refuse(jobrun.ErrFormat, "this version does not support the format %[2]q of the runs of job %[1]q", s.Tree.Name(), jobtree.Shown(string(format.data)))
	}
	if at.config, err = jobconfig.Decode(config.data); err != nil {
		return at, refuse(jobrun.ErrFormat, "the configuration of job %q can't be read, correct it first: %v", s.Tree.Name(), err)
	}
	if at.config.Generation == jobconfig.Generation2x {
		return at, refuse(jobrun.ErrNotGo, "job %q is an ElasticJob 2.1 job, which can't have runs with parameters", s.Tree.Name())
	}
	at.settings, _ = SettingsOf(at.config)
	instances, _ = s.Tree.OwnChildren(s.Tree.Instances(), instances)
	at.noInstances = len(instances) == 0
	others, err := s.javaAgents(ctx, instances, agents)
	if err != nil {
		return at, err
	}
	at.withJava = len(others) > 0
	if at.withJava && at.settings.Assign == jobrun.AssignEach {
		// For a job with many shards, the steward checks this later.
		who, of, err := s.ownedBy(ctx, at.config.Shards, r.Shards, others)
		if err == nil && len(of) > 0 {
			err = refuse(jobrun.ErrNotGo, "shards %s belong to agents that don't support parameters: %s", of, strings.Join(who, ", "))
		}
		return at, err
	}
	return at, nil
}

// mostOwners is how many shards a submission checks for their owners.
const mostOwners = 64

// ownedBy returns the shards that belong to some of the instances, and their owners. If there are
// many shards, it checks none.
func (s Store) ownedBy(ctx context.Context, total int, shards []int, instances []string) (who []string, of jobtree.RunShards, err error) {
	if len(shards) == 0 {
		for n := range min(total, mostOwners+1) {
			shards = append(shards, n)
		}
	}
	if len(shards) > mostOwners {
		return nil, nil, nil
	}
	owners := make([]node, len(shards))
	var reads []func(context.Context) error
	for i, n := range shards {
		reads = append(reads, s.getting(s.Tree.ItemInstance(n), &owners[i]))
	}
	err = readAll(ctx, reads...)
	for i, n := range shards {
		if owner := string(owners[i].data); slices.Contains(instances, owner) {
			of, who = of.With(n), append(who, owner)
		}
	}
	slices.Sort(who)
	return slices.Compact(who), of, err
}

func encode(r jobrun.Request, at jobState, t jobrun.Ticket, now time.Time) jobtree.RunRequest {
	q := jobtree.RunRequest{
		Version: 1, ID: t.ID, At: now.UnixMilli(), By: jobtree.RunBy(r.By), Params: r.Params, Due: t.Due.UnixMilli(),
		Shards: jobtree.RunShards(nil).With(r.Shards...), Assign: at.settings.Assign, Overlap: r.Overlap, Attempt: 1,
		Key: r.Key, KeyFor: r.KeyFor.Milliseconds(), Note: r.Note, Manual: r.Manual, Parent: r.Parent, Backfill: r.Backfill,
	}
	q.Attempt = max(r.Attempt, 1)
	if r.By.Kind == ByRetry {
		q.FailedBefore = q.Shards // They failed at the fire time or trigger.
	}
	if q.Overlap == "" {
		q.Overlap = at.settings.Overlap
	}
	if at.settings.Retries > 0 {
		q.Retries, q.Backoff, q.MostWait = at.settings.Retries, at.settings.Backoff.Milliseconds(), at.settings.MostWait.Milliseconds()
	}
	switch {
	case r.KeyFor < 0:
		q.KeyFor = -1
	case q.KeyFor == 0 && r.Key != "":
		q.KeyFor = defaultKeyFor.Milliseconds()
	}
	expiry := r.Expiry
	if expiry == 0 {
		expiry = at.settings.Expiry
	}
	if expiry > 0 {
		q.Expires = t.Due.Add(expiry).UnixMilli()
	}
	if !r.FireTime.IsZero() {
		q.Fire = r.FireTime.UnixMilli()
	}
	return q
}

func hashOf(params json.RawMessage) string {
	sum := sha256.Sum256(params)
	return hex.EncodeToString(sum[:16])
}

func parent(path string) string { return path[:strings.LastIndexByte(path, '/')] }

func base(path string) string { return path[len(parent(path))+1:] }

// prepare creates the nodes that a refused operation missed, unless the job has been removed.
func (s Store) prepare(ctx context.Context, refused string) error {
	if refused == s.Tree.Config() {
		return refuse(jobrun.ErrNoSuchJob, "there is no job %q", s.Tree.Name())
	}
	make := func(ops ...zk.Op) error {
		err := s.Client.Multi(ctx, append([]zk.Op{zk.CheckOp(s.Tree.Config(), zk.AnyVersion)}, ops...)...)
		return zk.Ignore(err, zk.ErrNodeExists)
	}
	folder := func(path string) zk.Op { return zk.CreateOp(path, nil, zk.Persistent) }
	if err := make(folder(s.Tree.Extension())); err != nil {
		return err
	}
	all := []zk.Op{
		zk.CreateOp(s.Tree.Runs(), []byte(jobtree.RunsFormat), zk.Persistent),
		folder(s.Tree.RunsDue()), folder(s.Tree.RunsQueue()), folder(s.Tree.RunsActive()), folder(s.Tree.RunsDone()), folder(s.Tree.RunsKeys()),
		folder(s.Tree.RunsCancels()), folder(s.Tree.RunsSignal()),
	}
	if err := make(all...); err != nil {
		return err
	}
	for _, op := range all[1:] { // If the first one exists, the others may have been removed.
		if op.Path == refused || op.Path == parent(refused) {
			return make(op)
		}
	}
	if parent(refused) == s.Tree.RunsBackfills() || refused == s.Tree.RunsBackfills() {
		return make(folder(s.Tree.RunsBackfills()))
	}
	if above := parent(refused); strings.HasPrefix(above, s.Tree.RunsDue()+"/") || strings.HasPrefix(above, s.Tree.RunsKeys()+"/") {
		return make(folder(above))
	}
	return nil
}
