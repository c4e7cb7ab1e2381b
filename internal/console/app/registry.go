package app

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// DefaultRegistry is the name of the registry of the command line.
const DefaultRegistry = "default"

// registryKey is where a request keeps the registry it is about.
const registryKey = "console.registry"

// ActiveRegistry is the registry of a request: what the command line names, or
// one that was entered.
type ActiveRegistry struct {
	name string
	Registry
}

// Name is that of the registry, [DefaultRegistry] for the one of the command line.
func (r ActiveRegistry) Name() string { return r.name }

// RegistryOf returns the registry a request is about.
func (s *Console) RegistryOf(c *gin.Context) ActiveRegistry {
	at := s.connectedRegistry(c)
	if _, stale := SnapshotOf(c); stale {
		at.Jobs = at.Memory
	}
	return at
}

func (s *Console) connectedRegistry(c *gin.Context) ActiveRegistry {
	if found, ok := c.Get(registryKey); ok {
		return found.(ActiveRegistry)
	}
	return ActiveRegistry{DefaultRegistry, Registry{Jobs: s.opts.Jobs, Operator: s.opts.Operator, Health: s.opts.Health.Registry, Changes: s.opts.Changes, Memory: s.opts.Memory}}
}

// enter makes a request be about the registry it names in its address,
// or else the one that its token has connected. It returns what to do when the
// request was answered.
func (s *Console) enter(c *gin.Context) (leave func(), err error) {
	name := c.Query("registry")
	if SurfaceOf(c.Request.URL.Path) == Page {
		name = PlaceOf(c).name
	} else if name == "" {
		if name, err = s.Chosen(c, settings.KindRegistry); err != nil {
			return nil, err
		}
	}
	if name == "" || name == DefaultRegistry {
		return func() {}, nil
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	r, err := s.StoredRegistry(ctx, name)
	if err != nil {
		return nil, err
	}
	opened, release, err := s.opts.Registries.Use(ctx, r)
	if err != nil {
		return nil, RegistryProblem(name, err)
	}
	c.Set(registryKey, ActiveRegistry{name, opened})
	return release, nil
}

// Chosen is what the token of a request has connected, empty if nothing. Only
// clients of ElasticJob's own consoles do so; a page is about what its address
// says.
func (s *Console) Chosen(c *gin.Context, kind settings.Kind) (string, error) {
	who := Caller(c)
	if s.opts.Settings == nil || who.TokenID == "" || SurfaceOf(c.Request.URL.Path) != API {
		return "", nil
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	name, err := s.opts.Settings.Chosen(ctx, who.TokenID, kind)
	if err != nil {
		return "", SettingsDown(err)
	}
	return name, nil
}

// Choose remembers for the caller's token what it has connected.
func (s *Console) Choose(c *gin.Context, kind settings.Kind, name string) error {
	who := Caller(c)
	if who.TokenID == "" {
		if name == DefaultRegistry {
			return nil // as it is
		}
		return InvalidAs(i18n.Lang.ProblemBasic, i18n.Lang.ProblemBasicHint)
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	if err := s.opts.Settings.Choose(ctx, who.TokenID, who.Expires, s.opts.Clock(), kind, name); err != nil {
		return SettingsDown(err)
	}
	return nil
}

// RegistryList returns the registries, the one of the command line first.
func (s *Console) RegistryList(c *gin.Context) ([]settings.Registry, error) {
	return EntryList(s, c, Settings.Registries, s.OwnRegistry())
}

// OwnRegistry is the registry of the command line.
func (s *Console) OwnRegistry() settings.Registry {
	h := s.opts.Health.Registry()
	return settings.Registry{Name: DefaultRegistry, Servers: []string{h.Address}, Namespace: h.Namespace}
}

// EntryList returns the stored entries of a kind behind the ones of the command line.
func EntryList[E any](s *Console, c *gin.Context, of func(Settings) settings.Entries[E], fixed ...E) ([]E, error) {
	if s.opts.Settings == nil {
		return fixed, nil
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	stored, err := of(s.opts.Settings).List(ctx)
	if err != nil {
		return nil, SettingProblem(err, nil)
	}
	return append(fixed, stored...), nil
}

// StoredRegistry looks up a registry that was entered.
func (s *Console) StoredRegistry(ctx context.Context, name string) (settings.Registry, error) {
	return StoredEntry(ctx, s, Settings.Registries, name, NoSuchRegistry)
}

// StoredEntry looks up a stored entry of a kind; absent is the answer if there is none.
func StoredEntry[E any](
	ctx context.Context, s *Console, of func(Settings) settings.Entries[E], name string, absent func(string) *Problem,
) (entry E, err error) {
	if !s.KeepsSettings() {
		return entry, absent(name)
	}
	if entry, err = of(s.opts.Settings).Get(ctx, name); err != nil {
		return entry, SettingProblem(err, absent(name))
	}
	return entry, nil
}

// NoSuchRegistry is the answer about a registry that was not entered.
func NoSuchRegistry(name string) *Problem {
	p := NotFound("", "").Said(func(l i18n.Lang) (string, string) {
		return l.ProblemNoRegistry(strconv.Quote(view.Clip(name, 100))), l.ProblemRemovedList("/api/registry-center")
	})
	p.Code = "no_such_registry"
	return p
}

// RegistryProblem translates an error of opening or testing a registry. The
// reason is shown: the caller has just named the address himself.
func RegistryProblem(name string, err error) *Problem {
	if errors.Is(err, outbound.ErrForbidden) {
		return AddressForbidden(err)
	}
	return Problem{Kind: KindUnavailable, Code: CodeRegistryDown, Cause: err, Retry: ReloadSeconds}.Said(func(l i18n.Lang) (string, string) {
		quoted := strconv.Quote(view.Clip(name, 100))
		if errors.Is(err, statistics.ErrForbidden) {
			return l.ProblemNamespaceForbidden(quoted), l.ProblemNamespaceForbiddenHint()
		}
		return l.ProblemNoConnection(quoted, view.Clip(strings.TrimRight(err.Error(), "."), 300)), l.ProblemNoConnectionHint()
	})
}

// AddressForbidden is the answer about an address that the console may not
// connect to.
func AddressForbidden(err error) *Problem {
	return Problem{Kind: KindForbidden, Code: "address_not_allowed", Cause: err}.Said(func(l i18n.Lang) (string, string) {
		return l.ProblemNotAllowed(view.Clip(err.Error(), 300)), l.ProblemNotAllowedHint()
	})
}

// ErrNoSuchChroot says that the node does not exist that a connect string puts in the
// place of the root.
var ErrNoSuchChroot = errors.New("the chroot does not exist")

// RegistryReport is what a test of a registry found.
type RegistryReport struct {
	// Connected is how long it took until there was a session, RoundTrip how long one
	// read took.
	Connected, RoundTrip time.Duration
	// Chroot is what takes the place of the root, empty for the root itself.
	Chroot string
	// Found tells that the namespace exists; it has so many jobs, at most that if not
	// Exact.
	Found bool
	Jobs  int
	Exact bool
}

// Registry is an open registry.
type Registry struct {
	Jobs     Jobs
	Operator Operator
	// Health tells at once how the connection is.
	Health func() RegistryHealth
	// Memory and Changes are as those of [Options].
	Memory  Jobs
	Changes func(func(statistics.News)) (cancel func())
}
