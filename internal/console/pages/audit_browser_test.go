package pages

import (
	"flag"
	"net/http"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// axe is a file with axe-core, to run it on every page: make axe.
var axe = flag.String("axe", "", "the file axe.min.js, to run it on every page")

// TestEverybodyCanReadAndUseThePages opens the stories that an operator sees, in
// both themes, on a desk and on a phone, and wants no finding.
func TestEverybodyCanReadAndUseThePages(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	must(tab.SignIn(b.URL, "root", "r00t-Canary-7"))
	for _, width := range []int64{1440, 390} {
		must(tab.Size(width, 900))
		for _, dark := range []bool{false, true} {
			must(tab.Dark(dark))
			for _, story := range stories {
				if story.role != auth.RoleRoot || story.status != http.StatusOK {
					continue
				}
				if err := tab.Open(b.URL + story.path); err != nil {
					t.Fatal(err)
				}
				found, err := tab.Audit(*axe)
				if err != nil {
					t.Fatalf("%s: %v", story.name, err)
				}
				for _, finding := range found {
					t.Errorf("%s, %d px, dark %t: %s", story.name, width, dark, finding)
				}
			}
		}
	}
}
