package app

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
)

// basicAuth identifies a caller of the API by HTTP Basic, where the console was
// started to take it: scripts for ElasticJob 2.x know nothing else. The password
// comes with every request and is throttled as at the login; there is no session,
// so nothing can be connected, renewed or ended. asked is false for a request
// that does not try.
func (s *Console) basicAuth(c *gin.Context) (who auth.Identity, asked bool, err error) {
	if !s.opts.APIBasicAuth || !strings.HasPrefix(c.Request.URL.Path, "/api/") {
		return who, false, nil
	}
	name, password, asked := c.Request.BasicAuth()
	if !asked {
		return who, false, nil
	}
	acc, wait, ok := s.checkPassword(c, name, password)
	switch {
	case wait > 0:
		return who, true, TooMany(auth.RetryAfter(wait))
	case !ok:
		return who, true, WrongPasswordProblem()
	}
	now := s.opts.Clock()
	return auth.Identity{Name: acc.Name, Role: acc.Role, Expires: now, Since: now}, true, nil
}

// challenges say how a request has to identify itself. Browsers are not sent
// Basic: they would ask for the password in a window of their own and then send
// it with whatever a page makes them ask for.
func (s *Console) challenges(r *http.Request) []string {
	list := []string{`Bearer realm="elasticjob"`}
	if s.opts.APIBasicAuth && r.Header.Get("Sec-Fetch-Site") == "" {
		list = append(list, `Basic realm="elasticjob", charset="UTF-8"`)
	}
	return list
}
