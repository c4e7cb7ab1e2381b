package app

import (
	"context"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/notices"
	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Cloud is what a console needs of ElasticJob-Cloud. All fields but Zone and
// Unnotified are required.
type Cloud struct {
	// Store keeps applications and jobs, Engine runs their tasks.
	Store  cloud.Store
	Engine cloud.Engine
	// Seen is what both have reported to the scheduler of this process.
	Seen CloudSeen
	// Zone is that of jobs that name none. Nil is UTC.
	Zone *time.Location
	// Record takes rows of executions that processes of DAEMON jobs report; an error says
	// that they cannot be stored now, and none of them is.
	Record func(rows []tracing.Execution) error
	// ReadTree reads the tree of another scheduler.
	ReadTree ReadCloudTree
	// Unnotified says why nobody is notified of failed runs of a job; nil if somebody is, or
	// if the job asks for nobody. It is nil where nothing is known about that.
	Unnotified func(j cloud.Job) *notices.Problem
	// Namespaces are those of a cluster that are served; what says of none is made in the
	// first. Empty where the engine has none.
	Namespaces []string
}

// CloudSeen reads what there is without asking for it. It may be a moment behind.
type CloudSeen interface {
	// Leads reports whether this process schedules, Synced whether store and engine can be
	// read at present.
	Leads() bool
	Synced() bool
	// Health returns why they can't be read, nil if they can; since is zero if they never could
	// be read. A process that doesn't lead reports why it can't take part in the election.
	Health() (since time.Time, err error)
	// Apps and Jobs come by name, Runs of a job, or of all for "", the newest first.
	Apps() []cloud.App
	Jobs() []cloud.Definition
	Runs(job string) []cloud.RunStatus
	// FindRun is one with its tasks, FindTask the one of a UID; false if there is none.
	FindRun(name string) (cloud.RunStatus, []cloud.Task, bool)
	FindTask(uid string) (cloud.Task, bool)
	// Reconcile has what the engine has be read anew, and with all what the store has too. A
	// caller that comes too soon gets the time to wait, and nothing is read.
	Reconcile(all bool) (wait time.Duration)
}

// ReadCloudTree reads a tree of ElasticJob-Cloud in a registry that a user entered. If r is nil, it
// reads the command line's registry. It returns the errors of [zkstore.ReadTree], and also
// [outbound.ErrForbidden] if the console may not connect there and [ErrNoSuchChroot] if the registry
// lacks the chroot; use [errors.Is].
type ReadCloudTree func(ctx context.Context, r *settings.Registry, namespace string) (zkstore.Tree, error)
