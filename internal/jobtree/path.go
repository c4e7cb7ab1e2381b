package jobtree

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/nodename"
)

// idSeparator joins the parts of instance ids and of task ids. ElasticJob
// splits on it, so no part may contain it.
const idSeparator = "@-@"

// The values of a server node. ElasticJob treats anything but the exact text
// ENABLED as not enabled; 2.1.x wrote empty data for an enabled server.
const (
	ServerEnabled  = "ENABLED"
	ServerDisabled = "DISABLED"
)

// ErrName is what the name checks of this package wrap: a namespace, job name
// or instance id that cannot be a part of a path or of a task id.
var ErrName = nodename.ErrInvalid

// Namespace is the path prefix under which the jobs of one installation live.
// The zero value is not usable; get one from NewNamespace. It is a small
// comparable value.
type Namespace struct {
	root string
}

// NewNamespace checks name and returns its Namespace. A name may have several
// segments ("team/billing") but neither a leading nor a trailing slash, and it
// may not be empty: an empty namespace would put jobs beside ZooKeeper's own
// nodes. The error wraps ErrName.
func NewNamespace(name string) (Namespace, error) {
	if name == "" {
		return Namespace{}, fmt.Errorf("%w: the namespace is empty", ErrName)
	}
	if strings.HasPrefix(name, "/") || strings.HasSuffix(name, "/") {
		return Namespace{}, fmt.Errorf("%w: namespace %q must not begin or end with a slash", ErrName, name)
	}
	for i, segment := range strings.Split(name, "/") {
		if err := nodename.Check(segment); err != nil {
			return Namespace{}, fmt.Errorf("%w: namespace %q: %w", ErrName, name, err)
		}
		if i == 0 && segment == "zookeeper" {
			return Namespace{}, fmt.Errorf("%w: namespace %q belongs to ZooKeeper itself", ErrName, name)
		}
	}
	return Namespace{root: "/" + name}, nil
}

// String returns the name without its leading slash.
func (n Namespace) String() string { return strings.TrimPrefix(n.root, "/") }

// Root is the path of the namespace node; the jobs are its direct children.
func (n Namespace) Root() string { return n.root }

// Job returns the paths of one job. It does not check name, because names read
// from the tree are valid by construction; check what a user typed with
// jobconfig.ValidateName.
func (n Namespace) Job(name string) Job { return Job{namespace: n.root, name: name} }

// ValidateNodeName reports why name cannot be the name of a node, hence not that
// of a job or server that stands in the tree. It is weaker than jobconfig.ValidateName:
// a job that somebody else has given an unfortunate name can still be looked at,
// stopped and removed. The error wraps ErrName.
func ValidateNodeName(name string) error {
	if err := nodename.Check(name); err != nil {
		return fmt.Errorf("%w: %q: %w", ErrName, name, err)
	}
	return nil
}

// ValidateInstanceID reports why id is not a usable instance id. ElasticJob
// requires IP@-@SUFFIX with a non-empty address, a non-empty suffix and no
// further separator. The error wraps ErrName.
func ValidateInstanceID(id string) error {
	parts := strings.Split(id, idSeparator)
	if len(parts) != 2 || parts[0] == "" || parts[1] == "" {
		return fmt.Errorf("%w: instance id %q must have the form IP%sSUFFIX", ErrName, id, idSeparator)
	}
	if err := nodename.Check(id); err != nil {
		return fmt.Errorf("%w: instance id %q: %w", ErrName, id, err)
	}
	return nil
}

// Job spells the paths of one job. It is a small comparable value; paths are
// built when asked for, so an agent may keep thousands of them.
type Job struct {
	namespace string
	name      string
}

// Name is the job's name.
func (j Job) Name() string { return j.name }

// Namespace is the namespace the job lives in.
func (j Job) Namespace() Namespace { return Namespace{root: j.namespace} }

// Root is the job node. Its data is the job class name, or the job type for
// type-based jobs; ElasticJob 2.1.x leaves it empty.
func (j Job) Root() string { return j.namespace + "/" + j.name }

func (j Job) path(rest string) string { return j.namespace + "/" + j.name + rest }

// Config is the node of the job's configuration document.
func (j Job) Config() string { return j.path("/config") }

// Servers is the parent of the server nodes.
func (j Job) Servers() string { return j.path("/servers") }

// Server is the persistent node of one server; see ServerEnabled.
func (j Job) Server(ip string) string { return j.path("/servers/" + ip) }

// Instances is the parent of the instance nodes.
func (j Job) Instances() string { return j.path("/instances") }

// Instance is the ephemeral node of one live instance; see DecodeInstance.
func (j Job) Instance(id string) string { return j.path("/instances/" + id) }

// Leader is the parent of everything about election, sharding and failover.
func (j Job) Leader() string { return j.path("/leader") }

// ElectionLatch is the parent of the election's latch nodes.
func (j Job) ElectionLatch() string { return j.path("/leader/election/latch") }

// LeaderInstance is the ephemeral node holding the leader's instance id.
func (j Job) LeaderInstance() string { return j.path("/leader/election/instance") }

// Necessary is the resharding flag: present means the leader has to shard.
func (j Job) Necessary() string { return j.path("/leader/sharding/necessary") }

// Processing is the leader's ephemeral mark that it is sharding right now.
func (j Job) Processing() string { return j.path("/leader/sharding/processing") }

// FailoverItems is the parent of the shards waiting for somebody to take them.
func (j Job) FailoverItems() string { return j.path("/leader/failover/items") }

// FailoverItem is the node of one shard waiting for failover.
func (j Job) FailoverItem(item int) string {
	return j.path("/leader/failover/items/" + strconv.Itoa(item))
}

// FailoverLatch is the parent of the failover latch nodes.
func (j Job) FailoverLatch() string { return j.path("/leader/failover/latch") }

// Sharding is the parent of the shard nodes.
func (j Job) Sharding() string { return j.path("/sharding") }

// Item is the node of one shard.
func (j Job) Item(item int) string { return j.path("/sharding/" + strconv.Itoa(item)) }

func (j Job) itemChild(item int, child string) string {
	return j.path("/sharding/" + strconv.Itoa(item) + child)
}

// ItemInstance holds the id of the instance the shard is assigned to.
func (j Job) ItemInstance(item int) string { return j.itemChild(item, "/instance") }

// ItemRunning is present while the shard runs and holds the runner's id. It is
// persistent if the job has failover and ephemeral otherwise.
func (j Job) ItemRunning(item int) string { return j.itemChild(item, "/running") }

// ItemMisfire marks a shard that missed a fire because it was still running.
func (j Job) ItemMisfire(item int) string { return j.itemChild(item, "/misfire") }

// ItemDisabled marks a shard an operator switched off.
func (j Job) ItemDisabled(item int) string { return j.itemChild(item, "/disabled") }

// ItemFailover is the taker's ephemeral mark while it runs a failed shard.
func (j Job) ItemFailover(item int) string { return j.itemChild(item, "/failover") }

// ItemFailovering is the taker's persistent twin of ItemFailover, by which
// survivors find the shards of a taker that crashed.
func (j Job) ItemFailovering(item int) string { return j.itemChild(item, "/failovering") }

// Triggers is the parent of the pending trigger requests.
func (j Job) Triggers() string { return j.path("/trigger") }

// LegacyTrigger is what an instance of ElasticJob 2.1.x finds in its own node when
// it shall run. Instances of 3.x would take it for a broken instance, so it is never
// written for them.
const LegacyTrigger = "TRIGGER"

// Trigger asks the instance with this id to run once, now.
func (j Job) Trigger(id string) string { return j.path("/trigger/" + id) }

// SystemTime is touched to learn the server's clock from its modification time.
func (j Job) SystemTime() string { return j.path("/systemTime/current") }

// Guarantee is the parent of the distribute-once listeners' barriers.
func (j Job) Guarantee() string { return j.path("/guarantee") }

// GuaranteeStarted is the parent of the shards that have started.
func (j Job) GuaranteeStarted() string { return j.path("/guarantee/started") }

// GuaranteeStartedItem marks one shard as started.
func (j Job) GuaranteeStartedItem(item int) string {
	return j.path("/guarantee/started/" + strconv.Itoa(item))
}

// GuaranteeStartedLatch is the parent of the latch nodes of the start barrier.
func (j Job) GuaranteeStartedLatch() string { return j.path("/guarantee/started-latch") }

// GuaranteeCompleted is the parent of the shards that have completed.
func (j Job) GuaranteeCompleted() string { return j.path("/guarantee/completed") }

// GuaranteeCompletedItem marks one shard as completed.
func (j Job) GuaranteeCompletedItem(item int) string {
	return j.path("/guarantee/completed/" + strconv.Itoa(item))
}

// GuaranteeCompletedLatch is the parent of the latch nodes of the completion
// barrier.
func (j Job) GuaranteeCompletedLatch() string { return j.path("/guarantee/completed-latch") }

// NextInstanceIP is the ephemeral hint of ElasticJob 3.0.5's single-sharding
// balance strategy.
func (j Job) NextInstanceIP() string { return j.path("/next-job-instance-ip") }

// Extension is the parent of what ElasticJob has no place for. Java agents
// ignore it; losing it may cost comfort but never correctness.
func (j Job) Extension() string { return j.path("/extension") }

// Agents is the parent of an ephemeral node per instance that is an agent of
// this repository; those of Java's have none.
func (j Job) Agents() string { return j.path("/extension/agents") }

// Agent is the ephemeral node of one agent of this repository.
func (j Job) Agent(id string) string { return j.path("/extension/agents/" + id) }

// Refusals is the parent of an ephemeral node per agent of this repository that doesn't serve
// the job, or doesn't run it. The data is an [Obstacle].
func (j Job) Refusals() string { return j.path("/extension/refused") }

// Refusal is the node of one agent that doesn't serve or run the job.
func (j Job) Refusal(id string) string { return j.path("/extension/refused/" + id) }

// AllLeft is the parent of a persistent node per agent of this repository that left in an
// orderly way, for a day, or for minutes if they are many. An agent that was lost has none.
func (j Job) AllLeft() string { return j.path("/extension/left") }

// Left is the node of one agent that left in an orderly way.
func (j Job) Left(id string) string { return j.path("/extension/left/" + id) }

// ParseItem reads the name of a shard's node. Only the canonical
// spelling of a non-negative number is one: "07" or "+7" are foreign nodes.
func ParseItem(name string) (int, bool) {
	n, err := strconv.Atoi(name)
	if err != nil || n < 0 || strconv.Itoa(n) != name {
		return 0, false
	}
	return n, true
}

// ItemNumbers reads the names of the shards' nodes, ascending. Names of foreign
// nodes are left out.
func ItemNumbers(names []string) []int {
	items := make([]int, 0, len(names))
	for _, name := range names {
		if n, ok := ParseItem(name); ok {
			items = append(items, n)
		}
	}
	slices.Sort(items)
	return items
}
