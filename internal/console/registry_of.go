package console

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// defaultRegistry is the name of the registry centre of the command line.
const defaultRegistry = "default"

// centreKey is where a request keeps the registry centre it is about.
const centreKey = "console.registry"

// centre is the registry centre of a request: what the command line names, or
// one that was entered.
type centre struct {
	name string
	Registry
}

// centreOf returns the registry centre a request is about.
func (s *Console) centreOf(c *gin.Context) centre {
	if found, ok := c.Get(centreKey); ok {
		return found.(centre)
	}
	return centre{defaultRegistry, Registry{Jobs: s.opts.Jobs, Operator: s.opts.Operator, Health: s.opts.Health.Registry}}
}

// enter makes a request be about the registry centre it names in its address,
// or else the one that its token has connected. It returns what to do when the
// request was answered.
func (s *Console) enter(c *gin.Context) (leave func(), err error) {
	name := c.Query("registry")
	if surfaceOf(c.Request.URL.Path) == page {
		name = placeOf(c).name
	} else if name == "" {
		if name, err = s.chosen(c, settings.KindRegistry); err != nil {
			return nil, err
		}
	}
	if name == "" || name == defaultRegistry {
		return func() {}, nil
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	r, err := s.storedRegistry(ctx, name)
	if err != nil {
		return nil, err
	}
	opened, release, err := s.opts.Centres.Use(ctx, r)
	if err != nil {
		return nil, centreProblem(name, err)
	}
	c.Set(centreKey, centre{name, opened})
	return release, nil
}

// chosen is what the token of a request has connected, empty if nothing. Only
// clients of ElasticJob's own consoles do so; a page is about what its address
// says.
func (s *Console) chosen(c *gin.Context, kind settings.Kind) (string, error) {
	who := caller(c)
	if s.opts.Settings == nil || who.TokenID == "" || surfaceOf(c.Request.URL.Path) != api {
		return "", nil
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	name, err := s.opts.Settings.Chosen(ctx, who.TokenID, kind)
	if err != nil {
		return "", settingsDown(err)
	}
	return name, nil
}

// choose remembers for the caller's token what it has connected.
func (s *Console) choose(c *gin.Context, kind settings.Kind, name string) error {
	who := caller(c)
	if who.TokenID == "" {
		if name == defaultRegistry {
			return nil // as it is
		}
		return invalid("A request with HTTP Basic has no session that could remember what it connects.",
			"Name it in each request, with ?registry= or ?dataSource=, or sign in with POST /api/login. Nothing was stored.")
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	if err := s.opts.Settings.Choose(ctx, who.TokenID, who.Expires, s.opts.Clock(), kind, name); err != nil {
		return settingsDown(err)
	}
	return nil
}

// storedRegistry looks up a registry centre that was entered.
func (s *Console) storedRegistry(ctx context.Context, name string) (settings.Registry, error) {
	if s.opts.Settings == nil || s.opts.Centres == nil {
		return settings.Registry{}, noSuchRegistry(name)
	}
	r, err := s.opts.Settings.Registry(ctx, name)
	if err != nil {
		return r, settingProblem(err, noSuchRegistry(name))
	}
	return r, nil
}

func noSuchRegistry(name string) *problem {
	p := notFound(fmt.Sprintf("There is no registry centre %q.", view.Clip(name, 100)), "It may have been removed. GET /api/registry-center lists those there are.")
	p.code = "no_such_registry"
	return p
}

// settingProblem translates an error of the console's own database; absent is
// the answer if there is nothing of the name.
func settingProblem(err error, absent *problem) *problem {
	switch {
	case errors.Is(err, settings.ErrNotFound):
		return absent
	case errors.Is(err, settings.ErrWrongKey):
		p := settingsDown(err)
		p.code, p.message = "wrong_key", "A stored secret cannot be decrypted."
		p.hint = "The console was started with another key than the one it was encrypted with. Start it with that key, or remove the entry and enter it again."
		return p
	}
	return settingsDown(err)
}

// centreProblem translates an error of opening or testing a registry centre. The
// reason is told: the caller has just named the address himself.
func centreProblem(name string, err error) *problem {
	if errors.Is(err, outbound.ErrForbidden) {
		return addressForbidden(err)
	}
	p := &problem{
		kind: kindUnavailable, code: codeRegistryDown, cause: err, retry: reloadSeconds,
		message: fmt.Sprintf("The registry centre %q cannot be connected to: %s.", view.Clip(name, 100), view.Clip(strings.TrimRight(err.Error(), "."), 300)),
		hint:    "Check address and digest, and that ZooKeeper runs and can be reached from here.",
	}
	if errors.Is(err, statistics.ErrForbidden) {
		p.message = fmt.Sprintf("The registry centre %q does not let the console read its namespace.", view.Clip(name, 100))
		p.hint = "Check the digest."
	}
	return p
}

func addressForbidden(err error) *problem {
	return &problem{
		kind: kindForbidden, code: "address_not_allowed", cause: err,
		message: "The console may not connect there: " + view.Clip(err.Error(), 300) + ".",
		hint:    "Start it with --allow-hosts to let it. Nothing was connected to.",
	}
}

// Registry is an open registry.
type Registry struct {
	Jobs     Jobs
	Operator Operator
	// Health tells at once how the connection is.
	Health func() RegistryHealth
}

// Centres are the connections to registry centres that were entered.
type Centres interface {
	// Allowed reports whether all addresses may be connected to.
	Allowed(servers []string) error
	// Servers takes a connect string to pieces, as they are stored.
	Servers(text string) ([]string, error)
	// Check says which field of a centre keeps it from being spoken to and what it
	// should be; both are empty if none does. It quotes nothing: any of them may be
	// a secret.
	Check(r settings.Registry) (field, want string)
	// Test connects to a centre and ends the connection. An error matches
	// [statistics.ErrForbidden] if the console may not read the namespace.
	Test(ctx context.Context, r settings.Registry) error
	// Use opens a centre, or takes the connection there is; release gives it
	// back.
	Use(ctx context.Context, r settings.Registry) (opened Registry, release func(), err error)
	// Forget closes the connection to a centre that was changed or removed.
	Forget(name string)
}
