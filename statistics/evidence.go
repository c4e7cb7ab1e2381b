package statistics

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// depth selects the nodes that are read.
type depth int

const (
	forServers depth = iota // configuration, and servers and instances with their addresses
	forList                 // all nodes that decide about the state of the job
	forDetail               // all nodes
)

type node struct {
	path   string
	exists bool
	data   string
	stat   zk.Stat
}

// evidence has the nodes of a job. They aren't read in a transaction, so there may be a few
// milliseconds between them.
type evidence struct {
	job   jobtree.Job
	depth depth
	whole bool // all nodes for the depth were read

	config    node
	decoded   *jobconfig.Config // nil if the configuration can't be read
	configErr error
	forbidden bool // these credentials may not read the configuration, or another part of the job
	bare      bool // the configuration was deleted, but agents have served the job

	root, leader, necessary, processing, clock, held, done node

	instanceIDs []string // sorted
	instances   []node
	serverIPs   []string // sorted
	servers     []node
	items       []itemEvidence // ascending
	triggerIDs  []string
	triggers    []node
	offers      []itemNode // shards that were offered for failover
	started     []itemNode // shards that wait at the barriers of listeners, if the job has any
	completed   []itemNode
	refusedIDs  []string // agents that refuse the job
	refusals    []node
	ours        []string                  // instances that are Go agents
	agents      map[string]runs.AgentData // their announcements, see readsAgents
	foreign     []string                  // paths of nodes that no agent writes
	around      [][]byte                  // configurations of other jobs, see asksAround
	unheard     node                      // a hold that agents ignore
	latch       node                      // the first latch node of the election, if the job has no leader
}

// itemNode is a shard's node outside of the folder sharding.
type itemNode struct {
	item int
	node
}

// itemEvidence has the nodes of a shard.
type itemEvidence struct {
	number                                                      int
	instance, running, misfire, disabled, failover, failovering node
}

// beyond reports whether a shard's number is outside the configured number of shards.
func (e *evidence) beyond(item itemEvidence) bool {
	return e.decoded != nil && item.number >= e.decoded.Shards
}

// generation returns the generation of the configuration, or 3.x if it can't be read.
func (e *evidence) generation() jobconfig.Generation {
	if e.decoded == nil {
		return jobconfig.Generation3x
	}
	return e.decoded.Generation
}

func (e *evidence) enabled(server node) bool {
	return jobtree.ServerIsEnabled([]byte(server.data), e.generation())
}

// javas reports whether an instance is a Java agent.
func (e *evidence) javas(id string) bool {
	return slices.Contains(e.instanceIDs, id) && !slices.Contains(e.ours, id)
}

func (e *evidence) javaAgents() []string {
	return slices.DeleteFunc(slices.Clone(e.instanceIDs), func(id string) bool { return !e.javas(id) })
}

// ghosts returns the instances that have a node without a session, so there is no process.
func (e *evidence) ghosts() map[string]bool {
	ghosts := make(map[string]bool)
	for i, id := range e.instanceIDs {
		if n := e.instances[i]; n.exists && !n.ephemeral() {
			ghosts[id] = true
		}
	}
	return ghosts
}

// began returns the time at which the node was created; zero for an absent node.
func (n node) began() time.Time { return n.stat.Ctime }

// ephemeral reports whether the node belongs to a session. If so, the session is alive.
func (n node) ephemeral() bool { return n.stat.EphemeralOwner != 0 }

var errNoConfig = errors.New("the job has no configuration")

// evidence reads a job. With forDetail, the error is ErrJobNotFound if the job doesn't exist. If
// the configuration is forbidden, nothing else is read, because the other nodes have the same ACL.
func (f *fetcher) evidence(ctx context.Context, job jobtree.Job, depth depth) (*evidence, error) {
	f.readAhead(ctx, firstReadings(job, depth))
	e := &evidence{job: job, depth: depth}
	var foreign sync.Mutex
	f.foreign = func(paths []string) {
		foreign.Lock()
		defer foreign.Unlock()
		e.foreign = append(e.foreign, paths...)
	}
	var err error
	switch e.config, err = f.node(ctx, job.Config()); {
	case errors.Is(err, zk.ErrNoAuth):
		e.forbid("the configuration may not be read with these credentials")
		return e, nil
	case err != nil:
		return nil, err
	case !e.config.exists:
		if e.bare, err = f.isBare(ctx, job, depth); err != nil || !e.bare {
			return e, err
		}
		e.configErr = errNoConfig
	default:
		if e.decoded, e.configErr = jobconfig.Decode([]byte(e.config.data)); e.configErr == nil {
			e.configErr = e.decoded.Usable()
		}
	}
	switch err := f.readParts(ctx, e); {
	case errors.Is(err, zk.ErrNoAuth) && depth != forDetail:
		e.forbid("parts of the job may not be read with these credentials")
		return e, nil
	case err != nil:
		return nil, err
	}
	e.leader.data = jobtree.Shown(e.leader.data)
	e.dropOldRefusals()
	e.whole = true
	return e, nil
}

// dropOldRefusals drops refusals without a session, because the agents that wrote them have left. A
// copied tree may have some.
func (e *evidence) dropOldRefusals() {
	ids, refusals := e.refusedIDs, e.refusals
	e.refusedIDs, e.refusals = nil, nil
	for i, n := range refusals {
		if n.ephemeral() {
			e.refusedIDs, e.refusals = append(e.refusedIDs, ids[i]), append(e.refusals, n)
		}
	}
}

// forbid notes that these credentials may not read all nodes. We can't draw conclusions from only a
// part of them, so it drops the configuration.
func (e *evidence) forbid(what string) {
	e.forbidden, e.decoded, e.configErr = true, nil, errors.New(what)
}

// readParts reads all nodes for the depth except the configuration.
func (f *fetcher) readParts(ctx context.Context, e *evidence) error {
	job := e.job
	if err := f.readAheadOfShards(ctx, job, e.depth); err != nil {
		return err
	}
	// Read shards before instances. Then we find an owner that joins in between, and an owner that
	// leaves is missing, as it should be.
	if e.depth != forServers {
		if err := f.readItems(ctx, e); err != nil {
			return err
		}
	}
	named := func(names *[]string, read *[]node, parent string, child func(string) string, compare func(a, b string) int) func(context.Context) error {
		return func(ctx context.Context) (err error) {
			*names, *read, err = f.nodes(ctx, parent, child, compare)
			return err
		}
	}
	parts := []func(context.Context) error{
		func(ctx context.Context) error { return f.readInstances(ctx, e) },
		named(&e.serverIPs, &e.servers, job.Servers(), job.Server, compareIPs),
	}
	if e.depth != forServers {
		parts = append(parts,
			named(&e.refusedIDs, &e.refusals, job.Refusals(), job.Refusal, compareIDs),
			f.itemNodes(&e.offers, job.FailoverItems(), job.FailoverItem))
		for dst, path := range map[*node]string{
			&e.root: job.Root(), &e.leader: job.LeaderInstance(), &e.necessary: job.Necessary(),
			&e.processing: job.Processing(), &e.held: job.Held(), &e.done: job.RunsDone(),
		} {
			parts = append(parts, func(ctx context.Context) (err error) {
				*dst, err = f.node(ctx, path)
				return err
			})
		}
	}
	if c := e.decoded; c != nil && len(c.ListenerTypes) > 0 && e.depth != forServers {
		parts = append(parts,
			f.itemNodes(&e.started, job.GuaranteeStarted(), job.GuaranteeStartedItem),
			f.itemNodes(&e.completed, job.GuaranteeCompleted(), job.GuaranteeCompletedItem))
	}
	if e.depth == forDetail {
		parts = append(parts,
			named(&e.triggerIDs, &e.triggers, job.Triggers(), job.Trigger, compareIDs),
			func(ctx context.Context) (err error) {
				e.clock, err = f.node(ctx, job.SystemTime())
				// We can do without it, because it only has the time of the last clock check.
				return zk.Ignore(err, zk.ErrNoAuth)
			})
	}
	if err := each(ctx, len(parts), func(ctx context.Context, i int) error { return parts[i](ctx) }); err != nil || !e.held.exists {
		return err
	}
	signal, err := f.node(ctx, job.RunsSignal())
	if err == nil && !signal.exists { // Before the first signal, agents don't look for a hold.
		e.unheard, e.held = e.held, node{path: e.held.path}
	}
	return err
}

func (f *fetcher) node(ctx context.Context, path string) (node, error) {
	data, stat, found, err := f.get(ctx, path)
	return node{path, found, string(data), stat}, err
}

// nodes reads the children of a node and sorts them by name with compare. If a child is deleted
// while we read, it's left out.
func (f *fetcher) nodes(ctx context.Context, parent string, child func(name string) string, compare func(a, b string) int) ([]string, []node, error) {
	names, err := f.children(ctx, parent)
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(names, compare)
	read := make([]node, len(names))
	if err := each(ctx, len(names), func(ctx context.Context, i int) (err error) {
		read[i], err = f.node(ctx, child(names[i]))
		return err
	}); err != nil {
		return nil, nil, err
	}
	var kept []string
	for i, n := range read {
		if n.exists {
			kept = append(kept, names[i])
		}
	}
	return kept, slices.DeleteFunc(read, func(n node) bool { return !n.exists }), nil
}

// readInstances reads the instances. A list of servers only needs their names, if all of them
// contain addresses.
func (f *fetcher) readInstances(ctx context.Context, e *evidence) (err error) {
	job := e.job
	if e.depth == forServers {
		e.instanceIDs, err = f.children(ctx, job.Instances())
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(e.instanceIDs, func(id string) bool { return !isAddress(jobtree.InstanceIP(id)) }) {
			slices.SortFunc(e.instanceIDs, compareIDs)
			e.instances = make([]node, len(e.instanceIDs))
			return nil
		}
	}
	// Read the agents before and after the instances. Otherwise a Go agent that starts or leaves in
	// between would look like a Java agent.
	var before, after []string
	if e.depth != forServers {
		if before, err = f.children(ctx, job.Agents()); err != nil {
			return err
		}
	}
	if e.instanceIDs, e.instances, err = f.nodes(ctx, job.Instances(), job.Instance, compareIDs); err != nil || e.depth == forServers {
		return err
	}
	if after, err = f.children(ctx, job.Agents()); err != nil {
		return err
	}
	e.ours = slices.Concat(before, after)
	if !e.readsAgents() {
		return nil
	}
	agents := make([]node, len(after))
	if err := each(ctx, len(after), func(ctx context.Context, i int) (err error) {
		agents[i], err = f.node(ctx, job.Agent(after[i]))
		return err
	}); err != nil {
		return err
	}
	e.agents = make(map[string]runs.AgentData, len(after))
	for i, n := range agents {
		if n.exists {
			e.agents[after[i]] = runs.ParseAgent([]byte(n.data))
		}
	}
	return nil
}

// mostZones is the largest number of agents that are asked for their time zone.
const mostZones = 8

// readsAgents reports whether the agents' announcements are read: with forDetail, or if the job
// fires by the time zone of its agents.
func (e *evidence) readsAgents() bool { return e.depth == forDetail || e.zoneless() }

// zoneless reports whether a job fires by the time zone of its agents, and has few enough agents to
// read their zones.
func (e *evidence) zoneless() bool {
	c := e.decoded
	return c != nil && c.Cron != "" && c.TimeZone == "" && c.Props[quartz.ZoneProp] == "" && len(e.instanceIDs) <= mostZones
}

// zoneOfAgents returns the time zone of the agents of a zoneless job. It's empty if an agent hasn't
// announced its zone, if agents differ, or if this process doesn't know the zone.
func (e *evidence) zoneOfAgents() (zone string) {
	if !e.zoneless() {
		return ""
	}
	for i, id := range e.instanceIDs {
		agent := e.agents[id]
		if agent.Zone == "" || i > 0 && agent.Zone != zone {
			return ""
		}
		zone = agent.Zone
	}
	if _, err := (quartz.Rules{Zone: zone}).Location(""); err != nil {
		return ""
	}
	return zone
}

// addressOf returns the address of an instance, live or not: from its node, or else from its id.
func (e *evidence) addressOf(id string) string {
	if i := slices.Index(e.instanceIDs, id); i >= 0 {
		if info, ok, err := jobtree.DecodeInstance([]byte(e.instances[i].data)); err == nil && ok {
			return info.ServerIP
		}
	}
	return jobtree.InstanceIP(id)
}

// isAddress reports whether the part of an instance id before the separator is an address. If so,
// the instance's node has the same address.
func isAddress(ip string) bool {
	_, err := netip.ParseAddr(ip)
	return err == nil
}

func (e *evidence) isListed() bool { return e.config.exists || e.forbidden || e.bare }

// isBare reports whether agents have served a job that has no configuration. With forDetail, it
// returns ErrJobNotFound if the node isn't a job: it doesn't exist, or all of its children are
// foreign.
func (f *fetcher) isBare(ctx context.Context, job jobtree.Job, depth depth) (bool, error) {
	names, err := f.children(ctx, job.Root())
	has := jobtree.ParseJobChildren(names)
	if err != nil || has.Served || depth != forDetail {
		return has.Served, err
	}
	root, err := f.node(ctx, job.Root())
	if err == nil && (!root.exists || len(names) > 0 && !has.Own) {
		err = ErrJobNotFound
	}
	return false, err
}

// itemNodes returns a function that reads the nodes of the shards below parent.
func (f *fetcher) itemNodes(to *[]itemNode, parent string, of func(item int) string) func(context.Context) error {
	return func(ctx context.Context) error {
		names, err := f.children(ctx, parent)
		if err != nil {
			return err
		}
		items := jobtree.ItemNumbers(names)
		read := make([]itemNode, len(items))
		err = each(ctx, len(items), func(ctx context.Context, i int) (err error) {
			read[i].item = items[i]
			read[i].node, err = f.node(ctx, of(items[i]))
			return err
		})
		*to = slices.DeleteFunc(read, func(n itemNode) bool { return !n.exists })
		return err
	}
}

// readLatch reads the first latch node of the election. While it exists, no other instance can
// become the leader.
func (f *fetcher) readLatch(ctx context.Context, e *evidence) error {
	parent := e.job.ElectionLatch()
	names, err := f.children(ctx, parent)
	if err != nil || len(names) == 0 {
		return err
	}
	e.latch, err = f.node(ctx, parent+"/"+slices.MinFunc(names, func(a, b string) int {
		return cmp.Compare(sequence(a), sequence(b))
	}))
	return err
}

// sequence returns the number that ZooKeeper appended to a node's name. Latch nodes are ordered by
// it.
func sequence(name string) string { return name[max(0, len(name)-len("0000000000")):] }

func (f *fetcher) readItems(ctx context.Context, e *evidence) error {
	names, err := f.children(ctx, e.job.Sharding())
	if err != nil {
		return err
	}
	numbers := jobtree.ItemNumbers(names)
	e.items = make([]itemEvidence, len(numbers))
	return each(ctx, len(numbers), func(ctx context.Context, i int) error {
		n := numbers[i]
		item := &e.items[i]
		item.number = n
		names, err := f.children(ctx, e.job.Item(n))
		if err != nil {
			return err
		}
		has := jobtree.ParseItemChildren(names)
		for _, child := range []struct {
			dst    *node
			path   string
			exists bool
		}{
			{&item.instance, e.job.ItemInstance(n), has.Instance}, {&item.running, e.job.ItemRunning(n), has.Running},
			{&item.misfire, e.job.ItemMisfire(n), has.Misfire}, {&item.disabled, e.job.ItemDisabled(n), has.Disabled},
			{&item.failover, e.job.ItemFailover(n), has.Failover}, {&item.failovering, e.job.ItemFailovering(n), has.Failovering},
		} {
			child.dst.path = child.path
			if !child.exists {
				continue
			}
			if *child.dst, err = f.node(ctx, child.path); err != nil {
				return err
			}
			child.dst.data = jobtree.Shown(child.dst.data)
		}
		return nil
	})
}
