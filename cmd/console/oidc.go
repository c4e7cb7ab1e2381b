package main

import (
	"net/url"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/openid"
)

// oidcFlags are those of the sign-in by OpenID Connect, which is off without an
// issuer.
type oidcFlags struct {
	Issuer           string `placeholder:"URL" help:"Let people sign in at this OpenID Connect provider too: the issuer, exactly as it calls itself. Default: only the accounts of --auth."`
	ClientID         string `name:"client-id" placeholder:"ID" help:"What the provider calls this console."`
	ClientSecret     string `placeholder:"SECRET" help:"The secret that goes with it; none for a public client."`
	ClientSecretFile string `placeholder:"FILE" help:"A file with the value of --oidc-client-secret."`
	RedirectURL      string `name:"redirect-url" placeholder:"URL" help:"Where the provider sends browsers back to: the console's address as they know it, with the path /login/oidc/callback."`
	RootGroup        string `placeholder:"GROUP" help:"Members of this group are admins. People in none of the groups are refused."`
	OperatorGroup    string `placeholder:"GROUP" help:"Members of this group operate: they run, hold, enable, disable and stop jobs, but don't change their configuration."`
	GuestGroup       string `placeholder:"GROUP" help:"Members of this group look."`
	GroupsClaim      string `default:"groups" placeholder:"CLAIM" help:"The claim of the ID token that lists a person's groups."`
	Name             string `placeholder:"NAME" help:"What the button on the login page calls the provider. Default: the issuer's host."`
}

// host is the name by which people call the console, as the redirect URL says;
// none if there is none.
func (f *oidcFlags) host() []string {
	if u, err := url.Parse(f.RedirectURL); err == nil && u.Hostname() != "" {
		return []string{u.Hostname()}
	}
	return nil
}

// site is the console's address as browsers know it, as the redirect URL says; "" if there is
// none.
func (f *oidcFlags) site() string {
	site, ok := strings.CutSuffix(f.RedirectURL, openid.CallbackPath)
	if !ok {
		return ""
	}
	return site
}

// options checks the flags; nil if the sign-in is off.
func (f *oidcFlags) options(base string, secure bool) (*auth.OIDC, error) {
	if f.Issuer == "" {
		for flag, value := range map[string]string{"client-id": f.ClientID, "redirect-url": f.RedirectURL, "root-group": f.RootGroup, "operator-group": f.OperatorGroup, "guest-group": f.GuestGroup} {
			if value != "" {
				return nil, cli.Usage("Name the provider with --oidc-issuer, or leave out the other flags of OpenID Connect.", "--oidc-%s is given, but no --oidc-issuer", flag)
			}
		}
		return nil, nil
	}
	hint := "Signing in by OpenID Connect needs --oidc-issuer, --oidc-client-id, --oidc-redirect-url and a group: see docs/configuration.md."
	clientSecret, err := cli.Secret("oidc-client-secret", f.ClientSecret, f.ClientSecretFile)
	if err != nil {
		return nil, err
	}
	if f.RootGroup == "" && f.OperatorGroup == "" && f.GuestGroup == "" {
		return nil, cli.Usage(hint, "none of --oidc-root-group, --oidc-operator-group and --oidc-guest-group is given, so people could not sign in")
	}
	if strings.HasPrefix(f.RedirectURL, "https:") && !secure {
		return nil, cli.Usage("Name the proxy with --trusted-proxies, or add --secure-cookies, or let the console speak TLS with --tls-cert,\nso that the cookies of people who come over TLS are sent over TLS only.", "--oidc-redirect-url is https, but cookies are not marked so")
	}
	if u, err := url.Parse(f.RedirectURL); err == nil && u.Path != base+openid.CallbackPath {
		return nil, cli.Usage(hint, "--oidc-redirect-url %s does not have the path %s", f.RedirectURL, base+openid.CallbackPath)
	}
	provider, err := openid.New(openid.Config{
		Issuer: f.Issuer, ClientID: f.ClientID, ClientSecret: clientSecret, RedirectURL: f.RedirectURL, GroupsClaim: f.GroupsClaim, Name: f.Name,
	})
	if err != nil {
		return nil, cli.Usage(hint, "%w", err)
	}
	return &auth.OIDC{Provider: provider, RootGroup: f.RootGroup, OperatorGroup: f.OperatorGroup, GuestGroup: f.GuestGroup}, nil
}
