package pages

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/registries"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// registriesPage lists the registries.
func (s *Pages) registriesPage(c *gin.Context) {
	s.showRegistries(c, http.StatusOK, registries.Form{})
}

// showRegistries shows the list, with what was typed and what is wrong with it.
func (s *Pages) showRegistries(c *gin.Context, status int, typed registries.Form, notices ...ui.Notice) {
	list, err := s.RegistryList(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	l := i18n.From(c.Request.Context())
	operates := console.Caller(c).Role == auth.RoleRoot && s.Options().Settings != nil && s.Options().Registries != nil
	props := registries.ListProps{Frame: s.Frame(c, l.FrameRegistries(), console.AreaRegistries), Notices: notices}
	for _, r := range list {
		row := registries.Row{Name: r.Name, Servers: r.Servers, Namespace: r.Namespace, Href: console.RegistryPath(r.Name) + "/jobs", Digest: l.RegistriesNo(), TLS: r.TLS != nil}
		switch {
		case r.Fixed:
			row.Digest = "–"
		case r.HasDigest:
			row.Digest = l.RegistriesYes()
		}
		if operates && !r.Fixed {
			row.RemoveHref = removeRegistryPath(r.Name)
		}
		props.Rows = append(props.Rows, row)
	}
	if operates {
		props.Form = &typed
	}
	s.Render(c, status, registries.List(props))
}

func removeRegistryPath(name string) string {
	return console.RegistriesRoute + "/" + strings.ReplaceAll(url.PathEscape(name), "+", "%2B") + "/remove"
}

// addRegistryFromPage is the form's target.
func (s *Pages) addRegistryFromPage(c *gin.Context) {
	digest := c.PostForm("digest")
	acl := c.PostForm("acl")
	in := console.RegistryRequest{
		Name: strings.TrimSpace(c.PostForm("name")), Servers: c.PostForm("zkAddressList"), Namespace: strings.TrimSpace(c.PostForm("namespace")), Digest: &digest, ACL: &acl,
		TLS: &console.RegistryTLS{
			Enabled: c.PostForm("tls") == "yes", CA: c.PostForm("ca"), Cert: c.PostForm("cert"), Key: c.PostForm("key"), ServerName: strings.TrimSpace(c.PostForm("serverName")),
		},
	}
	s.Note(c, slog.String("order", "enter registry"), slog.String("target", view.Clip(in.Name, 100)))
	r, err := s.AddRegistry(c, in)
	if err != nil {
		p := console.AsProblem(err)
		if p.Status() >= 500 {
			s.Fail(c, p)
			return
		}
		console.Refused(c, p.Code)
		notice := ui.Notice{Tone: ui.ToneBad, Heading: p.Message, Text: p.Hint, TestID: "registry-refused"}
		for _, f := range p.Fields {
			notice.Text += fmt.Sprintf(" %s: want %s.", f.Field, f.Want)
		}
		s.showRegistries(c, p.Status(), registries.Form{Name: in.Name, Servers: in.Servers, Namespace: in.Namespace}, notice)
		return
	}
	s.SetFlash(c, ui.Flash{Tone: ui.ToneOK, Title: i18n.From(c.Request.Context()).RegistriesAdded(r.Name)})
	s.Redirect(c, console.RegistriesRoute)
}

// removeRegistryPage asks before a registry is removed.
func (s *Pages) removeRegistryPage(c *gin.Context) {
	name, err := console.SettingName(c)
	if err == nil {
		ctx, cancel := s.Reading(c)
		defer cancel()
		_, err = s.StoredRegistry(ctx, name)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	s.Render(c, http.StatusOK, registries.Remove(registries.RemoveProps{
		Frame: s.Frame(c, i18n.From(c.Request.Context()).FrameRemoveRegistry(name), console.AreaRegistries), Name: name, Action: removeRegistryPath(name),
	}))
}

// removeRegistryFromPage is the target of the form that asks.
func (s *Pages) removeRegistryFromPage(c *gin.Context) {
	if c.PostForm("confirm") != "yes" {
		console.Refused(c, "not_confirmed")
		s.removeRegistryPage(c)
		return
	}
	name, err := s.AddressedSetting(c, "remove registry")
	if err == nil {
		err = s.RemoveRegistry(c, name)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	s.SetFlash(c, ui.Flash{Tone: ui.ToneOK, Title: i18n.From(c.Request.Context()).RegistriesRemoved(name)})
	s.Redirect(c, console.RegistriesRoute)
}
