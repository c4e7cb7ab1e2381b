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

// depth is the purpose of a reading, which decides how much is read.
type depth int

const (
	forServers depth = iota // configuration, servers and instances with their addresses
	forList                 // for Job: everything that decides about its state
	forDetail               // everything
)

// node is a node as it was read.
type node struct {
	path   string
	exists bool
	data   string
	stat   zk.Stat
}

// evidence has the nodes of one job as they were read. The reads are no transaction, so the
// nodes may come from moments a few milliseconds apart.
type evidence struct {
	job   jobtree.Job
	depth depth
	whole bool // all nodes for the depth were read

	config    node
	decoded   *jobconfig.Config // nil if it cannot be read
	configErr error
	forbidden bool // these credentials may not read the configuration, or a part of the job
	bare      bool // the configuration is gone, and agents have served the job

	root, leader, necessary, processing, clock, held, done node

	instanceIDs []string // sorted
	instances   []node
	serverIPs   []string // sorted
	servers     []node
	items       []itemEvidence // ascending
	triggerIDs  []string
	triggers    []node
	offers      []itemNode // shards that are offered for failover
	started     []itemNode // shards that wait at the barriers of listeners, if the job has some
	completed   []itemNode
	refusedIDs  []string // agents that refuse the job
	refusals    []node
	ours        []string                  // instances that are agents of this repository
	agents      map[string]runs.AgentData // what they announce, see readsAgents
	foreign     []string                  // paths of nodes that no agent makes
	around      [][]byte                  // configurations of other jobs, see asksAround
	unheard     node                      // a node of a hold that no agent looks at
	latch       node                      // the first in line to lead, if the job has no leader
}

// itemNode is a node of a shard in one of the lists outside of sharding.
type itemNode struct {
	item int
	node
}

// itemEvidence is one shard.
type itemEvidence struct {
	number                                                      int
	instance, running, misfire, disabled, failover, failovering node
}

// beyond reports whether a shard is beyond the number that the configuration says.
func (e *evidence) beyond(item itemEvidence) bool {
	return e.decoded != nil && item.number >= e.decoded.Shards
}

// generation is the one of the configuration, 3.x if it cannot be read.
func (e *evidence) generation() jobconfig.Generation {
	if e.decoded == nil {
		return jobconfig.Generation3x
	}
	return e.decoded.Generation
}

// enabled reports whether agents take a server for enabled.
func (e *evidence) enabled(server node) bool {
	return jobtree.ServerIsEnabled([]byte(server.data), e.generation())
}

// javas reports whether an instance is one of Java's agents.
func (e *evidence) javas(id string) bool {
	return slices.Contains(e.instanceIDs, id) && !slices.Contains(e.ours, id)
}

// javaAgents are the instances that are agents of Java's.
func (e *evidence) javaAgents() []string {
	return slices.DeleteFunc(slices.Clone(e.instanceIDs), func(id string) bool { return !e.javas(id) })
}

// ghosts are the instances with nodes that no session holds: no process is behind them.
func (e *evidence) ghosts() map[string]bool {
	ghosts := make(map[string]bool)
	for i, id := range e.instanceIDs {
		if n := e.instances[i]; n.exists && !n.ephemeral() {
			ghosts[id] = true
		}
	}
	return ghosts
}

// began is when a node came into being; zero for an absent one.
func (n node) began() time.Time { return n.stat.Ctime }

// ephemeral reports whether a node goes with its owner's session, which
// therefore lives.
func (n node) ephemeral() bool { return n.stat.EphemeralOwner != 0 }

// errNoConfig is the error of a configuration that was deleted.
var errNoConfig = errors.New("the job has no configuration")

// evidence reads a job. For details, the error is ErrJobNotFound if the job doesn't exist. If
// the configuration is forbidden, nothing else is read, because the other nodes have the same
// ACL.
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

// dropOldRefusals leaves out refusals that no session holds, such as in a tree that was copied,
// because the agents that wrote them have left.
func (e *evidence) dropOldRefusals() {
	ids, refusals := e.refusedIDs, e.refusals
	e.refusedIDs, e.refusals = nil, nil
	for i, n := range refusals {
		if n.ephemeral() {
			e.refusedIDs, e.refusals = append(e.refusedIDs, ids[i]), append(e.refusals, n)
		}
	}
}

// forbid notes that these credentials may not read all nodes. The nodes that were read don't
// count any more, because the others are unknown.
func (e *evidence) forbid(what string) {
	e.forbidden, e.decoded, e.configErr = true, nil, errors.New(what)
}

// readParts reads all that the depth asks for, but the configuration.
func (f *fetcher) readParts(ctx context.Context, e *evidence) error {
	job := e.job
	if err := f.readAheadOfShards(ctx, job, e.depth); err != nil {
		return err
	}
	// Shards before instances: so an owner that joins in between is found, and an owner that
	// leaves is rightly missing.
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
				return zk.Ignore(err, zk.ErrNoAuth) // It only has the time of the last comparison.
			})
	}
	if err := each(ctx, len(parts), func(ctx context.Context, i int) error { return parts[i](ctx) }); err != nil || !e.held.exists {
		return err
	}
	signal, err := f.node(ctx, job.RunsSignal())
	if err == nil && !signal.exists { // Agents look at a hold only from the first signal on.
		e.unheard, e.held = e.held, node{path: e.held.path}
	}
	return err
}

// node reads one node.
func (f *fetcher) node(ctx context.Context, path string) (node, error) {
	data, stat, found, err := f.get(ctx, path)
	return node{path, found, string(data), stat}, err
}

// nodes reads the children of a node and sorts them by name with compare. If a
// child is deleted while we read, it's left out.
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

// readInstances reads the instances. For lists of servers their names are enough, if the
// names contain the addresses.
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
	// The agents are read before and after, because one of ours that starts or leaves in
	// between would count as Java's.
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

// mostZones is how many agents are asked for their zone at most.
const mostZones = 8

// readsAgents reports whether the announcements of the agents are read: for details, and in
// lists for a job whose schedule depends on the zone of its agents.
func (e *evidence) readsAgents() bool { return e.depth == forDetail || e.zoneless() }

// zoneless reports whether a job fires by the zone of its agents, which are few enough to ask.
func (e *evidence) zoneless() bool {
	c := e.decoded
	return c != nil && c.Cron != "" && c.TimeZone == "" && c.Props[quartz.ZoneProp] == "" && len(e.instanceIDs) <= mostZones
}

// zoneOfAgents is the time zone of the agents of a job that fires by it; "" if one of them
// hasn't announced it, or if they differ.
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
		return "" // This process doesn't know it.
	}
	return zone
}

// addressOf is the address of an instance, live or not: that in its node, or where there is
// none in its id.
func (e *evidence) addressOf(id string) string {
	if i := slices.Index(e.instanceIDs, id); i >= 0 {
		if info, ok, err := jobtree.DecodeInstance([]byte(e.instances[i].data)); err == nil && ok {
			return info.ServerIP
		}
	}
	return jobtree.InstanceIP(id)
}

// isAddress reports whether an instance's id begins with an address, as the ids of agents do;
// then the node's data has the same address.
func isAddress(ip string) bool {
	_, err := netip.ParseAddr(ip)
	return err == nil
}

// isListed reports whether lists have the job.
func (e *evidence) isListed() bool { return e.config.exists || e.forbidden || e.bare }

// isBare reports whether a node without a configuration is a job that agents have served. For
// details, it returns an error if the node is no job: it's absent, or all of its children are
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

// itemNodes returns a function that reads the nodes of shards below a parent.
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

// readLatch reads the first latch node of the election. While it exists, no other instance
// can become the leader.
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

// sequence returns the number that ZooKeeper appended to a node's name; it orders the latch
// nodes.
func sequence(name string) string { return name[max(0, len(name)-len("0000000000")):] }

// readItems reads the shards.
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
