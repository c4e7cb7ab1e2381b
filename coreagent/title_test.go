package coreagent

import (
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// TestW17Title: a title is a property of the stored job, and one line of at most 100 characters.
func TestW17Title(t *testing.T) {
	t.Parallel()
	for title, fine := range map[string]bool{"夜间清理": true, strings.Repeat("夜", 100): true, strings.Repeat("夜", 101): false, "a\nb": false, "\xff": false} {
		c, err := Job{Name: "cleanup", Shards: 1, Title: title}.config(HandlerFunc(nil))
		if (err == nil) != fine || fine && c.Props[jobconfig.PropTitle] != title || !fine && !strings.Contains(err.Error(), "Title: ") {
			t.Errorf("%q: %v", title, err)
		}
	}
	c, err := Job{Name: "cleanup", Shards: 1}.config(HandlerFunc(nil))
	if err != nil || len(c.Props) > 0 {
		t.Errorf("no title: %v, %v", c.Props, err)
	}
}
