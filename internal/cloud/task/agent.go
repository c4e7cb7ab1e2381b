package task

import (
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// The variables of a process that shares the shards of a DAEMON job with others by a ZooKeeper.
// It has none of those that name a shard.
const (
	// RegistryServers are the addresses of the ZooKeeper, RegistryNamespace is the path below
	// which jobs are, and RegistryDigest is "user:password" if it asks for that: an application
	// has it from a Secret.
	RegistryServers   = "ELASTICJOB_REGISTRY_SERVERS"
	RegistryNamespace = "ELASTICJOB_REGISTRY_NAMESPACE"
	RegistryDigest    = "ELASTICJOB_REGISTRY_DIGEST"
	// JobConfiguration is the YAML document that ElasticJob-Lite stores of the job.
	JobConfiguration = "ELASTICJOB_JOB_CONFIGURATION"
	// Process is a name of the process that no other one has at the time.
	Process = "ELASTICJOB_PROCESS"
	// Grace is how many seconds after SIGTERM it is killed.
	Grace = "ELASTICJOB_GRACE_SECONDS"
)

// DefaultGrace is how many seconds a process has to end if nobody says so.
const DefaultGrace = 30

const (
	maxServers  = 2000
	maxDigest   = 1000
	maxDocument = 2 * MaxText // YAML doubles quotes, and writes some characters as several
	maxGrace    = 24 * 60 * 60
)

// Agent is what such a process serves, and where.
type Agent struct {
	Servers, Namespace, Digest string
	// Name is that of the process, and the end of its instance's id.
	Name   string
	Config *jobconfig.Config
	// Grace is how long it may take to end.
	Grace time.Duration
	// EventsURL is where runs are reported, "" for nowhere; TokenFile has the token for it, and
	// Sampling reports of each shard each so many-th.
	EventsURL, TokenFile string
	Sampling             int
	// ReadyPort is where the process says at [ReadyPath] whether it serves; 0 for nowhere.
	ReadyPort int
}

// ReadAgent reads what the process of a job with a registry serves; nil if the environment is
// that of one shard. The error has all that is wrong, each problem an [*Error].
func ReadAgent(env []string) (*Agent, error) {
	r := newReader(env)
	if r.env[RegistryServers] == "" {
		return nil, nil
	}
	a := &Agent{
		Servers: r.text(RegistryServers, maxServers, true), Namespace: r.text(RegistryNamespace, maxWord, true), Digest: r.text(RegistryDigest, maxDigest, false),
		Name:     r.text(Process, maxWord, true),
		Grace:    time.Duration(r.number(Grace, 1, maxGrace, DefaultGrace)) * time.Second,
		Sampling: r.number(EventSampling, 0, MaxSampling, 0),
	}
	a.EventsURL, a.TokenFile, a.ReadyPort = r.reporting()
	config, err := jobconfig.Decode([]byte(r.text(JobConfiguration, maxDocument, true)))
	if err == nil {
		err = config.Usable()
	}
	if err != nil && r.env[JobConfiguration] != "" {
		r.config(JobConfiguration, "cannot be served: %s", bounded(err.Error(), maxProblem))
	}
	a.Config = config
	return a, errors.Join(r.errs...)
}
