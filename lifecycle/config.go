package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// StoredConfig is a job's configuration in the tree.
type StoredConfig struct {
	// Config is nil if Raw is unreadable.
	Config *jobconfig.Config
	// Raw is the stored text.
	Raw []byte
	// Version is the node's version, which counts the changes.
	Version int32
	// Created is the transaction that created the node.
	Created int64
}

// Revision identifies this state among all configurations that a job of this name ever had. The
// version isn't enough, because it restarts at zero if a job is removed and registers again.
func (s StoredConfig) Revision() string { return fmt.Sprintf("%d-%x", s.Version, s.Created) }

// StaleConfigError means that the stored configuration has changed since it was read. It's the
// cause of an [ErrConflict].
type StaleConfigError struct {
	// Stored is the current configuration.
	Stored StoredConfig
}

// Error names the current revision.
func (e *StaleConfigError) Error() string {
	return "the configuration has changed to revision " + e.Stored.Revision()
}

// Config reads the configuration of a job, and the version for SetConfig. The error for an
// unreadable one is ErrInvalid.
func (o *Operator) Config(ctx context.Context, name string) (*jobconfig.Config, int32, error) {
	stored, err := o.StoredConfig(ctx, name)
	return stored.Config, stored.Version, err
}

// StoredConfig reads the configuration of a job with its metadata. The error for an unreadable one
// is ErrInvalid, but Raw is set.
func (o *Operator) StoredConfig(ctx context.Context, name string) (StoredConfig, error) {
	return o.storedConfig(ctx, action{"read configuration of", name, ""})
}

func (o *Operator) storedConfig(ctx context.Context, act action) (StoredConfig, error) {
	if err := jobtree.ValidateNodeName(act.job); err != nil {
		return StoredConfig{}, act.fail(ErrInvalid, "", "%w", err)
	}
	data, stat, err := o.client.Get(ctx, o.ns.Job(act.job).Config())
	if errors.Is(err, zk.ErrNoNode) {
		return StoredConfig{}, act.noJob(err)
	}
	if err != nil {
		return StoredConfig{}, act.wrap(err)
	}
	stored := StoredConfig{Raw: data, Version: stat.Version, Created: stat.Czxid}
	if stored.Config, err = jobconfig.Decode(data); err != nil {
		return stored, act.fail(ErrInvalid, "agents can't read it either; repair the node", "%w", err)
	}
	return stored, nil
}

// SetConfig replaces the version that was read and returns the new version. Unchanged and unknown
// keys keep their bytes. Agents apply the change at once.
//
// It returns ErrInvalid if the configuration doesn't validate, isn't the job's, or sets
// schedule.zone while Java agents serve the job. It returns ErrNotFound if the job doesn't exist,
// and ErrConflict with a *StaleConfigError if the stored version has changed. After an error
// nothing is stored.
func (o *Operator) SetConfig(ctx context.Context, name string, config *jobconfig.Config, version int32) (int32, error) {
	act := action{"store configuration of", name, ""}
	if err := errors.Join(config.Validate(), validateSchedule(config)); err != nil {
		return 0, act.fail(ErrInvalid, "", "%w", err)
	}
	stored, err := o.setConfig(ctx, act, config, version)
	return stored.Version, err
}

func (o *Operator) setConfig(ctx context.Context, act action, config *jobconfig.Config, version int32) (stored StoredConfig, err error) {
	if config.Name != act.job {
		return stored, act.fail(ErrInvalid, "a job cannot be renamed; create another one", "jobName is %q", config.Name)
	}
	data, err := config.Encode()
	if err != nil {
		return stored, act.fail(ErrInvalid, "", "%w", err)
	}
	if len(data) > zk.MaxTransaction {
		// The server would close the connection on a longer request, without an answer.
		return stored, act.fail(ErrInvalid, "shorten the parameters", "the configuration has %d bytes, and ZooKeeper takes %d", len(data), zk.MaxTransaction)
	}
	if err := o.checkZone(ctx, act, config); err != nil {
		return stored, err
	}
	stat, err := o.client.Set(ctx, o.ns.Job(act.job).Config(), data, version)
	switch {
	case errors.Is(err, zk.ErrNoNode):
		return stored, act.fail(ErrNotFound, "the job was removed", "there is no job of this name: %w", err)
	case errors.Is(err, zk.ErrBadVersion):
		return stored, o.stale(ctx, act)
	case err != nil:
		return stored, act.wrap(err)
	}
	return StoredConfig{Config: config, Raw: data, Version: stat.Version, Created: stat.Czxid}, nil
}

// checkZone refuses to set the property schedule.zone while Java agents serve the job, because they
// would fire at other times. A stored zone may stay.
func (o *Operator) checkZone(ctx context.Context, act action, config *jobconfig.Config) error {
	zone := config.Props[quartz.ZoneProp]
	if zone == "" {
		return nil
	}
	if stored, err := o.storedConfig(ctx, act); err == nil && stored.Config.Props[quartz.ZoneProp] == zone {
		return nil
	}
	job := o.ns.Job(act.job)
	ids, err := o.own(ctx, job, job.Instances())
	if err != nil {
		return act.wrap(err)
	}
	java, err := o.runs(act.job).JavaAgents(ctx, ids)
	if err != nil {
		return act.wrap(err)
	}
	if len(java) == 0 {
		return nil
	}
	return act.fail(ErrInvalid, "", "%w", refused("props."+quartz.ZoneProp, zone,
		"nothing while Java agents serve the job, because they ignore the property: stop %s, or set timeZone", strings.Join(java, ", ")))
}

// stale returns the conflict with the current configuration.
func (o *Operator) stale(ctx context.Context, act action) error {
	// The server was ahead of our read. Read at least its state.
	if err := o.client.Sync(ctx, o.ns.Root()); err != nil {
		return act.wrap(err)
	}
	stored, err := o.storedConfig(ctx, act)
	if err != nil && stored.Raw == nil {
		return err
	}
	return act.staleBy(stored)
}

func (a action) staleBy(stored StoredConfig) error {
	return a.fail(ErrConflict, "the configuration has changed since it was read; reload it and repeat the change", "%w", &StaleConfigError{stored})
}

// EditConfig changes the stored configuration with edit, and returns it before and after the
// change. With a revision it only changes that one, and returns ErrConflict with a
// *StaleConfigError if another is stored. Without a revision it changes the current one, and calls
// edit again after a concurrent change.
//
// An error of edit is returned as ErrInvalid. So is a result that [ValidateConfig] refuses because
// of a changed field. If nothing has changed, nothing is written. A first thread pool is stored
// under the agents' key, see [jobconfig.Dialect].
func (o *Operator) EditConfig(ctx context.Context, name, revision string, edit func(*jobconfig.Config) error) (before, after StoredConfig, err error) {
	act := action{"change configuration of", name, ""}
	for i := 1; ; i++ {
		if before, err = o.storedConfig(ctx, act); err != nil {
			return before, StoredConfig{}, err
		}
		if revision != "" && revision != before.Revision() {
			return before, StoredConfig{}, act.staleBy(before)
		}
		config := before.Config.Clone()
		if err := errors.Join(edit(config), ValidateChange(before.Config, config)); err != nil {
			return before, StoredConfig{}, act.fail(ErrInvalid, "", "%w", err)
		}
		if err := o.matchDialect(ctx, config, before); err != nil {
			return before, StoredConfig{}, act.wrap(err)
		}
		if config.Equal(before.Config) {
			return before, before, nil
		}
		after, err = o.setConfig(ctx, act, config, before.Version)
		if errors.Is(err, ErrConflict) && revision == "" && i < attempts {
			continue
		}
		return before, after, err
	}
}

// matchDialect stores the first thread pool of a configuration under the key that the agents know. Like
// agents, it decides by the rest of the document or by other jobs of the namespace. If they don't
// show a dialect, the edit's stays. Agents of one release stop firing if they find the other
// release's key.
func (o *Operator) matchDialect(ctx context.Context, config *jobconfig.Config, before StoredConfig) error {
	if config.Generation != jobconfig.Generation3x || config.ExecutorType == "" || before.Config.ExecutorType != "" {
		return nil
	}
	dialect, known := jobtree.DialectOf(before.Raw)
	if !known {
		names, err := o.children(ctx, o.ns.Root())
		if err != nil {
			return err
		}
		names = jobtree.DialectSample(names)
		documents, err := gather(ctx, len(names), func(ctx context.Context, i int) ([]byte, bool, error) {
			data, _, err := o.client.Get(ctx, o.ns.Job(names[i]).Config())
			return data, err == nil, zk.Ignore(zk.Ignore(err, zk.ErrNoNode), zk.ErrNoAuth) // no job, or none that we may read
		})
		if err != nil {
			return err
		}
		dialect, known = jobtree.CommonDialect(documents)
	}
	if known {
		config.Dialect = dialect
	}
	return nil
}

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
