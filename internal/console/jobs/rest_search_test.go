package jobs

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

func TestSearch(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	guest := "Authorization: Bearer " + b.Token(t, auth.RoleGuest, auth.ForAPI)
	var found struct {
		Jobs []struct{ JobName, Status, Health string }
	}
	b.Call(t, http.MethodGet, "/api/search?q=inv", "", guest).Into(t, &found)
	if len(found.Jobs) == 0 || found.Jobs[0].JobName != "invoices" || found.Jobs[0].Health == "" || found.Jobs[0].Status == "" {
		t.Errorf("inv finds %+v", found.Jobs)
	}
	b.Call(t, http.MethodGet, "/api/search?q=e&limit=3", "", guest).Into(t, &found)
	if len(found.Jobs) != 3 {
		t.Errorf("three of many are %d", len(found.Jobs))
	}
	for _, wrong := range []string{"limit=0", "limit=101", "limit=x", "q=" + strings.Repeat("i", 101)} {
		consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/search?"+wrong, "", guest), http.StatusUnprocessableEntity)
	}
}
