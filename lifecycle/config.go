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

// StoredConfig is a job's configuration as it stands in the tree.
type StoredConfig struct {
	// Config is nil if nobody can read Raw.
	Config *jobconfig.Config
	// Raw is the stored text.
	Raw []byte
	// Version is that of the node; it counts the changes.
	Version int32
	// Created is the transaction that made the node.
	Created int64
}

// Revision names this state of the configuration among all that a job of this
// name ever had. The version alone does not: it starts again at zero when a job
// is removed and registers anew.
func (s StoredConfig) Revision() string { return fmt.Sprintf("%d-%x", s.Version, s.Created) }

// StaleConfigError says that somebody stored another configuration than the one
// a change was based on. It is the cause of an [ErrConflict].
type StaleConfigError struct {
	// Stored is what stands there now.
	Stored StoredConfig
}

// Error names the revision that stands there now.
func (e *StaleConfigError) Error() string {
	return "the configuration was changed meanwhile, to revision " + e.Stored.Revision()
}

// Config reads the configuration of a job with the version to give to
// SetConfig. An unreadable one is ErrInvalid.
func (o *Operator) Config(ctx context.Context, name string) (*jobconfig.Config, int32, error) {
	act := action{"read configuration of", name, ""}
	stored, err := o.storedConfig(ctx, act)
	if err != nil {
		return nil, stored.Version, err
	}
	return stored.Config, stored.Version, nil
}

// StoredConfig reads the configuration of a job with all that is known of it.
// An unreadable one is ErrInvalid, and Raw is set all the same.
func (o *Operator) StoredConfig(ctx context.Context, name string) (StoredConfig, error) {
	return o.storedConfig(ctx, action{"read configuration of", name, ""})
}

func (o *Operator) storedConfig(ctx context.Context, act action) (StoredConfig, error) {
	if err := jobtree.ValidateNodeName(act.job); err != nil {
		return StoredConfig{}, act.fail(ErrInvalid, "", "%w", err)
	}
	data, stat, err := o.client.Get(ctx, o.ns.Job(act.job).Config())
	if errors.Is(err, zk.ErrNoNode) {
		return StoredConfig{}, act.fail(ErrNotFound, "check the name and the namespace", "there is no job of this name: %w", err)
	}
	if err != nil {
		return StoredConfig{}, act.wrap(err)
	}
	stored := StoredConfig{Raw: data, Version: stat.Version, Created: stat.Czxid}
	if stored.Config, err = jobconfig.Decode(data); err != nil {
		return stored, act.fail(ErrInvalid, "agents cannot read it either; repair the node", "%w", err)
	}
	return stored, nil
}

// SetConfig stores a configuration in place of the version it was read from and
// returns the new version. Keys that did not change, and keys nobody here knows,
// keep their bytes. ErrInvalid if the configuration does not validate, is not
// that of the job, or sets schedule.zone while agents of Java serve the job;
// ErrNotFound if there is no such job, ErrConflict if somebody stored another
// version meanwhile; a *StaleConfigError then tells which. Nothing is stored in
// either case. Agents take the change over at once.
func (o *Operator) SetConfig(ctx context.Context, name string, config *jobconfig.Config, version int32) (int32, error) {
	act := action{"store configuration of", name, ""}
	if err := errors.Join(config.Validate(), validateSchedule(config)); err != nil {
		return 0, act.fail(ErrInvalid, "", "%w", err)
	}
	return o.setConfig(ctx, act, config, version)
}

func (o *Operator) setConfig(ctx context.Context, act action, config *jobconfig.Config, version int32) (int32, error) {
	if config.Name != act.job {
		return 0, act.fail(ErrInvalid, "a job cannot be renamed; create another one", "jobName is %q", config.Name)
	}
	data, err := config.Encode()
	if err != nil {
		return 0, act.fail(ErrInvalid, "", "%w", err)
	}
	if len(data) > zk.MaxTransaction {
		// The server closes the connection on a longer request instead of answering.
		return 0, act.fail(ErrInvalid, "shorten the parameters", "the configuration has %d bytes, and ZooKeeper takes %d", len(data), zk.MaxTransaction)
	}
	if err := o.checkZone(ctx, act, config); err != nil {
		return 0, err
	}
	stat, err := o.client.Set(ctx, o.ns.Job(act.job).Config(), data, version)
	switch {
	case errors.Is(err, zk.ErrNoNode):
		return 0, act.fail(ErrNotFound, "the job was removed", "there is no job of this name: %w", err)
	case errors.Is(err, zk.ErrBadVersion):
		return 0, o.stale(ctx, act)
	case err != nil:
		return 0, act.wrap(err)
	}
	return stat.Version, nil
}

// checkZone refuses to set the property schedule.zone while agents of Java serve the job:
// they would fire at other times. A stored zone may stay.
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
		"nothing while agents of Java serve the job, which don't know the property: stop %s, or set timeZone", strings.Join(java, ", ")))
}

// stale is the conflict with what is stored now.
func (o *Operator) stale(ctx context.Context, act action) error {
	// What the server said was ahead of what we read; read at least that.
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
	return a.fail(ErrConflict, "somebody changed the configuration meanwhile; look at it again", "%w", &StaleConfigError{stored})
}

// EditConfig changes the stored configuration by edit and returns what was
// stored before and what is now. With a revision the change is made to that one
// only; ErrConflict with a *StaleConfigError if another stands there. Without,
// it is made to whatever stands there, and edit is called again if somebody else
// was quicker. An error of edit is returned as ErrInvalid, and so is a result
// that [ValidateConfig] refuses for a field that was stored otherwise before. A change that changes nothing writes nothing. A
// thread pool in a configuration that had none is stored in the words of the
// agents that are to read it, see [jobconfig.Dialect].
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
		if err := o.speak(ctx, config, before); err != nil {
			return before, StoredConfig{}, act.wrap(err)
		}
		if config.Equal(before.Config) {
			return before, before, nil
		}
		version, err := o.setConfig(ctx, act, config, before.Version)
		if errors.Is(err, ErrConflict) && revision == "" && i < attempts {
			continue
		}
		if err != nil {
			return before, StoredConfig{}, err
		}
		data, err := config.Encode()
		if err != nil { // it was encoded just now
			return before, StoredConfig{}, act.fail(ErrInvalid, "", "%w", err)
		}
		return before, StoredConfig{Config: config, Raw: data, Version: version, Created: before.Created}, nil
	}
}

// speak puts the first thread pool of a configuration under the key that the
// agents know: by what else is stored, or by other jobs of the namespace, which is
// how agents decide. Where nothing tells, the edit has decided. Agents of one
// release stop to fire at the key of the other.
func (o *Operator) speak(ctx context.Context, config *jobconfig.Config, before StoredConfig) error {
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
		documents := make([][]byte, len(names))
		if err := each(ctx, len(names), func(ctx context.Context, i int) (err error) {
			documents[i], _, err = o.client.Get(ctx, o.ns.Job(names[i]).Config())
			if errors.Is(err, zk.ErrNoNode) || errors.Is(err, zk.ErrNoAuth) {
				return nil // no job, or none of ours to read
			}
			return err
		}); err != nil {
			return err
		}
		dialect, known = jobtree.CommonDialect(documents)
	}
	if known {
		config.Dialect = dialect
	}
	return nil
}
