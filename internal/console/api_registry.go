package console

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

const registryRoute = "/api/registry-center"

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

type nameRequest struct {
	Name string `json:"name"`
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

// apiRegistries answers with the registry centres.
func (s *Console) apiRegistries(c *gin.Context) {
	list, err := s.registryList(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	writeJSON(c, http.StatusOK, list)
}

// apiActiveRegistry answers a client of 3.x with the registry centre that its
// token has connected, and one of 2.x with whether there is one: there always
// is.
func (s *Console) apiActiveRegistry(c *gin.Context) {
	list, err := s.registryList(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	if !enveloped(c) {
		writeJSON(c, http.StatusOK, true)
		return
	}
	active := slices.IndexFunc(list, func(r registryBody) bool { return r.Activated })
	if active < 0 { // it was removed
		writeJSON(c, http.StatusOK, nil)
		return
	}
	writeJSON(c, http.StatusOK, list[active])
}

// apiAddRegistry enters a registry centre. Nothing is connected to.
func (s *Console) apiAddRegistry(c *gin.Context) {
	var in registryRequest
	err := s.readSetting(c, &in, &in.Name, "enter registry centre")
	var r settings.Registry
	if err == nil {
		r, err = s.addRegistry(c, in)
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	created(c, registryJSON(r))
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

// created answers that something was entered.
func created(c *gin.Context, body any) {
	if enveloped(c) {
		writeJSON(c, http.StatusOK, true)
		return
	}
	writeJSON(c, http.StatusCreated, body)
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

// apiChangeRegistry changes a registry centre.
func (s *Console) apiChangeRegistry(c *gin.Context) {
	var in registryRequest
	name, err := settingName(c)
	if err == nil {
		err = s.readSetting(c, &in, &name, "change registry centre")
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	if name == defaultRegistry {
		s.fail(c, settingFixed("registry centre"))
		return
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	before, err := s.storedRegistry(ctx, name)
	if err != nil {
		s.fail(c, err)
		return
	}
	in.Name = name
	r, err := s.registryFrom(in, before)
	if err == nil {
		if err = s.opts.Settings.ChangeRegistry(ctx, r); err != nil {
			err = settingProblem(err, noSuchRegistry(name))
		}
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	s.opts.Centres.Forget(name)
	writeJSON(c, http.StatusOK, registryJSON(r))
}

// apiRemoveRegistry removes a registry centre: the one of the address, or of
// the body as ElasticJob's consoles name it.
func (s *Console) apiRemoveRegistry(c *gin.Context) {
	if _, err := s.removeRegistry(c); err != nil {
		s.fail(c, err)
		return
	}
	if enveloped(c) {
		writeJSON(c, http.StatusOK, nil)
		return
	}
	c.Status(http.StatusNoContent)
}

// removeRegistry removes the registry centre that a request names.
func (s *Console) removeRegistry(c *gin.Context) (name string, err error) {
	name, err = s.namedSetting(c, "remove registry centre")
	switch {
	case err != nil:
		return name, err
	case name == defaultRegistry:
		return name, settingFixed("registry centre")
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	if err := s.opts.Settings.RemoveRegistry(ctx, name); err != nil {
		return name, settingProblem(err, noSuchRegistry(name))
	}
	s.opts.Centres.Forget(name)
	return name, nil
}

// apiTestRegistry connects to a registry centre that need not have been
// entered, and ends the connection. Nothing is remembered.
func (s *Console) apiTestRegistry(c *gin.Context) {
	var in registryRequest
	if err := s.readSetting(c, &in, &in.Name, "test registry centre"); err != nil {
		s.fail(c, err)
		return
	}
	r, err := s.registryFrom(in, settings.Registry{})
	if err == nil {
		err = s.testRegistry(c, r)
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	writeJSON(c, http.StatusOK, true)
}

func (s *Console) testRegistry(c *gin.Context, r settings.Registry) error {
	ctx, cancel := context.WithTimeout(c.Request.Context(), s.opts.OrderTimeout)
	defer cancel()
	if err := s.opts.Centres.Test(ctx, r); err != nil {
		return centreProblem(r.Name, err)
	}
	return nil
}

// apiConnectRegistry is what ElasticJob's consoles call to choose a registry
// centre. It counts for the token that calls, from then on and wherever a
// request names no other. If it cannot be connected to, all stays as it was.
func (s *Console) apiConnectRegistry(c *gin.Context) {
	name, err := s.namedSetting(c, "connect registry centre")
	if err != nil {
		s.fail(c, err)
		return
	}
	if name == defaultRegistry {
		if h := s.opts.Health.Registry(); h.State != RegistryConnected {
			err = s.registryDown(c, h.LastError)
		}
	} else {
		ctx, cancel := s.reading(c)
		defer cancel()
		var r settings.Registry
		if r, err = s.storedRegistry(ctx, name); err == nil {
			err = s.testRegistry(c, r)
		}
	}
	if err == nil {
		err = s.choose(c, settings.KindRegistry, name)
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	writeJSON(c, http.StatusOK, true)
}

// readSetting reads the body of a request about a setting and notes for the
// audit what it is about.
func (s *Console) readSetting(c *gin.Context, body any, name *string, doing string) error {
	if s.opts.Settings == nil || s.opts.Centres == nil || s.opts.Sources == nil {
		return noSettings()
	}
	err := readJSON(c, body)
	s.note(c, slog.String("order", doing), slog.String("target", clip(*name, 100)))
	return err
}

// settingName is the name in the address.
func settingName(c *gin.Context) (string, error) {
	name, err := url.PathUnescape(c.Param("name"))
	if err != nil {
		return "", malformed("The name in the address is not escaped correctly.", "Write % as %25.")
	}
	return name, nil
}

// namedSetting is the name in the address, or in a body that has only that.
func (s *Console) namedSetting(c *gin.Context, doing string) (string, error) {
	if c.Param("name") != "" {
		if s.opts.Settings == nil || s.opts.Centres == nil || s.opts.Sources == nil {
			return "", noSettings()
		}
		name, err := settingName(c)
		s.note(c, slog.String("order", doing), slog.String("target", clip(name, 100)))
		return name, err
	}
	var in nameRequest
	err := s.readSetting(c, &in, &in.Name, doing)
	if err == nil && in.Name == "" {
		err = invalid("The request names nothing.", `Send {"name": …}.`)
	}
	return in.Name, err
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
		fields = append(fields, fieldBody{Field: field, Value: clip(value, 200), Want: want})
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
