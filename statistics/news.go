package statistics

// News is a change in the namespace.
type News struct {
	// Job is the job that changed; empty if the list of jobs changed.
	Job string
	// Connection is set if the connection or the session changed, so anything may have changed.
	Connection bool
}

// OnChange calls fn after each change that a watching Reader notices, until cancel is called. Other
// Readers never call it. A node is only watched once it has been read, so read again after each
// call to hear of all changes. fn runs on the goroutine that receives from ZooKeeper: it must not
// block, and must not call the Reader.
func (r *Reader) OnChange(fn func(News)) (cancel func()) {
	if r.cache == nil {
		return func() {}
	}
	return r.cache.changed.Subscribe(fn)
}

func (k *cache) tell(path string) {
	var c News
	if job, below := k.ns.JobOf(path); below {
		c.Job = job.Name()
	}
	k.changed.Tell(c)
}
