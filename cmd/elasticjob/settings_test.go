package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// TestSettings enters, changes, tests, chooses and removes a registry and a data source of a console.
func TestSettings(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	c := configuredConsole(t, consoletest.OwnRegistries(t, "127.0.0.0/8"), consoletest.OwnSources(t, folder, "127.0.0.0/8"))
	address := zktest.Fake(t).Addr
	secret := filepath.Join(folder, "secret")
	if err := os.WriteFile(secret, []byte("ops:hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(code int, want string, line string, more ...string) {
		t.Helper()
		c.runs(noEnv, code, []string{want}, append(append([]string{"settings"}, strings.Fields(line)...), more...)...)
	}
	run(0, "registry billing is entered", "registry add billing --namespace=team/billing --servers="+address)
	run(0, "the registry answers", "registry test --namespace=jobs --servers="+address)
	run(0, "  team/billing", "registry list")
	run(0, "registry billing is changed", "registry edit billing --namespace=team/other")
	run(0, "  team/other", "registry list")
	run(0, "registry billing is changed", "registry edit billing --digest-file="+secret)
	run(0, `"hasDigest":true`, "registry list -o json")
	run(0, "default\nbilling\n", "registry list -o name")
	run(cli.ExitFailure, "Did you mean billing?", "registry edit biling --namespace=x")
	run(cli.ExitFailure, "Did you mean billing?", "registry remove biling --yes")
	run(cli.ExitFailure, "Did you mean billing?", "registry use biling")
	run(cli.ExitFailure, "zkAddressList", "registry edit billing --servers=no-port-here:x")
	run(cli.ExitUsage, "no flag names a change", "registry edit billing")
	run(cli.ExitUsage, "--no-tls leaves", "registry add x --servers=h:2181 --no-tls --server-name=x")
	run(cli.ExitFailure, "read the file of digest", "registry edit billing --digest-file=/nowhere/digest")
	run(cli.ExitFailure, "nothing was changed", "registry remove billing")
	run(0, "registry billing is used", "registry use billing")
	run(0, "registry billing is removed", "registry remove billing --yes")

	run(0, "data source history is entered", "source add history --url=jdbc:mysql://127.0.0.1:3307/elasticjob --account=reader --secret-file="+secret)
	run(0, "mysql  reader   jdbc:mysql://127.0.0.1:3307/elasticjob", "source list")
	run(0, "data source history is changed", "source edit history --account=writer")
	run(0, "mysql  writer   jdbc:mysql://127.0.0.1:3307/elasticjob", "source list")
	run(cli.ExitFailure, "password", "source edit history --host=127.0.0.2")
	run(0, "data source history is changed", "source edit history --host=127.0.0.2 --secret-file="+secret)
	run(cli.ExitFailure, "Did you mean history?", "source edit histroy --port=1")
	run(cli.ExitUsage, "must be one of", "source add x --type=oracle")
	run(cli.ExitUsage, "--url and --type", "source add x --type=mysql --url=jdbc:mysql://h/d")
	run(0, "data source history is removed", "source remove history --yes")

	run(0, "view failing is saved", "view save jobs failing state=failing")
	run(0, "jobs  failing  no      root  state=failing", "view list")
	run(cli.ExitUsage, "must be one of", "view save lists failing q=x")
	run(0, "view failing is removed", "view remove jobs failing")
	run(cli.ExitFailure, "not found", "view remove jobs failing")
}

// TestSettingsImport enters a file of ElasticJob's own console, after a look at what it would do.
func TestSettingsImport(t *testing.T) {
	t.Parallel()
	c := configuredConsole(t, consoletest.OwnRegistries(t, "127.0.0.0/8"), consoletest.OwnSources(t, t.TempDir()))
	file := filepath.Join(t.TempDir(), "Configurations.xml")
	text := `<configs><registryCenterConfigurations><registryCenterConfiguration name="prod" zkAddressList="127.0.0.1:2181" namespace="jobs" digest="ops:hunter2"/>` +
		`<registryCenterConfiguration name="broken" zkAddressList="127.0.0.1:port" namespace="jobs"/></registryCenterConfigurations></configs>`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	said := c.runs(noEnv, cli.ExitFailure, []string{"prod    new", "broken  refused", "Enter the new ones? [yes/no]", "nothing was changed"}, "settings", "import", file)
	said += c.runs(noEnv, 0, []string{"prod    added", "broken  refused"}, "settings", "import", file, "--yes")
	said += c.runs(noEnv, 0, []string{"prod    present"}, "settings", "import", file, "--yes")
	if strings.Contains(said, "hunter2") {
		t.Errorf("a password was printed:\n%s", said)
	}
	c.runs(noEnv, cli.ExitFailure, []string{"no such file"}, "settings", "import", file+".old")
	if err := os.WriteFile(file, []byte("name: x"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.runs(noEnv, cli.ExitFailure, []string{"not a Configurations.xml"}, "settings", "import", file)
}

// TestTLSOfARegistryIsMerged: a flag changes one part of the way to a registry and keeps the others.
func TestTLSOfARegistryIsMerged(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `[{"name":"n","zkAddressList":"h:2281","namespace":"jobs","acl":"creator","tls":{"enabled":true,"ca":"PEM"},"hasDigest":true,"activated":false,"fixed":false}]`)
			return
		}
		fmt.Fprint(w, "{}")
	})
	d.asks(t, 0, "registry n is changed\n", "settings", "registry", "edit", "n", "--server-name=zk")
	asked := d.requests()
	const want = `{"acl":"creator","namespace":"jobs","tls":{"ca":"PEM","enabled":true,"serverName":"zk"},"zkAddressList":"h:2281"}`
	if got := asked[len(asked)-1]; got.Method != http.MethodPut || got.URI != "/api/registry-center/n" || got.Body != want {
		t.Errorf("%+v, want the body %s", got, want)
	}
}
