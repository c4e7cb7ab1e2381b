package console

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/web/templates/registries"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// registriesPage lists the registry centres.
func (s *Console) registriesPage(c *gin.Context) {
	s.showRegistries(c, http.StatusOK, registries.Form{})
}

// showRegistries shows the list, with what was typed and what is wrong with it.
func (s *Console) showRegistries(c *gin.Context, status int, typed registries.Form, notices ...ui.Notice) {
	list, err := s.registryList(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	operates := caller(c).Role == auth.RoleRoot && s.options().Settings != nil && s.options().Centres != nil
	props := registries.ListProps{Frame: s.frame(c, "Registries", areaRegistries), Notices: notices}
	for _, r := range list {
		row := registries.Row{Name: r.Name, Servers: r.Servers, Namespace: r.Namespace, Href: registryPath(r.Name) + "/jobs", Digest: "no", TLS: r.TLS != nil}
		switch {
		case r.Fixed:
			row.Digest = "–"
		case r.HasDigest:
			row.Digest = "yes"
		}
		if operates && !r.Fixed {
			row.RemoveHref = removeRegistryPath(r.Name)
		}
		props.Rows = append(props.Rows, row)
	}
	if operates {
		props.Form = &typed
	}
	s.render(c, status, registries.List(props))
}

func removeRegistryPath(name string) string {
	return registriesRoute + "/" + strings.ReplaceAll(url.PathEscape(name), "+", "%2B") + "/remove"
}

// addRegistryFromPage is the form's target.
func (s *Console) addRegistryFromPage(c *gin.Context) {
	digest := c.PostForm("digest")
	acl := c.PostForm("acl")
	in := registryRequest{
		Name: strings.TrimSpace(c.PostForm("name")), Servers: c.PostForm("zkAddressList"), Namespace: strings.TrimSpace(c.PostForm("namespace")), Digest: &digest, ACL: &acl,
		TLS: &registryTLS{
			Enabled: c.PostForm("tls") == "yes", CA: c.PostForm("ca"), Cert: c.PostForm("cert"), Key: c.PostForm("key"), ServerName: strings.TrimSpace(c.PostForm("serverName")),
		},
	}
	s.note(c, slog.String("order", "enter registry centre"), slog.String("target", view.Clip(in.Name, 100)))
	r, err := s.addRegistry(c, in)
	if err != nil {
		p := asProblem(err)
		if p.status() >= 500 {
			s.fail(c, p)
			return
		}
		refused(c, p.code)
		notice := ui.Notice{Tone: ui.ToneBad, Heading: p.message, Text: p.hint, TestID: "registry-refused"}
		for _, f := range p.fields {
			notice.Text += fmt.Sprintf(" %s: want %s.", f.Field, f.Want)
		}
		s.showRegistries(c, p.status(), registries.Form{Name: in.Name, Servers: in.Servers, Namespace: in.Namespace}, notice)
		return
	}
	s.setFlash(c, ui.Flash{Tone: ui.ToneOK, Title: fmt.Sprintf("Entered %s. Open it to see whether it can be connected to.", r.Name)})
	s.redirect(c, registriesRoute)
}

// removeRegistryPage asks before a registry centre is removed.
func (s *Console) removeRegistryPage(c *gin.Context) {
	name, err := settingName(c)
	if err == nil {
		ctx, cancel := s.reading(c)
		defer cancel()
		_, err = s.storedRegistry(ctx, name)
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	s.render(c, http.StatusOK, registries.Remove(registries.RemoveProps{
		Frame: s.frame(c, "Remove "+name, areaRegistries), Name: name, Action: removeRegistryPath(name),
	}))
}

// removeRegistryFromPage is the target of the form that asks.
func (s *Console) removeRegistryFromPage(c *gin.Context) {
	if c.PostForm("confirm") != "yes" {
		refused(c, "not_confirmed")
		s.removeRegistryPage(c)
		return
	}
	name, err := s.addressedSetting(c, "remove registry centre")
	if err == nil {
		err = s.removeRegistry(c, name)
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	s.setFlash(c, ui.Flash{Tone: ui.ToneOK, Title: fmt.Sprintf("Removed %s. Nothing in it was changed.", name)})
	s.redirect(c, registriesRoute)
}
