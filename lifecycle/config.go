package lifecycle

import (
	"context"
	"errors"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Config reads the configuration of a job with the version to give to
// SetConfig. An unreadable one is ErrInvalid.
func (o *Operator) Config(ctx context.Context, name string) (*jobtree.Config, int32, error) {
	ord := order{"read configuration of", name, ""}
	if err := jobtree.ValidateJobName(name); err != nil {
		return nil, 0, ord.fail(ErrInvalid, "", "%w", err)
	}
	data, stat, err := o.client.Get(ctx, o.ns.Job(name).Config())
	if errors.Is(err, zk.ErrNoNode) {
		return nil, 0, ord.fail(ErrNotFound, "check the name and the namespace", "there is no job of this name: %w", err)
	}
	if err != nil {
		return nil, 0, ord.wrap(err)
	}
	config, err := jobtree.DecodeConfig(data)
	if err != nil {
		return nil, stat.Version, ord.fail(ErrInvalid, "agents cannot read it either; repair the node", "%w", err)
	}
	return config, stat.Version, nil
}

// SetConfig stores a configuration in place of the version it was read from and
// returns the new version. Keys that did not change, and keys nobody here knows,
// keep their bytes. ErrInvalid if the configuration does not validate or is not
// that of the job, ErrNotFound if there is no such job, ErrConflict if somebody
// stored another version meanwhile. Nothing is stored in either case. Agents take
// the change over at once.
func (o *Operator) SetConfig(ctx context.Context, name string, config *jobtree.Config, version int32) (int32, error) {
	ord := order{"store configuration of", name, ""}
	if err := config.Validate(); err != nil {
		return 0, ord.fail(ErrInvalid, "", "%w", err)
	}
	if config.Name != name {
		return 0, ord.fail(ErrInvalid, "a job cannot be renamed; create another one", "jobName is %q", config.Name)
	}
	data, err := config.Encode()
	if err != nil {
		return 0, ord.fail(ErrInvalid, "", "%w", err)
	}
	stat, err := o.client.Set(ctx, o.ns.Job(name).Config(), data, version)
	switch {
	case errors.Is(err, zk.ErrNoNode):
		return 0, ord.fail(ErrNotFound, "the job was removed", "there is no job of this name: %w", err)
	case errors.Is(err, zk.ErrBadVersion):
		return 0, ord.fail(ErrConflict, "somebody changed the configuration meanwhile; look at it again", "%w", err)
	case err != nil:
		return 0, ord.wrap(err)
	}
	return stat.Version, nil
}
