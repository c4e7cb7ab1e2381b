package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Trigger asks every live instance of the job to run its shards once, now. The job may be in any
// state with a live instance. Instances on servers that aren't enabled are skipped, because they
// have no shards. If there are no others, it returns ErrConflict. Pending triggers are replaced,
// and triggers of instances that have left are removed.
func (o *Operator) Trigger(ctx context.Context, job string) (Outcome, error) {
	return o.trigger(ctx, action{"trigger", job, ""}, chosen{})
}

// TriggerServer is Trigger for the instances of one server.
func (o *Operator) TriggerServer(ctx context.Context, job, ip string) (Outcome, error) {
	act := action{"trigger", job, ip}
	if err := checkIP(act, ip); err != nil {
		return Outcome{}, err
	}
	return o.trigger(ctx, act, chosen{ip: ip})
}

// TriggerInstances is Trigger for the instances with these ids, at least one and at most a
// thousand. Each runs all of its shards. Instances that have left are skipped. If all have left, it
// returns ErrNoInstances.
func (o *Operator) TriggerInstances(ctx context.Context, job string, ids []string) (Outcome, error) {
	act := action{"trigger", job, strings.Join(ids[:min(len(ids), 3)], ", ")}
	if len(ids) == 0 || len(ids) > maxTriggered {
		return Outcome{}, act.fail(ErrInvalid, "name the instances to trigger", "%d instances are named, want 1 to %d", len(ids), maxTriggered)
	}
	for _, id := range ids {
		if err := jobtree.ValidateInstanceID(id); err != nil {
			return Outcome{}, act.fail(ErrInvalid, "name instances as the job lists them", "%q is not an instance id: %w", jobtree.Shown(id), err)
		}
	}
	return o.trigger(ctx, act, chosen{ids: ids})
}

const maxTriggered = 1000

// chosen are a trigger's instances: a server's, or some by id. The zero value means all.
type chosen struct {
	ip  string
	ids []string
}

func (c chosen) has(i instance) bool {
	return (c.ip == "" || i.ip == c.ip) && (c.ids == nil || slices.Contains(c.ids, i.id))
}

// none returns the error if there are no chosen instances.
func (c chosen) none(act action) error {
	switch {
	case c.ip != "":
		return act.fail(ErrNoInstances, "start a process that serves the job on this server", "no instance of %s is registered", c.ip)
	case c.ids != nil:
		return act.fail(ErrNoInstances, "reload the job's instances", "none of the named instances is registered")
	}
	return act.fail(ErrNoInstances, "start a process that serves the job", "no instance is registered")
}

func (o *Operator) trigger(ctx context.Context, act action, whom chosen) (Outcome, error) {
	return o.change(ctx, act, func(job jobtree.Job, generation jobconfig.Generation, out *Outcome) error {
		targets, err := o.triggerTargets(ctx, act, job, generation, whom, out)
		if err != nil {
			return err
		}
		for _, target := range targets {
			out.Affected = append(out.Affected, target.id)
		}
		if generation != jobconfig.Generation2x {
			return o.writeTriggers(ctx, job, targets)
		}
		var groups [][]zk.Op
		for _, target := range targets {
			groups = append(groups, []zk.Op{zk.SetOp(job.Instance(target.id), []byte(jobtree.LegacyTrigger), zk.AnyVersion)})
		}
		return o.apply(ctx, groups)
	})
}

// triggerTargets returns the instances to trigger and adds the others to out.Skipped.
func (o *Operator) triggerTargets(ctx context.Context, act action, job jobtree.Job, generation jobconfig.Generation, whom chosen, out *Outcome) ([]instance, error) {
	live, err := o.instances(ctx, job)
	if err != nil {
		return nil, err
	}
	servers, err := o.servers(ctx, job)
	if err != nil {
		return nil, err
	}
	byIP := make(map[string]server, len(servers))
	for _, s := range servers {
		byIP[s.ip] = s
	}
	data := func(ip string) ([]byte, bool) {
		s, registered := byIP[ip]
		return s.data, registered
	}
	for _, id := range whom.ids {
		if !slices.ContainsFunc(live, func(i instance) bool { return i.id == id }) {
			out.skip(id, SkipLeft, "it has left")
		}
	}
	var targets []instance
	asked := 0
	for _, each := range live {
		if !whom.has(each) {
			continue
		}
		asked++
		switch (jobtree.InstanceInfo{ID: each.id, ServerIP: each.ip}).Standing(generation, data) {
		case jobtree.ServerAbsent:
			out.skip(each.id, SkipServerAbsent, fmt.Sprintf("its server %s is not registered; agents give it no shards", each.ip))
		case jobtree.ServerOff:
			out.skip(each.id, SkipServerOff, fmt.Sprintf("its server %s is %q instead of enabled", each.ip, byIP[each.ip].data))
		case jobtree.Serves:
			targets = append(targets, each)
		}
	}
	switch {
	case asked == 0:
		return nil, whom.none(act)
	case len(targets) == 0:
		return nil, act.fail(ErrConflict, "enable the job or a server first", "no live instance is on an enabled server")
	}
	return targets, nil
}

// writeTriggers replaces the triggers of the targets and removes triggers of instances that have
// left. It deletes before creating, because an agent reacts to the creation. An agent that missed
// it would never notice a trigger that just stays.
func (o *Operator) writeTriggers(ctx context.Context, job jobtree.Job, targets []instance) error {
	pending, _, err := o.client.Children(ctx, job.Triggers())
	var groups [][]zk.Op
	switch {
	case errors.Is(err, zk.ErrNoNode):
		groups = append(groups, []zk.Op{zk.CreateOp(job.Triggers(), nil, zk.Persistent)})
	case err != nil:
		return err
	}
	isPending := make(map[string]bool, len(pending))
	for _, id := range pending {
		isPending[id] = true
	}
	for _, target := range targets {
		// The check ensures that the trigger doesn't outlive its instance.
		group := []zk.Op{zk.CheckOp(job.Instance(target.id), zk.AnyVersion)}
		if isPending[target.id] {
			group = append(group, zk.DeleteOp(job.Trigger(target.id), zk.AnyVersion))
			delete(isPending, target.id)
		}
		groups = append(groups, append(group, zk.CreateOp(job.Trigger(target.id), nil, zk.Persistent)))
	}
	for id := range isPending {
		_, live, err := o.client.Exists(ctx, job.Instance(id))
		if err != nil {
			return err
		}
		if !live {
			groups = append(groups, []zk.Op{zk.DeleteOp(job.Trigger(id), zk.AnyVersion)})
		}
	}
	return o.apply(ctx, groups)
}
