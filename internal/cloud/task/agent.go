package task

import (
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// The variables of a process that shares the shards of a DAEMON job by a ZooKeeper. It has no
// variables for a single shard.
const (
	// RegistryServers are the addresses of the ZooKeeper, RegistryNamespace is the path above the
	// jobs, and RegistryDigest is "user:password" if needed. An application gets that from a Secret.
	RegistryServers   = "ELASTICJOB_REGISTRY_SERVERS"
	RegistryNamespace = "ELASTICJOB_REGISTRY_NAMESPACE"
	RegistryDigest    = "ELASTICJOB_REGISTRY_DIGEST"
	// JobConfiguration is the job's YAML document in ElasticJob-Lite.
	JobConfiguration = "ELASTICJOB_JOB_CONFIGURATION"
	// Process is a name that is unique among the running processes.
	Process = "ELASTICJOB_PROCESS"
	// Grace is the number of seconds between SIGTERM and SIGKILL.
	Grace = "ELASTICJOB_GRACE_SECONDS"
)

// DefaultGrace is the default number of seconds for a process to end.
const DefaultGrace = 30

const (
	maxServers  = 2000
	maxDigest   = 1000
	maxDocument = 2 * MaxText // YAML doubles quotes, and writes some characters as several
	maxGrace    = 24 * 60 * 60
)

// Agent is the configuration of such a process.
type Agent struct {
	Reporting

	Servers, Namespace, Digest string
	// Name is the process's name, and the end of its instance's id.
	Name   string
	Config *jobconfig.Config
	// Grace is the time it has to end.
	Grace time.Duration
}

// ReadAgent reads the environment of a process of a job with a registry, and returns nil if the
// environment is for one shard. The error joins all problems, each an [*Error].
func ReadAgent(env []string) (*Agent, error) {
	r := newReader(env)
	if r.env[RegistryServers] == "" {
		return nil, nil
	}
	a := &Agent{
		Servers: r.text(RegistryServers, maxServers, true), Namespace: r.text(RegistryNamespace, maxWord, true), Digest: r.text(RegistryDigest, maxDigest, false),
		Name:      r.text(Process, maxWord, true),
		Grace:     time.Duration(r.number(Grace, 1, maxGrace, DefaultGrace)) * time.Second,
		Reporting: r.reporting(),
	}
	config, err := jobconfig.Decode([]byte(r.text(JobConfiguration, maxDocument, true)))
	if err == nil {
		err = config.Usable()
	}
	if err != nil && r.env[JobConfiguration] != "" {
		r.config(JobConfiguration, "cannot be served: %s", mask.Clip(err.Error(), maxProblem))
	}
	a.Config = config
	return a, errors.Join(r.errs...)
}
