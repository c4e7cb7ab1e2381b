package jobs

import (
	"net/http"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestTheMenuOfAllRows: it is once on the page, for whatever job it is opened at.
func TestTheMenuOfAllRows(t *testing.T) {
	t.Parallel()
	r := consoletest.New(t).As(t, auth.RoleRoot, http.MethodGet, "/jobs?pageSize=50", nil)
	menu := r.Doc(t).Find("[data-menu-pattern] a").Map(func(_ int, a *goquery.Selection) string {
		return a.AttrOr("data-testid", "") + " " + a.AttrOr("href", "")
	})
	if diff := cmp.Diff([]string{
		"do-disable /jobs/bulk?do=disable&job=%7B%7D&return=%2Fjobs%3FpageSize%3D50", "do-enable /jobs/bulk?do=enable&job=%7B%7D&return=%2Fjobs%3FpageSize%3D50", "explain /jobs/%7B%7D/explain",
		"do-shutdown /jobs/%7B%7D/shutdown", "do-remove /jobs/%7B%7D/remove",
	}, menu); diff != "" {
		t.Errorf("the menu of all rows (-want +got):\n%s", diff)
	}
}
