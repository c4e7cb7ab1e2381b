//go:build servers

package settings

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// V30: a registry behind TLS with x509 ACLs is entered, tested and
// served; its private key is never shown, in the database it is encrypted, and
// what does not fit is refused by field without being quoted.
func TestV30RegistryOverTLS(t *testing.T) {
	t.Parallel()
	authority := zktest.NewAuthority(t)
	srv := zktest.StartZooKeeperWith(t, zktest.Options{TLS: authority})
	cert, key, ns := plantGuarded(t, authority, srv)

	b := consoletest.New(t, consoletest.OwnDatabase(t, storetest.SQLiteDSN(t)), consoletest.OwnRegistries(t, "127.0.0.0/8"))
	body := func(name string, change func(map[string]any)) string {
		m := map[string]any{
			"name": name, "zkAddressList": srv.SecureAddr(), "namespace": ns.String(), "digest": "", "acl": "x509",
			"tls": map[string]any{"enabled": true, "ca": string(authority.PEM), "cert": string(cert), "key": string(key)},
		}
		if change != nil {
			change(m)
		}
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	secret := strings.Split(string(key), "\n")[1]
	untold := func(r consoletest.Reply) {
		t.Helper()
		if strings.Contains(r.Body, secret) || strings.Contains(r.Body, "PRIVATE KEY") {
			t.Errorf("the private key is shown: %s", r.Body)
		}
	}
	refusedSettings(t, b, body, secret, key, untold)
	strange, strangeKey := zktest.NewAuthority(t).Issue(t, "fleet")
	r := b.Call(t, http.MethodPost, api.RegistriesPath+"/connectTest", body("x", func(m map[string]any) {
		m["tls"] = map[string]any{"enabled": true, "ca": string(authority.PEM), "cert": string(strange), "key": string(strangeKey)}
	}))
	if r.StatusCode == http.StatusOK {
		t.Error("a certificate of another authority passes")
	}

	r = b.Call(t, http.MethodPost, api.RegistriesPath, body("tls", nil))
	untold(r)
	consoletest.WantStatus(t, r, http.StatusCreated)
	untold(b.Call(t, http.MethodGet, api.RegistriesPath, ""))
	if got := jobsOf(t, b, "?registry=tls"); got != "guarded" {
		t.Errorf("jobs %q", got)
	}
	// A change that is silent about TLS keeps it, key included.
	r = b.Call(t, http.MethodPut, api.RegistriesPath+"/tls", `{"zkAddressList":"`+srv.SecureAddr()+`","namespace":"`+ns.String()+`"}`)
	if untold(r); !strings.Contains(r.Body, `"tls":{"enabled":true`) || !strings.Contains(r.Body, `"acl":"x509"`) {
		t.Errorf("a change that is silent: %d %s", r.StatusCode, r.Body)
	}
	if got := jobsOf(t, b, "?registry=tls"); got != "guarded" {
		t.Errorf("jobs after a change %q", got)
	}

	enterByForm(t, srv, ns, authority, cert, key, b)
}

// refusedSettings: what is wrong with them is said, without the key.
func refusedSettings(t *testing.T, b *consoletest.Bench, body func(name string, change func(map[string]any)) string, secret string, key []byte, untold func(r consoletest.Reply)) {
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.RegistriesPath+"/connectTest", body("x", nil)), http.StatusOK)
	for want, change := range map[string]func(map[string]any){
		`"field":"acl"`:             func(m map[string]any) { m["acl"] = "everybody" },
		"open, digest with a":       func(m map[string]any) { m["acl"] = "digest" },
		"in PEM":                    func(m map[string]any) { m["tls"] = map[string]any{"enabled": true, "ca": secret} },
		"one of the two is missing": func(m map[string]any) { m["tls"] = map[string]any{"enabled": true, "key": string(key)} },
		"x509 with a client":        func(m map[string]any) { m["tls"] = map[string]any{"enabled": true} },
		"at most 15,000 bytes ":     func(m map[string]any) { m["tls"] = map[string]any{"enabled": true, "ca": strings.Repeat("x", 15_001)} },
	} {
		r := b.Call(t, http.MethodPost, api.RegistriesPath, body("wrong", change))
		if untold(r); r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(r.Body, want) {
			t.Errorf("%s: %d %s", want, r.StatusCode, r.Body)
		}
	}
}

// plantGuarded makes a job that only the certificate's owner may read.
func plantGuarded(t *testing.T, authority *zktest.Authority, srv *zktest.ZooKeeper) ([]byte, []byte, jobtree.Namespace) {
	cert, key := authority.Issue(t, "fleet")
	tls, err := zk.Certificates{CA: authority.PEM, Cert: cert, Key: key}.Config()
	if err != nil {
		t.Fatal(err)
	}
	fleet, err := zk.Connect(t.Context(), zk.Config{Servers: []string{srv.SecureAddr()}, TLS: tls, ACL: zk.ACLX509})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { fleet.Close() })
	ns, err := jobtree.NewNamespace(zktest.Namespace(t))
	if err != nil {
		t.Fatal(err)
	}
	(&treetest.Bundle{Client: fleet, NS: ns}).Plant(t, consoletest.Plain("guarded"))
	return cert, key, ns
}

// enterByForm enters the registry on its page.
func enterByForm(t *testing.T, srv *zktest.ZooKeeper, ns jobtree.Namespace, authority *zktest.Authority, cert []byte, key []byte, b *consoletest.Bench) {
	form := url.Values{
		"name": {"form"}, "zkAddressList": {srv.SecureAddr()}, "namespace": {ns.String()}, "digest": {""}, "acl": {"x509"},
		"tls": {"yes"}, "ca": {string(authority.PEM)}, "cert": {string(cert)}, "key": {string(key)},
	}
	if w := b.As(t, auth.RoleRoot, http.MethodPost, app.RegistriesRoute, form); w.StatusCode != http.StatusSeeOther {
		t.Errorf("the form: %d %s", w.StatusCode, w.Body)
	}
	if got := jobsOf(t, b, "?registry=form"); got != "guarded" {
		t.Errorf("jobs of the form's %q", got)
	}
}
