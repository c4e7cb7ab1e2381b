package requested

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
)

// The cause of a write counts only if it's the only write to the same node since the last check.
func TestFollowed(t *testing.T) {
	t.Parallel()
	node := func(czxid int64, version int32, data string) recipe.Node {
		return recipe.Node{Exists: true, Data: []byte(data), Stat: zk.Stat{Czxid: czxid, Version: version}}
	}
	last := followedAll(node(7, 3, "before"))
	for name, c := range map[string]struct {
		last      followed
		node      recipe.Node
		what      string
		news, all bool
	}{
		"nothing since":       {last, node(7, 3, "before"), "", false, false},
		"with a cause":        {last, node(7, 4, "run"), "run", true, false},
		"without a cause":     {last, node(7, 4, ""), "", true, true},
		"two":                 {last, node(7, 5, "run"), "", true, true},
		"made again":          {last, node(9, 4, "run"), "", true, true},
		"absent":              {last, recipe.Node{}, "", true, true},
		"nothing read so far": {followed{}, node(7, 1, "run"), "", true, true},
		"absent until now":    {followedAll(recipe.Node{}), node(7, 0, "run"), "", true, true},
	} {
		if what, news, all := c.last.of(c.node); what != c.what || news != c.news || all != c.all {
			t.Errorf("%s: %q, news %t, all %t; want %q, %t, %t", name, what, news, all, c.what, c.news, c.all)
		}
	}
}
