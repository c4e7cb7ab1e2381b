package jobtree

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/nodename"
)

// idSeparator joins the parts of instance ids and task ids. ElasticJob splits on it, so no part may
// contain it.
const idSeparator = "@-@"

// The values of a server node. ElasticJob treats anything but the exact text ENABLED as not
// enabled; 2.1.x wrote empty data for an enabled server.
const (
	ServerEnabled  = "ENABLED"
	ServerDisabled = "DISABLED"
)

// ErrName is wrapped by the name checks of this package: a namespace, job name or instance id that
// can't be a part of a path or task id.
var ErrName = nodename.ErrInvalid

// Namespace is the path prefix for the jobs of one installation. The zero value isn't usable; get
// one from NewNamespace. It's a small comparable value.
type Namespace struct {
	root string
}

// NewNamespace checks name and returns its Namespace. A name may have several segments
// ("team/billing") but no leading or trailing slash. It can't be empty, because that would put jobs
// next to ZooKeeper's own nodes. The error wraps ErrName.
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

// Root is the path of the namespace node. The jobs are its direct children.
func (n Namespace) Root() string { return n.root }

// Job returns the paths of one job. It doesn't check name, because names in the tree are always
// valid. Check user input with jobconfig.ValidateName.
func (n Namespace) Job(name string) Job { return Job{namespace: n.root, name: name} }

// ValidateNodeName reports why name can't be a node's name, and so no existing job or server has
// it. It's weaker than jobconfig.ValidateName, so a foreign job with an unusual name can still be
// viewed, stopped and removed. The error wraps ErrName.
func ValidateNodeName(name string) error {
	if err := nodename.Check(name); err != nil {
		return fmt.Errorf("%w: %q: %w", ErrName, name, err)
	}
	return nil
}

// ValidateInstanceID reports why id isn't a usable instance id. ElasticJob requires IP@-@SUFFIX
// with a non-empty address, a non-empty suffix and no further separator. The error wraps ErrName.
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

// Job spells the paths of one job. It's a small comparable value that builds paths on demand, so an
// agent may keep thousands of them.
type Job struct {
	namespace string
	name      string
}

func (j Job) Name() string { return j.name }

func (j Job) Namespace() Namespace { return Namespace{root: j.namespace} }

// Root is the job node. Its data is the job class name, or the job type for type-based jobs.
// ElasticJob 2.1.x leaves it empty.
func (j Job) Root() string { return j.path("") }

func (j Job) path(rest string) string                 { return j.namespace + "/" + j.name + rest }
func (j Job) ofItem(parent string, item int) string   { return j.path(parent + "/" + strconv.Itoa(item)) }
func (j Job) itemChild(item int, child string) string { return j.Item(item) + child }

// Config is the node of the job's configuration document.
func (j Job) Config() string { return j.path("/config") }

// Servers is the parent of the servers' nodes, which are persistent; see ServerEnabled.
func (j Job) Servers() string         { return j.path("/servers") }
func (j Job) Server(ip string) string { return j.path("/servers/" + ip) }

// Instances is the parent of the ephemeral nodes of live instances; see DecodeInstance.
func (j Job) Instances() string         { return j.path("/instances") }
func (j Job) Instance(id string) string { return j.path("/instances/" + id) }

// Leader is the parent of the nodes for election, sharding and failover.
func (j Job) Leader() string { return j.path("/leader") }

// ElectionLatch is the parent of the election's latch nodes. LeaderInstance is the ephemeral node
// with the leader's instance id.
func (j Job) ElectionLatch() string  { return j.path("/leader/election/latch") }
func (j Job) LeaderInstance() string { return j.path("/leader/election/instance") }

// Necessary is the resharding flag. If it exists, the leader must reshard. Processing is the leader's
// ephemeral mark during resharding.
func (j Job) Necessary() string  { return j.path("/leader/sharding/necessary") }
func (j Job) Processing() string { return j.path("/leader/sharding/processing") }

// FailoverItems is the parent of the shards that wait for failover, and FailoverLatch of the latch nodes.
func (j Job) FailoverItems() string        { return j.path("/leader/failover/items") }
func (j Job) FailoverItem(item int) string { return j.ofItem("/leader/failover/items", item) }
func (j Job) FailoverLatch() string        { return j.path("/leader/failover/latch") }

// Sharding is the parent of the shards' nodes.
func (j Job) Sharding() string     { return j.path("/sharding") }
func (j Job) Item(item int) string { return j.ofItem("/sharding", item) }

// ItemInstance holds the id of the instance the shard is assigned to.
func (j Job) ItemInstance(item int) string { return j.itemChild(item, "/instance") }

// ItemRunning exists while the shard runs, and has the runner's id. It's persistent if the job has
// failover, otherwise ephemeral.
func (j Job) ItemRunning(item int) string { return j.itemChild(item, "/running") }

// ItemMisfire marks a shard that missed a fire because it was still running.
func (j Job) ItemMisfire(item int) string { return j.itemChild(item, "/misfire") }

// ItemDisabled marks a shard that an operator disabled.
func (j Job) ItemDisabled(item int) string { return j.itemChild(item, "/disabled") }

// ItemFailover is the ephemeral mark of the instance that runs a failed-over shard. ItemFailovering
// is its persistent copy. If that instance crashes too, the survivors find its shards there.
func (j Job) ItemFailover(item int) string    { return j.itemChild(item, "/failover") }
func (j Job) ItemFailovering(item int) string { return j.itemChild(item, "/failovering") }

// Triggers is the parent of the pending triggers. Trigger asks the instance with this id to run once, now.
func (j Job) Triggers() string         { return j.path("/trigger") }
func (j Job) Trigger(id string) string { return j.path("/trigger/" + id) }

// LegacyTrigger is the data that makes an instance of ElasticJob 2.1.x run, in its own node.
// Instances of 3.x would read it as a broken instance, so it's never written for them.
const LegacyTrigger = "TRIGGER"

// SystemTime is written to read the server's clock from its modification time.
func (j Job) SystemTime() string { return j.path("/systemTime/current") }

// Guarantee is the parent of the distribute-once listeners' barriers: the shards that have started
// or completed, and the latch nodes of each barrier.
func (j Job) Guarantee() string                      { return j.path("/guarantee") }
func (j Job) GuaranteeStarted() string               { return j.path("/guarantee/started") }
func (j Job) GuaranteeStartedItem(item int) string   { return j.ofItem("/guarantee/started", item) }
func (j Job) GuaranteeStartedLatch() string          { return j.path("/guarantee/started-latch") }
func (j Job) GuaranteeCompleted() string             { return j.path("/guarantee/completed") }
func (j Job) GuaranteeCompletedItem(item int) string { return j.ofItem("/guarantee/completed", item) }
func (j Job) GuaranteeCompletedLatch() string        { return j.path("/guarantee/completed-latch") }

// NextInstanceIP is the ephemeral hint of ElasticJob 3.0.5's single-sharding balance strategy.
func (j Job) NextInstanceIP() string { return j.path("/next-job-instance-ip") }

// Extension is the parent of our own nodes. Java agents ignore it. Losing it may cost comfort, but
// never correctness.
func (j Job) Extension() string { return j.path("/extension") }

// Agents is the parent of an ephemeral node per instance that is one of our agents.
func (j Job) Agents() string         { return j.path("/extension/agents") }
func (j Job) Agent(id string) string { return j.path("/extension/agents/" + id) }

// Refusals is the parent of an ephemeral node for each of our agents that doesn't serve or run the
// job. The data is an [Obstacle].
func (j Job) Refusals() string         { return j.path("/extension/refused") }
func (j Job) Refusal(id string) string { return j.path("/extension/refused/" + id) }

// AllLeft is the parent of a persistent node for each of our agents that shut down cleanly. It
// stays for a day, or for minutes if there are many. A lost agent has none.
func (j Job) AllLeft() string       { return j.path("/extension/left") }
func (j Job) Left(id string) string { return j.path("/extension/left/" + id) }

// ParseItem reads the name of a shard's node. Only canonical non-negative numbers are valid: "07"
// and "+7" are foreign nodes.
func ParseItem(name string) (int, bool) {
	n, err := strconv.Atoi(name)
	if err != nil || n < 0 || strconv.Itoa(n) != name {
		return 0, false
	}
	return n, true
}

// ItemNames returns the names of shards' nodes.
func ItemNames(items []int) []string {
	names := make([]string, len(items))
	for i, item := range items {
		names[i] = strconv.Itoa(item)
	}
	return names
}

// ItemNumbers returns the shards in a list of node names, ascending, without foreign nodes.
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
