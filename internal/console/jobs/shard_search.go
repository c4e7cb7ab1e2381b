package jobs

import (
	"net/url"
	"strconv"
	"strings"

	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// mostShardText is how many characters of a search for shards count.
const mostShardText = 100

// askSearch reads what shards the address looks for.
func (a *shardsAsked) askSearch(l i18n.Lang, v url.Values) (hints []string) {
	a.text, a.state = view.Clip(strings.TrimSpace(v.Get("q")), mostShardText), v.Get("state")
	var names []string
	for _, look := range pageui.ShardLooks {
		if names = append(names, look.Name); look.Name == a.state {
			return nil
		}
	}
	if a.state != "" {
		hints = append(hints, l.MatrixBadState(view.Clip(strconv.Quote(a.state), 40), view.Join(names)))
	}
	a.state = ""
	return hints
}

// searches reports whether not all shards are wanted.
func (a shardsAsked) searches() bool { return a.text != "" || a.state != "" }

// values are the parameters of the address but for the page.
func (a shardsAsked) values() url.Values {
	v := url.Values{}
	for key, value := range map[string]string{"order": a.order, "owner": a.owner, "q": a.text, "state": a.state} {
		if value != "" {
			v.Set(key, value)
		}
	}
	return v
}

// found are those of some shards that the address looks for: by number or a range of
// them, by a part of the parameter or of an instance, and by state.
func (b shardBoard) found(shards []statistics.Shard, a shardsAsked) []statistics.Shard {
	if !a.searches() {
		return shards
	}
	var list []statistics.Shard
	for _, s := range shards {
		if (a.state == "" || pageui.ShardLooks[b.state(s)].Name == a.state) && (a.text == "" || shardMatches(s, a.text)) {
			list = append(list, s)
		}
	}
	return list
}

// shardMatches reports whether a text finds a shard.
func shardMatches(s statistics.Shard, text string) bool {
	if n, err := strconv.Atoi(text); err == nil {
		return s.Item == n || s.Parameter == text
	}
	if from, to, ok := strings.Cut(strings.ReplaceAll(text, "–", "-"), "-"); ok {
		least, errA := strconv.Atoi(strings.TrimSpace(from))
		most, errB := strconv.Atoi(strings.TrimSpace(to))
		if errA == nil && errB == nil {
			return s.Item >= least && s.Item <= most
		}
	}
	text = strings.ToLower(text)
	for _, has := range []string{s.Parameter, s.Instance, s.RunningOn, s.Failover} {
		if strings.Contains(strings.ToLower(has), text) {
			return true
		}
	}
	return false
}

// search is the form that looks for shards; nil for a job that has few of them.
func (b shardBoard) search(a shardsAsked, href string) *jobs.ShardSearch {
	if len(b.job.Shards) <= matrixShards && !a.searches() {
		return nil
	}
	p := &jobs.ShardSearch{Action: href + "#h-shards", Text: a.text, Order: a.order, Owner: a.owner, States: []ui.Choice{{Label: b.l.MatrixAnyState(), Selected: a.state == ""}}}
	for state, n := range b.counts() {
		if look := pageui.ShardLooks[state]; n > 0 || look.Name == a.state {
			p.States = append(p.States, ui.Choice{Value: look.Name, Label: look.Cell(b.l) + " (" + view.Thousands(n) + ")", Selected: look.Name == a.state})
		}
	}
	return p
}
