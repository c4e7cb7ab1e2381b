package lifecycle

import (
	"context"
	"errors"

	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// CreateJob stores the configuration of a job that isn't registered yet, in the same way as an
// agent, and returns it. Instances that register later use it, unless their own configuration has
// overwrite. class is the job's class name for the instances. If it's empty, they set it
// themselves, but Java agents up to 3.0.2 refuse that.
//
// It returns ErrConflict if the job exists, and ErrInvalid if [ValidateConfig] refuses the
// configuration or it's of 2.1.x. In both cases nothing is stored.
func (o *Operator) CreateJob(ctx context.Context, config *jobconfig.Config, class string) (StoredConfig, error) {
	act := action{"create", config.Name, ""}
	if err := ValidateConfig(config); err != nil {
		return StoredConfig{}, act.fail(ErrInvalid, "", "%w", err)
	}
	if config.Generation != jobconfig.Generation3x {
		return StoredConfig{}, act.fail(ErrInvalid, "", "%w", refused("jobType", config.JobType, "a configuration of ElasticJob 3.x"))
	}
	config = config.Clone()
	if err := o.matchDialect(ctx, config, StoredConfig{Config: jobconfig.New(config.Name, 1)}); err != nil {
		return StoredConfig{}, act.wrap(err)
	}
	data, err := config.Encode()
	if err != nil {
		return StoredConfig{}, act.fail(ErrInvalid, "", "%w", err)
	}
	if len(data)+len(class) > zk.MaxTransaction/2 {
		return StoredConfig{}, act.fail(ErrInvalid, "shorten the parameters", "the configuration has %d bytes, and ZooKeeper takes %d", len(data), zk.MaxTransaction/2)
	}
	if _, err := o.client.CreateAll(ctx, o.ns.Root(), nil, zk.Container); zk.Ignore(err, zk.ErrNodeExists) != nil {
		return StoredConfig{}, act.wrap(err)
	}
	job := o.ns.Job(config.Name)
	err = o.client.Multi(ctx, zk.CreateOp(job.Root(), []byte(class), zk.Persistent), zk.CreateOp(job.Config(), data, zk.Persistent))
	if errors.Is(err, zk.ErrNodeExists) {
		return StoredConfig{}, act.fail(ErrConflict, "open that one, or choose another name", "there is a job of this name: %w", err)
	}
	if err != nil {
		return StoredConfig{}, act.wrap(err)
	}
	return o.storedConfig(ctx, act)
}
