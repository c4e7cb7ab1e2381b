package console

import (
	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// EffectWords says what happens when a configuration is saved, and in which tone.
func EffectWords(l i18n.Lang, e editor.Effect) (ui.Tone, string) {
	switch e.Code {
	case editor.Reschedules:
		return ui.ToneRun, l.ConfigEffectReschedules(e.N)
	case editor.AppliesLater:
		return ui.ToneWarn, l.ConfigEffectAppliesLater()
	case editor.AppliesAtOnce:
		return ui.ToneRun, l.ConfigEffectAppliesAtOnce(e.N)
	case editor.FireDropped:
		return ui.ToneWarn, l.ConfigEffectFireDropped(view.DateTime(e.At).Text)
	case editor.NotMadeUp:
		return ui.ToneWarn, l.ConfigEffectNotMadeUp()
	case editor.StillMadeUp:
		return ui.ToneOK, l.ConfigEffectStillMadeUp()
	case editor.NoMisfire:
		return ui.ToneWarn, l.ConfigEffectNoMisfire()
	case editor.Reshards:
		if e.Waits > 0 {
			return ui.ToneWarn, l.ConfigEffectReshards(e.N) + " " + l.ConfigEffectReshardsWaits(e.Waits)
		}
		return ui.ToneWarn, l.ConfigEffectReshards(e.N)
	case editor.ReshardsSomehow:
		return ui.ToneWarn, l.ConfigEffectReshardsSomehow()
	case editor.ShardsNew:
		return ui.ToneRun, l.ConfigEffectShardsNew(e.N)
	case editor.ShardsFewer:
		return ui.ToneWarn, l.ConfigEffectShardsFewer(e.N)
	case editor.StrategyLater:
		return ui.ToneOK, l.ConfigEffectStrategyLater()
	case editor.NoParameter:
		return ui.ToneWarn, l.ConfigEffectNoParameter(e.N, e.M)
	case editor.FailoverIdle:
		return ui.ToneWarn, l.ConfigEffectFailoverIdle()
	case editor.Unmonitored:
		return ui.ToneWarn, l.ConfigEffectUnmonitored()
	case editor.DisabledAtStart:
		return ui.ToneOff, l.ConfigEffectDisabledAtStart()
	case editor.Overwritten:
		return ui.ToneWarn, l.ConfigEffectOverwritten()
	case editor.GoOnly:
		return ui.ToneWarn, l.ConfigEffectGoOnly(e.Name)
	case editor.Readable:
		return ui.ToneOK, l.ConfigEffectReadable()
	case editor.ReadableUpTo304:
		return ui.ToneOK, l.ConfigEffectReadableUpTo304()
	case editor.ReadableFrom305:
		return ui.ToneOK, l.ConfigEffectReadableFrom305()
	case editor.Readable2x:
		return ui.ToneOK, l.ConfigEffectReadable2x()
	case editor.NothingChanges:
	}
	return ui.ToneQuiet, l.ConfigEffectNothing()
}

// EffectFacts asks what the effects of a change depend on. What cannot be read is
// left out: the review is about what was typed.
func (s *Console) EffectFacts(c *gin.Context, name string, before, after *jobconfig.Config) editor.Facts {
	f := editor.Facts{Now: s.Now()}
	job, err := s.LookUp(c, name)
	if err != nil {
		return f
	}
	f.Live = len(job.Instances)
	if before.Shards == after.Shards || f.Live == 0 {
		return f
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	plan, err := s.RegistryOf(c).Jobs.PlanReshard(ctx, name, statistics.Change{Shards: after.Shards, Strategy: after.StrategyType})
	if err != nil {
		return f
	}
	f.Planned, f.Waits = true, len(plan.Waits)
	for _, m := range plan.Moves {
		if m.From != "" && m.To != "" {
			f.Moves++
		}
	}
	return f
}
