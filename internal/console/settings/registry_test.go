package settings

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// The names of the tests are those of the acceptance cases.

func jobsOf(t *testing.T, b *consoletest.Bench, query string, headers ...string) string {
	t.Helper()
	var list []api.Job
	r := b.Call(t, http.MethodGet, "/api/jobs"+query, "", headers...)
	consoletest.WantStatus(t, r, http.StatusOK)
	r.Into(t, &list)
	var names []string
	for _, j := range list {
		names = append(names, j.JobName)
	}
	return strings.Join(names, " ")
}

// TestA26EachCallerHasItsOwnRegistry: at the same time, by address or by what a
// token has connected; neither sees or changes what is the other's.
func TestA26EachCallerHasItsOwnRegistry(t *testing.T) {
	consoletest.EachEntered(t, func(t *testing.T, b consoletest.Entered) {
		tokens := map[string]string{}
		for _, name := range []string{"red", "blue"} {
			tokens[name] = "Authorization: Bearer " + b.Token(t, auth.RoleRoot, auth.ForAPI)
			consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.RegistriesPath+"/connect", `{"name":"`+name+`"}`, tokens[name]), http.StatusOK)
		}
		var group sync.WaitGroup
		for name, other := range map[string]string{"red": "blue", "blue": "red"} {
			for range 5 {
				group.Go(func() {
					if got := jobsOf(t, b.Bench, "", tokens[name]); got != name+"-job" {
						t.Errorf("%s by token: %q", name, got)
					}
					if got := jobsOf(t, b.Bench, "?registry="+name); got != name+"-job" {
						t.Errorf("%s by address: %q", name, got)
					}
					if got := jobsOf(t, b.Bench, "?registry="+other, tokens[name]); got != other+"-job" {
						t.Errorf("the address does not win: %q", got)
					}
				})
			}
		}
		group.Wait()
		if got := jobsOf(t, b.Bench, "?registry=default", tokens["red"]); !strings.Contains(got, "invoices") || strings.Contains(got, "red") {
			t.Errorf("the default one: %q", got)
		}

		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/red-job/disable", "", tokens["red"]), http.StatusOK)
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/red-job/disable", "", tokens["blue"]), http.StatusNotFound)
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/red-job/disable?registry=blue", ""), http.StatusNotFound)
		if red, blue := b.Red.Dump(t, "red-job/servers"), b.Blue.Dump(t, ""); strings.Count(red, "DISABLED") != 2 || strings.Contains(blue, "DISABLED") {
			t.Errorf("the action went elsewhere: %s%s", red, blue)
		}
		if r := b.Audit(t, "?target=red-job").Rows; len(r) != 3 || r[2].Registry != "red" || r[1].Registry != "blue" || r[2].Outcome != "done" {
			t.Errorf("records %+v", r)
		}
		// What is not there is an error and never the default one.
		consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/jobs?registry=green", ""), http.StatusNotFound)
		consoletest.WantStatus(t, b.Call(t, http.MethodDelete, api.RegistriesPath+"/red", ""), http.StatusNoContent)
		consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/jobs", "", tokens["red"]), http.StatusNotFound)
		if got := jobsOf(t, b.Bench, "", tokens["blue"]); got != "blue-job" {
			t.Errorf("the other one: %q", got)
		}
	})
}

// TestRegistryThatChanges: the next request is about the new one, and a fresh
// token keeps what the old one had connected.
func TestRegistryThatChanges(t *testing.T) {
	consoletest.EachEntered(t, func(t *testing.T, b consoletest.Entered) {
		token := b.Token(t, auth.RoleRoot, auth.ForAPI)
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.RegistriesPath+"/connect", `{"name":"red"}`, "Authorization: Bearer "+token), http.StatusOK)
		var fresh struct{ AccessToken string }
		b.Call(t, http.MethodPost, "/api/refresh", "", "Authorization: Bearer "+token).Into(t, &fresh)
		with := "Authorization: Bearer " + fresh.AccessToken
		if got := jobsOf(t, b.Bench, "", with); got != "red-job" {
			t.Fatalf("after the refresh: %q", got)
		}
		var list []api.Registry
		b.Call(t, http.MethodGet, api.RegistriesPath, "").Into(t, &list)
		change := fmt.Sprintf(`{"zkAddressList":%q,"namespace":%q}`, list[2].Servers, b.Blue.NS.String())
		consoletest.WantStatus(t, b.Call(t, http.MethodPut, api.RegistriesPath+"/red", change), http.StatusOK)
		if got := jobsOf(t, b.Bench, "", with); got != "blue-job" {
			t.Errorf("after the change: %q", got)
		}
	})
}

func TestA29SameNameTwice(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, consoletest.OwnDatabase(t, storetest.SQLiteDSN(t)))
	for _, path := range []string{api.RegistriesPath, api.RegistriesPath + "/add"} {
		name := "a" + path[len(api.RegistriesPath):]
		body := `{"name":"` + strings.ReplaceAll(name, "/", "-") + `","zkAddressList":"zk1:2181, zk2:2181","namespace":"n","digest":"u:p"}`
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, path, body), http.StatusCreated)
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, path, body), http.StatusConflict)
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.RegistriesPath, consoletest.RegistryJSONOf("default", "zk1:2181", "n")), http.StatusConflict)
	consoletest.WantStatus(t, b.Call(t, http.MethodDelete, api.RegistriesPath, `{"name":"default"}`), http.StatusConflict)
	var list []api.Registry
	b.Call(t, http.MethodGet, api.RegistriesPath+"/load", "").Into(t, &list)
	want := []api.Registry{
		{Name: "default", Servers: "10.2.0.4:2181", Namespace: "billing", Activated: true, Fixed: true},
		{Name: "a", Servers: "zk1:2181,zk2:2181", Namespace: "n", HasDigest: true},
		{Name: "a-add", Servers: "zk1:2181,zk2:2181", Namespace: "n", HasDigest: true},
	}
	want[0].Servers, want[0].Namespace = list[0].Servers, list[0].Namespace
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestA30C05SecretsAreNeverShown: in no answer, page or line of the log, also not of
// requests that fail; and a changed address is not sent the stored one.
func TestA30C05SecretsAreNeverShown(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, consoletest.OwnDatabase(t, storetest.SQLiteDSN(t)))
	with := func(name, addr string) string {
		return fmt.Sprintf(`{"name":%q,"zkAddressList":%q,"namespace":"n","digest":"ops:s3cret-Canary"}`, name, addr)
	}
	var shown strings.Builder
	for _, s := range [][]string{
		{"POST", api.RegistriesPath, with("a", "zk1:2181")}, {"POST", api.RegistriesPath, with("a", "zk1:2181")}, {"POST", api.RegistriesPath, with("b", "evil:1")},
		{"POST", api.RegistriesPath, with("", "zk1")}, {"POST", api.RegistriesPath + "/connectTest", with("a", "zk1:2181")}, {"GET", api.RegistriesPath, ""},
		{"PUT", api.RegistriesPath + "/a", with("a", "zk2:2181")}, {"POST", api.RegistriesPath + "/connect", `{"name":"a"}`},
		{"GET", api.RegistriesPath + "/activated", ""}, {"GET", "/api/jobs?registry=a", ""}, {"GET", "/api/audit", ""}, {"GET", "/audit", ""},
	} {
		shown.WriteString(b.Call(t, s[0], s[1], s[2]).Body)
	}
	token := b.Token(t, auth.RoleRoot, auth.ForAPI)
	for _, path := range []string{"/load", "/activated"} {
		shown.WriteString(b.Call(t, http.MethodGet, api.RegistriesPath+path, "", "Authorization: ", "Access-Token: "+token).Body)
	}
	if strings.Contains(shown.String()+b.Log.String(), "Canary") {
		t.Error("the secret is shown")
	}
	r := b.Call(t, http.MethodPut, api.RegistriesPath+"/a", `{"zkAddressList":"zk9:2181","namespace":"n"}`)
	if consoletest.WantStatus(t, r, http.StatusUnprocessableEntity); !strings.Contains(r.Body, `"field":"digest"`) {
		t.Errorf("%s", r.Body)
	}
	r = b.Call(t, http.MethodPut, api.RegistriesPath+"/a", `{"zkAddressList":"zk2:2181","namespace":"other"}`)
	if consoletest.WantStatus(t, r, http.StatusOK); !strings.Contains(r.Body, `"hasDigest":true`) {
		t.Errorf("an absent digest does not stay: %s", r.Body)
	}
	r = b.Call(t, http.MethodPut, api.RegistriesPath+"/a", `{"zkAddressList":"zk2:2181","namespace":"other","digest":""}`)
	if consoletest.WantStatus(t, r, http.StatusOK); !strings.Contains(r.Body, `"hasDigest":false`) {
		t.Errorf("an empty digest removes it: %s", r.Body)
	}
}

// TestA31UnreachableRegistry: the reason is reported, and what was connected stays.
func TestA31UnreachableRegistry(t *testing.T) {
	consoletest.EachEntered(t, func(t *testing.T, b consoletest.Entered) {
		with := "Authorization: Bearer " + b.Token(t, auth.RoleRoot, auth.ForAPI)
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.RegistriesPath+"/connect", `{"name":"red"}`, with), http.StatusOK)
		closed := closedPort(t)
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.RegistriesPath, consoletest.RegistryJSONOf("gone", closed, "n")), http.StatusCreated)
		r := b.Call(t, http.MethodPost, api.RegistriesPath+"/connect", `{"name":"gone"}`, with)
		if consoletest.WantStatus(t, r, http.StatusServiceUnavailable); !strings.Contains(r.Body, "refused") || !strings.Contains(r.Body, closed) {
			t.Errorf("no reason in %s", r.Body)
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.RegistriesPath+"/connectTest", consoletest.RegistryJSONOf("x", closed, "n")), http.StatusServiceUnavailable)
		consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/jobs?registry=gone", ""), http.StatusServiceUnavailable)
		if got := jobsOf(t, b.Bench, "", with); got != "red-job" {
			t.Errorf("connected to %q", got)
		}
		var list []api.Registry
		b.Call(t, http.MethodGet, api.RegistriesPath, "", with).Into(t, &list)
		for _, r := range list {
			if r.Activated != (r.Name == "red") {
				t.Errorf("%+v", r)
			}
		}
	})
}

// closedPort is an address on this machine where nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// TestA33C08RegistryNotAllowed: nothing is connected to that the list does not
// have, not even by an entry that was stored when the list was another.
func TestA33C08RegistryNotAllowed(t *testing.T) {
	t.Parallel()
	addr, visits := consoletest.Trap(t)
	dsn := storetest.SQLiteDSN(t)
	before := consoletest.New(t, consoletest.OwnDatabase(t, dsn), consoletest.OwnRegistries(t, "127.0.0.0/8"))
	consoletest.WantStatus(t, before.Call(t, http.MethodPost, api.RegistriesPath, consoletest.RegistryJSONOf("old", addr, "n")), http.StatusCreated)

	b := consoletest.New(t, consoletest.OwnDatabase(t, dsn), consoletest.OwnRegistries(t, "*", "zk1.example.com:2181"))
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	for _, forbidden := range []string{addr, "localhost:" + port, "[::ffff:127.0.0.1]:" + port, "169.254.169.254:80", "zk1.example.com:2181," + addr, "0.0.0.0:" + port, addr + "/elastic", "127.0.0.1"} {
		for _, path := range []string{api.RegistriesPath, api.RegistriesPath + "/add", api.RegistriesPath + "/connectTest"} {
			consoletest.WantStatus(t, b.Call(t, http.MethodPost, path, consoletest.RegistryJSONOf("new", forbidden, "n")), http.StatusForbidden)
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodPut, api.RegistriesPath+"/old", consoletest.RegistryJSONOf("", forbidden, "n")), http.StatusForbidden)
	}
	for _, wrong := range []string{"http://" + addr, addr + "/x/", addr + "/x,zk1.example.com:2181", "user@" + addr, ":2181", "a:0", "a b:1", "x:2181#" + addr, ""} {
		for _, path := range []string{api.RegistriesPath, api.RegistriesPath + "/connectTest"} {
			if r := b.Call(t, http.MethodPost, path, consoletest.RegistryJSONOf("new", wrong, "n")); r.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("%q: status %d", wrong, r.StatusCode)
			}
		}
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.RegistriesPath+"/connect", `{"name":"old"}`), http.StatusForbidden)
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/jobs?registry=old", ""), http.StatusForbidden)
	if n := visits.Load(); n != 0 {
		t.Errorf("%d connections to an address that is not allowed", n)
	}
	// The trap works: where it is allowed, somebody comes.
	before.Call(t, http.MethodPost, api.RegistriesPath+"/connectTest", consoletest.RegistryJSONOf("x", addr, "n"))
	if visits.Load() == 0 {
		t.Error("nobody came although it is allowed: the trap proves nothing")
	}
}

// TestRegistriesOf3x: the calls of its page, in its envelope.
func TestRegistriesOf3x(t *testing.T) {
	consoletest.EachEntered(t, func(t *testing.T, b consoletest.Entered) {
		headers := []string{"Authorization: ", "Access-Token: " + b.Token(t, auth.RoleRoot, auth.ForAPI)}
		model := func(method, path, body string) string {
			t.Helper()
			r := b.Call(t, method, path, body, headers...)
			consoletest.WantStatus(t, r, http.StatusOK)
			_, text, _ := strings.Cut(r.Body, `"model":`)
			if !strings.Contains(r.Body, `"success":true`) {
				t.Errorf("%s %s: %s", method, path, r.Body)
			}
			return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "}"))
		}
		if got := model("POST", api.RegistriesPath+"/connect", `{"name":"blue"}`); got != "true" {
			t.Errorf("connect: %s", got)
		}
		if got := model("GET", api.RegistriesPath+"/activated", ""); !strings.Contains(got, `"name":"blue"`) || !strings.Contains(got, `"activated":true`) {
			t.Errorf("activated: %s", got)
		}
		if got := model("GET", "/api/jobs/getAllJobsBriefInfo", ""); !strings.Contains(got, "blue-job") || strings.Contains(got, "red-job") {
			t.Errorf("jobs: %s", got)
		}
		if got := model("POST", api.RegistriesPath+"/add", consoletest.RegistryJSONOf("third", "127.0.0.1:1", "n")); got != "true" {
			t.Errorf("add: %s", got)
		}
		if got := model("DELETE", api.RegistriesPath, `{"name":"blue"}`); got != "null" {
			t.Errorf("delete: %s", got)
		}
		if got := model("GET", api.RegistriesPath+"/activated", ""); got != "null" {
			t.Errorf("activated after it was removed: %s", got)
		}
	})
}

// TestV08RegistryWithAChroot: a registry is entered with a chroot behind
// its last address, tested and served; an address that follows is no mistake that
// waits for the first connection.
func TestV08RegistryWithAChroot(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		b := consoletest.New(t, consoletest.OwnDatabase(t, storetest.SQLiteDSN(t)), consoletest.OwnRegistries(t, "127.0.0.0/8"))
		chroot := "/" + zktest.Namespace(t)
		if _, err := treetest.Connect(t, srv.Addr).Create(t.Context(), chroot, nil, zk.Persistent); err != nil {
			t.Fatal(err)
		}
		tree := treetest.New(t, srv.Addr+chroot)
		tree.Plant(t, consoletest.Plain("rooted"))
		for addr, part := range map[string]string{
			"127.0.0.1:1/a,127.0.0.1:2/a": "behind the last", "127.0.0.1:1/a/": "behind the last", "/a": "behind the last",
		} {
			if r := b.Call(t, http.MethodPost, api.RegistriesPath, consoletest.RegistryJSONOf("wrong", addr, "n")); r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(r.Body, part) {
				t.Errorf("%s: %d %s", addr, r.StatusCode, r.Body)
			}
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.RegistriesPath+"/connectTest", consoletest.RegistryJSONOf("x", srv.Addr+chroot, tree.NS.String())), http.StatusOK)
		if r := b.Call(t, http.MethodPost, api.RegistriesPath+"/connectTest", consoletest.RegistryJSONOf("x", srv.Addr+chroot+"/none", tree.NS.String())); r.StatusCode == http.StatusOK || !strings.Contains(r.Body, "the chroot does not exist") {
			t.Errorf("a chroot that is not there: %d %s", r.StatusCode, r.Body)
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.RegistriesPath, consoletest.RegistryJSONOf("rooted", srv.Addr+chroot, tree.NS.String())), http.StatusCreated)
		if got := jobsOf(t, b, "?registry=rooted"); got != "rooted" {
			t.Errorf("jobs %q", got)
		}
		if r := b.Call(t, http.MethodGet, api.RegistriesPath, ""); !strings.Contains(r.Body, srv.Addr+chroot) {
			t.Errorf("the address is not shown: %s", r.Body)
		}
	})
}
