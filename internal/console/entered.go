package console

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// RegistryBody is ElasticJob's RegistryCenterConfiguration, except that its
// digest is never shown.
type RegistryBody struct {
	Name      string `json:"name"`
	Servers   string `json:"zkAddressList"`
	Namespace string `json:"namespace"`
	HasDigest bool   `json:"hasDigest"`
	// TLS is absent without it; the private key is never shown.
	TLS *RegistryTLS `json:"tls,omitempty"`
	ACL string       `json:"acl,omitempty"`
	// Activated: requests of this token that name none are about it.
	Activated bool `json:"activated"`
	// Fixed: it is that of the command line, and cannot be changed here.
	Fixed bool `json:"fixed"`
}

// RegistryTLS says how a registry is spoken to over TLS.
type RegistryTLS struct {
	Enabled    bool   `json:"enabled"`
	CA         string `json:"ca,omitempty"`
	Cert       string `json:"cert,omitempty"`
	Key        string `json:"key,omitempty"` // only of requests
	ServerName string `json:"serverName,omitempty"`
}

// RegistryRequest enters or changes one. An absent digest stays as it is, and so
// do tls and acl.
type RegistryRequest struct {
	Name      string  `json:"name"`
	Servers   string  `json:"zkAddressList"`
	Namespace string  `json:"namespace"`
	Digest    *string `json:"digest"`
	// TLS is replaced as a whole, except that an absent key stays with its certificate.
	TLS *RegistryTLS `json:"tls"`
	ACL *string      `json:"acl"`
}

// NoSettings is the answer of a console without a database of its own.
func NoSettings() *Problem {
	return Problem{Kind: KindUnavailable, Code: "no_settings"}.SaidAs(i18n.Lang.ProblemNoOwn, i18n.Lang.ProblemNoOwnHint)
}

// RegistryList returns the registries, that of the command line first.
func (s *Console) RegistryList(c *gin.Context) ([]RegistryBody, error) {
	active, err := s.Chosen(c, settings.KindRegistry)
	if err != nil {
		return nil, err
	}
	h := s.opts.Health.Registry()
	list := []RegistryBody{{
		Name: DefaultRegistry, Servers: h.Address, Namespace: h.Namespace, Fixed: true, Activated: active == "" || active == DefaultRegistry,
	}}
	if s.opts.Settings == nil {
		return list, nil
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	stored, err := s.opts.Settings.Registries(ctx)
	if err != nil {
		return nil, SettingProblem(err, nil)
	}
	for _, r := range stored {
		body := RegistryJSON(r)
		body.Activated = r.Name == active
		list = append(list, body)
	}
	return list, nil
}

// RegistryJSON is a stored registry as callers see it: without its
// secrets.
func RegistryJSON(r settings.Registry) RegistryBody {
	body := RegistryBody{Name: r.Name, Servers: strings.Join(r.Servers, ","), Namespace: r.Namespace, HasDigest: r.Digest != "", ACL: r.Access.ACL}
	if r.Access.TLS {
		body.TLS = &RegistryTLS{Enabled: true, CA: r.Access.CA, Cert: r.Access.Cert, ServerName: r.Access.ServerName}
	}
	return body
}

// AddRegistry checks a registry and stores it.
func (s *Console) AddRegistry(c *gin.Context, in RegistryRequest) (settings.Registry, error) {
	if s.opts.Settings == nil || s.opts.Registries == nil {
		return settings.Registry{}, NoSettings()
	}
	r, err := s.RegistryFrom(in, settings.Registry{})
	switch {
	case err != nil:
		return r, err
	case r.Name == DefaultRegistry:
		return r, SettingExists(i18n.Lang.ProblemKindRegistry, r.Name)
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	err = s.opts.Settings.Add(ctx, []settings.Registry{r}, nil)
	switch {
	case errors.Is(err, settings.ErrExists):
		return r, SettingExists(i18n.Lang.ProblemKindRegistry, r.Name)
	case err != nil:
		return r, SettingProblem(err, nil)
	}
	return r, nil
}

// ChangeRegistry stores another address, digest or way for a registry that was
// entered.
func (s *Console) ChangeRegistry(c *gin.Context, r settings.Registry) error {
	ctx, cancel := s.Reading(c)
	defer cancel()
	if err := s.opts.Settings.ChangeRegistry(ctx, r); err != nil {
		return SettingProblem(err, NoSuchRegistry(r.Name))
	}
	s.opts.Registries.Forget(r.Name)
	return nil
}

// EnteredRegistry is the registry that was entered under a name, to be changed or
// removed.
func (s *Console) EnteredRegistry(c *gin.Context, name string) (settings.Registry, error) {
	if name == DefaultRegistry {
		return settings.Registry{}, SettingFixed(i18n.Lang.ProblemKindRegistry)
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	return s.StoredRegistry(ctx, name)
}

// OpenedRegistry is the connection that there is to a registry, by its name; none is
// opened.
func (s *Console) OpenedRegistry(ctx context.Context, name string) (opened Registry, release func(), open bool) {
	if name == DefaultRegistry {
		return Registry{Jobs: s.opts.Jobs, Operator: s.opts.Operator, Health: s.opts.Health.Registry}, func() {}, true
	}
	r, err := s.StoredRegistry(ctx, name)
	if err != nil {
		return Registry{}, nil, false
	}
	return s.opts.Registries.Opened(r)
}

// ProbeRegistry connects to a registry that need not have been entered, and tells
// what it found. Nothing is remembered.
func (s *Console) ProbeRegistry(c *gin.Context, r settings.Registry) (RegistryReport, error) {
	ctx, cancel := context.WithTimeout(c.Request.Context(), s.opts.ActionTimeout)
	defer cancel()
	return s.opts.Registries.Probe(ctx, r)
}

// SettingExists is the answer to a second entry of one name.
func SettingExists(kind func(i18n.Lang) string, name string) *Problem {
	return Problem{Kind: KindConflict, Code: "exists"}.Said(func(l i18n.Lang) (string, string) {
		return l.ProblemExists(kind(l), strconv.Quote(name)), l.ProblemExistsHint()
	})
}

// SettingFixed is the answer to a change of what the command line names.
func SettingFixed(kind func(i18n.Lang) string) *Problem {
	return Problem{Kind: KindConflict, Code: "fixed"}.Said(func(l i18n.Lang) (string, string) {
		return l.ProblemFixed(kind(l), strconv.Quote(DefaultRegistry)), l.ProblemFixedHint()
	})
}

// RemoveRegistry removes a registry that was entered.
func (s *Console) RemoveRegistry(c *gin.Context, name string) error {
	if name == DefaultRegistry {
		return SettingFixed(i18n.Lang.ProblemKindRegistry)
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	if err := s.opts.Settings.RemoveRegistry(ctx, name); err != nil {
		return SettingProblem(err, NoSuchRegistry(name))
	}
	s.opts.Registries.Forget(name)
	return nil
}

// AddressedSetting is the name in the address of a request that changes a
// setting; the audit gets it.
func (s *Console) AddressedSetting(c *gin.Context, doing string) (string, error) {
	if !s.KeepsSettings() {
		return "", NoSettings()
	}
	name, err := SettingName(c)
	s.Note(c, slog.String("order", doing), slog.String("target", view.Clip(name, 100)))
	return name, err
}

// KeepsSettings reports whether registries and data sources can be entered here.
func (s *Console) KeepsSettings() bool {
	return s.opts.Settings != nil && s.opts.Registries != nil && s.opts.Sources != nil
}

// SettingName is the name in the address.
func SettingName(c *gin.Context) (string, error) {
	name, err := url.PathUnescape(c.Param("name"))
	if err != nil {
		return "", MalformedAs(i18n.Lang.ProblemEscapedName, i18n.Lang.ProblemEscapedHint)
	}
	return name, nil
}

// maxSettingName is what the database holds.
const maxSettingName = 100

// WrongName says what is wrong with the name of a setting.
func WrongName(name string) string {
	switch {
	case name == "" || name != strings.TrimSpace(name):
		return "a name without spaces around it"
	case len([]rune(name)) > maxSettingName:
		return fmt.Sprintf("at most %d characters", maxSettingName)
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == '/' || r == unicode.ReplacementChar }):
		return "characters that can be printed, and no slash"
	}
	return ""
}

// RegistryFrom checks a request and makes a registry of it. before is
// the one it changes; its digest stays if the request has none.
func (s *Console) RegistryFrom(in RegistryRequest, before settings.Registry) (settings.Registry, error) {
	r := settings.Registry{Name: in.Name, Namespace: in.Namespace}
	var fields []FieldBody
	wrong := func(field, value, want string) {
		fields = append(fields, FieldBody{Field: field, Value: view.Clip(value, 200), Want: want})
	}
	if want := WrongName(in.Name); want != "" {
		wrong("name", in.Name, want)
	}
	servers, err := s.opts.Registries.Servers(in.Servers)
	if err != nil || strings.ContainsFunc(in.Servers, func(r rune) bool { return !unicode.IsPrint(r) }) {
		wrong("zkAddressList", in.Servers, "host:port, several separated by commas; behind the last one a chroot, if there is one, such as zk1:2181,zk2:2181/elastic")
	} else {
		r.Servers = servers
	}
	if len(in.Servers) > 1000 {
		wrong("zkAddressList", in.Servers, "at most 1000 characters")
	}
	if _, err := jobtree.NewNamespace(in.Namespace); err != nil || len(in.Namespace) > 200 {
		wrong("namespace", in.Namespace, "the folder in ZooKeeper below which the agents register, such as team/billing")
	}
	r.Access = in.access(before.Access)
	switch {
	case in.Digest != nil:
		r.Digest = *in.Digest
	case before.Digest != "" && (!slices.Equal(before.Servers, r.Servers) || before.Access != r.Access):
		// Or a changed address would be sent the secret.
		wrong("digest", "", "given again, or empty, because the address or the way to it changes")
	default:
		r.Digest = before.Digest
	}
	if r.Digest != "" && !strings.Contains(r.Digest, ":") || len(r.Digest) > 400 {
		wrong("digest", "", "user:password, or nothing")
	}
	if field, want := s.wrongAccess(r); want != "" {
		wrong(field, "", want)
	}
	if len(fields) > 0 {
		p := InvalidAs(i18n.Lang.ProblemWrongRegistry, i18n.Lang.ProblemWrongFieldsHint)
		p.Fields = fields
		return r, p
	}
	if err := s.opts.Registries.Allowed(r.Servers); errors.Is(err, outbound.ErrForbidden) {
		return r, AddressForbidden(err)
	} else if err != nil {
		return r, Invalid("", "").Said(func(l i18n.Lang) (string, string) { return err.Error(), l.ProblemNothingConnected() })
	}
	return r, nil
}
