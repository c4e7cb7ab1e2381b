package local_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/local"
)

// account is the user of programs. Only root can start programs as another user.
var account = &local.Account{UID: 65534, GID: 65534}

// TestW62ProgramsOfAnotherUser: programs run as the account, use their working folder, and can't
// read the engine's files or another task's. Without the right to switch users, they don't run.
func TestW62ProgramsOfAnotherUser(t *testing.T) {
	t.Parallel()
	cfg := config(t)
	cfg.Account = account
	if err := os.Chmod(filepath.Dir(cfg.Dir), 0o711); err != nil { // the test's folder, closed to others
		t.Fatal(err)
	}
	f := open(t, cfg)
	r := job("as-another", 1)
	r.App.Command, r.App.Shell = nil, true
	r.App.BootstrapScript = `id -u; id -G; pwd; echo mine >"$TMPDIR/file"; cat "$HOME/file"
for file in "$ENGINE/secret" ../1/task.json ../1/log.0 ../../run.json; do cat "$file" && echo "read $file"; done
ls "$ENGINE/runs" && echo "listed"; true`
	r.App.Env = map[string]string{"ENGINE": cfg.Dir}
	f.launch(r)
	status := f.finished(r)
	if os.Geteuid() != 0 {
		if status.State != cloud.RunFailed || !strings.Contains(status.Message, "not permitted") {
			t.Errorf("without root: %+v", status)
		}
		return
	}
	text := f.log(f.of(r)[0].TaskRef, cloud.LogOptions{})
	if status.State != cloud.RunSucceeded || !strings.HasPrefix(text, "65534\n65534\n") || !strings.Contains(text, "mine\n") {
		t.Errorf("%+v\n%s", status, text)
	}
	if strings.Contains(text, "read ") || strings.Contains(text, "listed") {
		t.Errorf("it reads files of the engine:\n%s", text)
	}
}

// TestW62DaemonOfAnotherUser: a DAEMON's process should be able to read its own token.
func TestW62DaemonOfAnotherUser(t *testing.T) {
	t.Parallel()
	cfg := config(t)
	cfg.EventsURL = "http://127.0.0.1:1/events"
	if cfg.Account = account; os.Geteuid() != 0 {
		cfg.Account = nil // TestW62ProgramsOfAnotherUser has this case.
	}
	if err := os.Chmod(filepath.Dir(cfg.Dir), 0o711); err != nil {
		t.Fatal(err)
	}
	f := open(t, cfg)
	d := feed("token", 1)
	d.App.Command, d.App.Shell = nil, true
	d.App.BootstrapScript = `cat "$ELASTICJOB_EVENTS_TOKEN_FILE" >/dev/null && echo "has its token"; exec sleep 3600`
	f.daemon(d)
	r := runOf(d)
	f.running(r)
	f.children(f.of(r)[0].TaskRef, "has its token")
}

// TestW62DescriptorsStayClosed: programs should not inherit the console's descriptors.
func TestW62DescriptorsStayClosed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "secret")
	fd, err := syscall.Open(path, syscall.O_CREAT|syscall.O_RDWR, 0o600) // without O_CLOEXEC
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	f := open(t, config(t))
	r := job("descriptors", 1, "descriptors")
	f.launch(r)
	f.finished(r)
	text := f.log(f.of(r)[0].TaskRef, cloud.LogOptions{})
	if strings.Contains(text, path) || !strings.Contains(text, "pipe:") {
		t.Errorf("a program has %s:\n%s", path, text)
	}
}

// TestW62Sealed: other processes of its user should not be able to dump or trace the console.
func TestW62Sealed(t *testing.T) {
	t.Parallel()
	f := open(t, config(t))
	r := job("sealed", 1, "sealed")
	f.launch(r)
	if status := f.finished(r); status.State != cloud.RunSucceeded {
		t.Error(status)
	}
	if text := f.log(f.of(r)[0].TaskRef, cloud.LogOptions{}); text != fmt.Sprintln("dumpable", 0, nil) {
		t.Error(text)
	}
}
