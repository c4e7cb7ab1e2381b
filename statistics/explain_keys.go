package statistics

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// asksAround reports whether to compare the configuration with other jobs, because its keys may not
// match the release of the job's Java agents.
func (e *evidence) asksAround() bool {
	return e.decoded != nil && e.decoded.Generation == jobconfig.Generation3x && e.decoded.ExecutorType != "" && len(e.javaAgents()) > 0
}

// neighbours reads the configurations of a sample of other jobs.
func (f *fetcher) neighbours(ctx context.Context, ns jobtree.Namespace, e *evidence) error {
	names, err := f.children(ctx, ns.Root())
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(jobtree.DialectSample(names), func(name string) bool { return name == e.job.Name() })
	e.around = make([][]byte, len(names))
	return each(ctx, len(names), func(ctx context.Context, i int) error {
		n, err := f.node(ctx, ns.Job(names[i]).Config())
		e.around[i] = []byte(n.data)
		if errors.Is(err, zk.ErrNoAuth) {
			return nil // The other jobs should be enough.
		}
		return err
	})
}

// judgeKeys adds findings about keys for which Java agents fail.
func (d *diagnosis) judgeKeys() {
	if d.generation() != jobconfig.Generation3x || d.decoded == nil || d.depth == forList && len(d.javaAgents()) == 0 {
		return
	}
	if unknown := d.decoded.UnknownKeys(); len(unknown) > 0 {
		slices.Sort(unknown)
		d.keyFinding(unknown[0], fmt.Sprintf("No release of ElasticJob 3.0.x knows all keys of the configuration, namely not %s", list(unknown)))
		return
	}
	if d.decoded.ExecutorType == "" {
		return
	}
	key := d.decoded.Dialect.ExecutorKey()
	if traced, known := jobtree.TracingDialect([]byte(d.config.data)); known && traced != d.decoded.Dialect {
		d.keyFinding(key, fmt.Sprintf("%s belongs to ElasticJob %s and the tracing settings beside it to %s, and no release reads both", key, release(d.decoded.Dialect), release(traced)))
		return
	}
	if common, known := jobtree.CommonDialect(d.around); known && common != d.decoded.Dialect {
		d.found(Finding{
			Code: CodeConfigOtherRelease, Effect: EffectNothing, Field: key, Since: d.config.stat.Mtime,
			Sentence: fmt.Sprintf("%s is a key of ElasticJob %s, and other jobs of the namespace speak for %s: if that is the release of this job's Java agents (%s), they fail at every fire time.",
				key, release(d.decoded.Dialect), release(common), list(d.javaAgents())),
			Advice: fmt.Sprintf("Look into their logs. If they contain \"Unable to find property\", rename the key to %s in the configuration's node.", common.ExecutorKey()),
		}, d.config)
	}
}

// keyFinding adds the finding that Java agents fail because of a key.
func (d *diagnosis) keyFinding(key, why string) {
	java := d.javaAgents()
	f := Finding{
		Code: CodeConfigKeyUnknown, Effect: EffectServer, Field: key, Since: d.config.stat.Mtime,
		Sentence: fmt.Sprintf("%s: its agents (%s) fail at every fire time with an error in their logs.", why, list(java)),
		Advice:   "Correct the key in the configuration's node, or take it away; Java agents follow at once. Agents written in Go leave unknown keys alone.",
	}
	switch len(java) {
	case 0:
		f.Effect, f.Sentence = EffectNothing, why+": a Java agent would fail at every fire time."
	case len(d.instanceIDs):
		f.Effect = EffectJob
	default:
		f.Instance, f.Server = java[0], jobtree.InstanceIP(java[0])
		for _, item := range d.items {
			if slices.Contains(java, item.instance.data) {
				f.Effect, f.Items = EffectShards, append(f.Items, item.number)
			}
		}
	}
	d.found(f, d.config)
}

func release(d jobconfig.Dialect) string {
	if d == jobconfig.Dialect305 {
		return "3.0.5"
	}
	return "up to 3.0.4"
}
