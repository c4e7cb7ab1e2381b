package console

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/gin-gonic/gin"
)

// registryBody is ElasticJob's RegistryCenterConfiguration, except that its
// digest is never told.
type registryBody struct {
	Name      string `json:"name"`
	Servers   string `json:"zkAddressList"`
	Namespace string `json:"namespace"`
	HasDigest bool   `json:"hasDigest"`
	// TLS is absent without it; the private key is never told.
	TLS *registryTLS `json:"tls,omitempty"`
	ACL string       `json:"acl,omitempty"`
	// Activated: requests of this token that name none are about it.
	Activated bool `json:"activated"`
	// Fixed: it is that of the command line, and cannot be changed here.
	Fixed bool `json:"fixed"`
}

// registryTLS says how a registry centre is spoken to over TLS.
type registryTLS struct {
	Enabled    bool   `json:"enabled"`
	CA         string `json:"ca,omitempty"`
	Cert       string `json:"cert,omitempty"`
	Key        string `json:"key,omitempty"` // only of requests
	ServerName string `json:"serverName,omitempty"`
}

// registryRequest enters or changes one. An absent digest stays as it is, and so
// do tls and acl.
type registryRequest struct {
	Name      string  `json:"name"`
	Servers   string  `json:"zkAddressList"`
	Namespace string  `json:"namespace"`
	Digest    *string `json:"digest"`
	// TLS is told whole, except that an absent key stays with its certificate.
	TLS *registryTLS `json:"tls"`
	ACL *string      `json:"acl"`
}

// noSettings is the answer of a console without a database of its own.
func noSettings() *problem {
	return &problem{
		kind: kindUnavailable, code: "no_settings", message: "This console has no database of its own to keep settings in.",
		hint: "It serves what its command line names.",
	}
}

// registryList returns the registry centres, that of the command line first.
func (s *Console) registryList(c *gin.Context) ([]registryBody, error) {
	active, err := s.chosen(c, settings.KindRegistry)
	if err != nil {
		return nil, err
	}
	h := s.opts.Health.Registry()
	list := []registryBody{{
		Name: defaultRegistry, Servers: h.Address, Namespace: h.Namespace, Fixed: true, Activated: active == "" || active == defaultRegistry,
	}}
	if s.opts.Settings == nil {
		return list, nil
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	stored, err := s.opts.Settings.Registries(ctx)
	if err != nil {
		return nil, settingProblem(err, nil)
	}
	for _, r := range stored {
		body := registryJSON(r)
		body.Activated = r.Name == active
		list = append(list, body)
	}
	return list, nil
}

func registryJSON(r settings.Registry) registryBody {
	body := registryBody{Name: r.Name, Servers: strings.Join(r.Servers, ","), Namespace: r.Namespace, HasDigest: r.Digest != "", ACL: r.Access.ACL}
	if r.Access.TLS {
		body.TLS = &registryTLS{Enabled: true, CA: r.Access.CA, Cert: r.Access.Cert, ServerName: r.Access.ServerName}
	}
	return body
}

// addRegistry checks a registry centre and stores it.
func (s *Console) addRegistry(c *gin.Context, in registryRequest) (settings.Registry, error) {
	if s.opts.Settings == nil || s.opts.Centres == nil {
		return settings.Registry{}, noSettings()
	}
	r, err := s.registryFrom(in, settings.Registry{})
	switch {
	case err != nil:
		return r, err
	case r.Name == defaultRegistry:
		return r, settingExists("registry centre", r.Name)
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	err = s.opts.Settings.Add(ctx, []settings.Registry{r}, nil)
	switch {
	case errors.Is(err, settings.ErrExists):
		return r, settingExists("registry centre", r.Name)
	case err != nil:
		return r, settingProblem(err, nil)
	}
	return r, nil
}

func settingExists(kind, name string) *problem {
	return &problem{
		kind: kindConflict, code: "exists", message: fmt.Sprintf("There is a %s %q already.", kind, name),
		hint: "Choose another name, or change the one there is. Nothing was stored.",
	}
}

func settingFixed(kind string) *problem {
	return &problem{
		kind: kindConflict, code: "fixed", message: fmt.Sprintf("The %s %q is that of the command line.", kind, defaultRegistry),
		hint: "Change the flags of the console. Nothing was stored.",
	}
}

// removeRegistry removes a registry centre that was entered.
func (s *Console) removeRegistry(c *gin.Context, name string) error {
	if name == defaultRegistry {
		return settingFixed("registry centre")
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	if err := s.opts.Settings.RemoveRegistry(ctx, name); err != nil {
		return settingProblem(err, noSuchRegistry(name))
	}
	s.opts.Centres.Forget(name)
	return nil
}

// addressedSetting is the name in the address of a request that changes a
// setting; the audit gets it.
func (s *Console) addressedSetting(c *gin.Context, doing string) (string, error) {
	if !s.keepsSettings() {
		return "", noSettings()
	}
	name, err := settingName(c)
	s.note(c, slog.String("order", doing), slog.String("target", view.Clip(name, 100)))
	return name, err
}

// keepsSettings reports whether registries and data sources can be entered here.
func (s *Console) keepsSettings() bool {
	return s.opts.Settings != nil && s.opts.Centres != nil && s.opts.Sources != nil
}

// settingName is the name in the address.
func settingName(c *gin.Context) (string, error) {
	name, err := url.PathUnescape(c.Param("name"))
	if err != nil {
		return "", malformed("The name in the address is not escaped correctly.", "Write % as %25.")
	}
	return name, nil
}

// maxSettingName is what the database holds.
const maxSettingName = 100

// wrongName says what is wrong with the name of a setting.
func wrongName(name string) string {
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

// registryFrom checks a request and makes a registry centre of it. before is
// the one it changes; its digest stays if the request has none.
func (s *Console) registryFrom(in registryRequest, before settings.Registry) (settings.Registry, error) {
	r := settings.Registry{Name: in.Name, Namespace: in.Namespace}
	var fields []fieldBody
	wrong := func(field, value, want string) {
		fields = append(fields, fieldBody{Field: field, Value: view.Clip(value, 200), Want: want})
	}
	if want := wrongName(in.Name); want != "" {
		wrong("name", in.Name, want)
	}
	servers, err := s.opts.Centres.Servers(in.Servers)
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
		p := invalid("The registry centre cannot be used like this.", "Correct the fields named. Nothing was stored or connected to.")
		p.fields = fields
		return r, p
	}
	if err := s.opts.Centres.Allowed(r.Servers); errors.Is(err, outbound.ErrForbidden) {
		return r, addressForbidden(err)
	} else if err != nil {
		return r, invalid(err.Error(), "Nothing was stored or connected to.")
	}
	return r, nil
}
