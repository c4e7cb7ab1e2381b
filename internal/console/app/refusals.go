package app

import (
	"cmp"
	"errors"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// The package lifecycle speaks English. What operators read of it on a page is said
// here in their language: the verb, the target, and what to do.

// word is the action in a sentence.
func (o Action) word(l i18n.Lang) string {
	if l == i18n.English {
		return o.Verb
	}
	if o.Label != nil {
		return o.Label(l)
	}
	for _, named := range Actions[:4] {
		if named.Verb == o.Verb {
			return named.Label(l)
		}
	}
	switch o.Verb {
	case RemoveServer.Verb:
		return l.RefusalRemoveEntry()
	case ClearRunning.Verb:
		return l.RefusalClearMarker()
	}
	return o.Verb
}

// in names the target in a sentence.
func (t Target) in(l i18n.Lang) string {
	switch {
	case t.IsShard:
		return l.RefusalShard(t.Item, t.Job)
	case t.Run != "":
		return l.RefusalRun(t.Run, t.Job)
	case t.IP == "":
		return t.Job
	case t.Job == "":
		return l.RefusalServer(t.IP)
	}
	return l.RefusalOn(t.Job, t.IP)
}

// because is [Because] for a page. Only lifecycle knows the cause in words, so that
// another language says what to do in its place.
func because(l i18n.Lang, err error) string {
	if l == i18n.English {
		return Because(err)
	}
	return cmp.Or(advice(l, err), Because(err))
}

// advice is the hint of an error of lifecycle, empty for none.
func advice(l i18n.Lang, err error) string {
	e, ok := errors.AsType[*lifecycle.Error](err)
	if !ok || e.Hint == "" {
		return ""
	}
	if said, ok := advices[e.Hint]; ok {
		return said(l)
	}
	return Sentence(e.Hint)
}

// advices are the hints of lifecycle. A test wants each of them here.
var advices = map[string]func(i18n.Lang) string{
	"check the name and the namespace":             i18n.Lang.RefusalCheckName,
	"agents can't read it either; repair the node": i18n.Lang.RefusalRepairNode,
	"a job cannot be renamed; create another one":  i18n.Lang.RefusalRename,
	"shorten the parameters":                       i18n.Lang.RefusalShorten,
	"the job was removed":                          i18n.Lang.RefusalRemoved,
	"the configuration has changed since it was read; reload it and repeat the change":                   i18n.Lang.RefusalChanged,
	"open that one, or choose another name":                                                              i18n.Lang.RefusalExists,
	"the page of the job lists its instances":                                                            i18n.Lang.RefusalInstances,
	"the nodes belong to another digest; connect the registry with that one":                             i18n.Lang.RefusalDigest,
	"the job keeps changing; reload it and repeat the action":                                            i18n.Lang.RefusalKeepsChanging,
	"the action was cancelled before ZooKeeper answered":                                                 i18n.Lang.RefusalGivenUp,
	"check whether the action took effect before repeating it":                                           i18n.Lang.RefusalLook,
	"move or delete it first":                                                                            i18n.Lang.RefusalForeign,
	"shut the job down, or stop its processes, first":                                                    i18n.Lang.RefusalAlive,
	"shut the server down first":                                                                         i18n.Lang.RefusalServerAlive,
	"servers register when a process that serves the job starts":                                         i18n.Lang.RefusalNoServers,
	"shards are numbered from 0":                                                                         i18n.Lang.RefusalNumbers,
	"shards appear when the job has been sharded; trigger it first":                                      i18n.Lang.RefusalUnsharded,
	"name the instances to trigger":                                                                      i18n.Lang.RefusalNameInstances,
	"name instances as the job lists them":                                                               i18n.Lang.RefusalAsListed,
	"reload the job's instances":                                                                         i18n.Lang.RefusalInstancesAgain,
	"reload Explain":                                                                                     i18n.Lang.RefusalExplain,
	"the job is still there; remove it again when the trace database answers":                            i18n.Lang.ProblemNotRecordedHint,
	"wait until it is a minute old":                                                                      i18n.Lang.RefusalWait,
	"stop that process if the run does not end":                                                          i18n.Lang.RefusalStop,
	"start a process that serves the job on this server":                                                 i18n.Lang.RefusalStartHere,
	"start a process that serves the job":                                                                i18n.Lang.RefusalStart,
	"enable the job or a server first":                                                                   i18n.Lang.RefusalEnable,
	"the dump service is off unless the process configures it, and listens on loopback by default":       i18n.Lang.RefusalDump,
	"wait until some have begun, or cancel some":                                                         i18n.Lang.RefusalQueueFull,
	"cancel the run first, or force the shutdown":                                                        i18n.Lang.RefusalRunActive,
	"only Go agents accept requested runs; trigger the job without parameters":                           i18n.Lang.RefusalNotGo,
	"name the instance of the marker, as Explain shows it, once you know that it does not run the shard": i18n.Lang.RefusalMarker,
}

// SkipReason says on a page why an action left a target alone.
func SkipReason(l i18n.Lang, skip lifecycle.Skip) string {
	switch {
	case skip.Why != lifecycle.SkipRefused:
	case errors.Is(skip.Err, lifecycle.ErrForbidden):
		return l.RefusalNotLet()
	default:
		return because(l, skip.Err)
	}
	if l != i18n.English {
		switch skip.Why {
		case lifecycle.SkipSame:
			return l.ProblemSoAlready()
		case lifecycle.SkipServerAbsent:
			return l.RefusalServerAbsent()
		case lifecycle.SkipServerOff:
			return l.ProblemServerOff()
		case lifecycle.SkipLeft:
			return l.RefusalLeft()
		}
	}
	return skip.Reason
}
