package statistics

// News says that something in the namespace is no longer as it was read.
type News struct {
	// Job is the job that changed; empty for the list of jobs.
	Job string
	// Connection: the connection or the session changed, and with it perhaps
	// everything.
	Connection bool
}

// OnChange has fn called after each change that a Reader of [NewWatchingReader]
// notices, until cancel is called; any other Reader notices none. A change of what
// nobody has read since the last one is not announced: whoever wants to hear of
// all reads again after each. fn runs on the goroutine that receives from
// ZooKeeper: it must not wait, and must not call the Reader.
func (r *Reader) OnChange(fn func(News)) (cancel func()) {
	if r.cache == nil {
		return func() {}
	}
	return r.cache.changed.Subscribe(fn)
}

// tell announces the change of a node.
func (k *cache) tell(path string) {
	var c News
	if job, below := k.ns.JobOf(path); below {
		c.Job = job.Name()
	}
	k.changed.Tell(c)
}
