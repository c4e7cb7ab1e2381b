package zktest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// jarDir is the distribution's folder for Java libraries.
const jarDir = "/usr/share/java"

// jars are the libraries of a standalone server.
var jars = []string{
	"zookeeper.jar", "zookeeper-jute.jar",
	"slf4j-api.jar", "slf4j-simple.jar",
	"netty-common.jar", "netty-buffer.jar", "netty-transport.jar", "netty-handler.jar", "netty-codec.jar", "netty-resolver.jar",
	"commons-cli.jar", "metrics-core.jar", "snappy-java.jar",
}

// secureJars are the additional libraries for TLS.
var secureJars = []string{"netty-transport-native-epoll.jar", "netty-transport-native-unix-common.jar"}

// secureSettings are the configuration lines for TLS, with the port and the folder of the stores.
const secureSettings = `secureClientPort=%d
secureClientPortAddress=127.0.0.1
ssl.keyStore.type=PEM
ssl.keyStore.location=%s/server.pem
ssl.trustStore.type=PEM
ssl.trustStore.location=%s/ca.pem
ssl.clientAuth=need
ssl.hostnameVerification=false
`

const installHint = "run make test-all, which installs it on Debian, or apt-get install zookeeper default-jre-headless; make test works without it"

// startTimeout bounds the wait for a server's first answer. Usually it takes a fraction of a
// second, but machines may be under load.
const startTimeout = 60 * time.Second

// Options are the settings of a real server.
type Options struct {
	// ContainerCheckInterval is the interval for deleting empty containers and overdue TTL nodes.
	// Defaults to ZooKeeper's minute.
	ContainerCheckInterval time.Duration

	// Durable runs the server as in production, for measurements: it forces its log to disk, uses
	// both Java compilers, and may take 1 GB of memory. Its tick is 500 ms, so sessions last 1 s or
	// more.
	Durable bool

	// TLS adds a TLS listener at [ZooKeeper.SecureAddr] with a certificate of this authority for
	// 127.0.0.1. Clients must present a certificate of it too. Nil means no TLS.
	TLS *Authority

	// keepUntilExit is set for a shared server, and removes its folder with it.
	keepUntilExit bool

	// quorum has the configuration lines of an ensemble. Empty means a standalone server.
	quorum string
}

// ZooKeeper is a real server process on a loopback port. It allows sessions from 200 ms to 60 s,
// and TTL nodes and all four-letter words. It doesn't force its log to disk, so data survives a
// crash of the process but not of the machine. The methods are for one goroutine at a time.
type ZooKeeper struct {
	dir   string
	host  string
	port  int
	tls   int // TLS port, 0 without
	opts  Options
	stdin io.WriteCloser // nil while not running
	cmd   *exec.Cmd
	pid   int // of the Java process
}

// Launch starts a server outside a test with its files in dir. The caller removes dir after
// [ZooKeeper.Kill]. If the caller's process ends first, the server ends too.
func Launch(dir string, opts Options) (*ZooKeeper, error) {
	if err := checkInstalled(); err != nil {
		return nil, err
	}
	var failures []error
	for range 3 { // Another process may take a free port first.
		host := OwnHost()
		port, err := freePort(host)
		if err != nil {
			return nil, err
		}
		z := &ZooKeeper{dir: dir, host: host, port: port, opts: opts}
		if opts.TLS != nil {
			if z.tls, err = freePort(loopback); err != nil {
				return nil, err
			}
		}
		if err = z.launch(); err == nil {
			return z, nil
		}
		failures = append(failures, err)
	}
	return nil, errors.Join(failures...)
}

func checkInstalled() error {
	if _, err := exec.LookPath("java"); err != nil {
		return fmt.Errorf("zktest: no java: %s", installHint)
	}
	for _, jar := range jars {
		if _, err := os.Stat(filepath.Join(jarDir, jar)); err != nil {
			return fmt.Errorf("zktest: %w: %s", err, installHint)
		}
	}
	return nil
}

const loopback = "127.0.0.1"

// OwnHost returns a loopback address for this server alone, or 127.0.0.1 if the machine
// doesn't have one. On 127.0.0.1 another process may get the port of a server while it restarts.
func OwnHost() string {
	host := fmt.Sprintf("127.%d.%d.%d", 1+rand.IntN(254), rand.IntN(256), 1+rand.IntN(254))
	if _, err := freePort(host); err != nil {
		return loopback
	}
	return host
}

func freePort(host string) (int, error) {
	ln, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return 0, fmt.Errorf("zktest: find a free port: %w", err)
	}
	defer ln.Close()
	return ln.Addr().(*net.TCPAddr).Port, nil
}

// guard runs the server and ends it on a signal, or when its input ends because the test process
// has ended. So no server outlives the tests. The first argument is the data folder, the second is
// whether to remove it at the end.
const guard = `
dir=$1; remove=$2; shift 2
"$@" </dev/null >>"$dir/log" 2>&1 &
child=$!
echo $child >"$dir/pid.new" && mv "$dir/pid.new" "$dir/pid"
read -r signal
kill -"${signal:-KILL}" $child 2>/dev/null
wait $child
[ "$remove" = true ] && [ -z "$signal" ] && rm -rf "$dir"
exit 0
`

func (z *ZooKeeper) launch() error {
	if err := z.spawn(); err != nil {
		return err
	}
	if err := z.await(); err != nil {
		log := z.Log()
		z.end("KILL")
		return fmt.Errorf("zktest: start ZooKeeper: %w; its log:\n%s", err, log)
	}
	return nil
}

func (z *ZooKeeper) spawn() error {
	config := filepath.Join(z.dir, "zoo.cfg")
	if err := os.WriteFile(config, []byte(z.settings()), 0o600); err != nil {
		return fmt.Errorf("zktest: %w", err)
	}
	os.Remove(filepath.Join(z.dir, "pid")) // of an earlier run
	cmd := exec.Command("sh", z.arguments(config)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // ^C is for the tests; the guard notices their end
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("zktest: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("zktest: start ZooKeeper: %w", err)
	}
	z.cmd, z.stdin = cmd, stdin
	return nil
}

func (z *ZooKeeper) settings() string {
	tick, shortest := 100, 200
	if z.opts.Durable {
		tick, shortest = 500, 1000
	}
	text := fmt.Sprintf(`tickTime=%d
minSessionTimeout=%d
maxSessionTimeout=60000
dataDir=%s
clientPort=%d
clientPortAddress=%s
maxClientCnxns=0
admin.enableServer=false
4lw.commands.whitelist=*
`, tick, shortest, filepath.Join(z.dir, "data"), z.port, z.host) + z.opts.quorum
	if z.tls != 0 {
		text += fmt.Sprintf(secureSettings, z.tls, z.dir, z.dir)
	}
	return text
}

// arguments are the arguments of the guarding shell.
func (z *ZooKeeper) arguments(config string) []string {
	classPath := make([]string, len(jars))
	for i, jar := range jars {
		classPath[i] = filepath.Join(jarDir, jar)
	}
	args := []string{
		"-c", guard, "guard", z.dir, strconv.FormatBool(z.opts.keepUntilExit),
		"java", "-Xshare:auto", "-Djava.net.preferIPv4Stack=true",
		"-Dzookeeper.extendedTypesEnabled=true", "-Dzookeeper.digest.enabled=false",
		"-Dzookeeper.jmx.log4j.disable=true",
		"-Dorg.slf4j.simpleLogger.defaultLogLevel=error", "-Dorg.slf4j.simpleLogger.showDateTime=true",
	}
	if z.tls != 0 {
		for _, jar := range secureJars {
			classPath = append(classPath, filepath.Join(jarDir, jar))
		}
		args = append(args, "-Dzookeeper.serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
			"-Dzookeeper.authProvider.x509=org.apache.zookeeper.server.auth.X509AuthenticationProvider")
	}
	if z.opts.Durable {
		args = append(args, "-Xmx1g")
	} else {
		args = append(args, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xms32m", "-Xmx512m", "-Dzookeeper.forceSync=no")
	}
	if every := z.opts.ContainerCheckInterval; every > 0 {
		args = append(args, fmt.Sprintf("-Dznode.container.checkIntervalMs=%d", every.Milliseconds()))
	}
	mainClass := "org.apache.zookeeper.server.ZooKeeperServerMain"
	if z.opts.quorum != "" {
		mainClass = "org.apache.zookeeper.server.quorum.QuorumPeerMain"
	}
	return append(args, "-cp", strings.Join(classPath, ":"), mainClass, config)
}

// await waits until the server serves and records its process id. "imok" isn't enough, because it
// comes a moment before sessions can be opened. A connection in that moment may never be answered,
// so each attempt is short.
func (z *ZooKeeper) await() error {
	deadline := time.Now().Add(startTimeout)
	for {
		if z.pid == 0 {
			if text, err := os.ReadFile(filepath.Join(z.dir, "pid")); err == nil {
				z.pid, _ = strconv.Atoi(strings.TrimSpace(string(text))) // 0 if empty
			}
		} else if reply, err := ask(z.Addr(), "srvr", 2*time.Second); err == nil && strings.Contains(reply, "Mode: ") {
			return nil
		} else if syscall.Kill(z.pid, 0) != nil {
			return errors.New("the process ended")
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("no answer within %v", startTimeout)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// end makes the guard send a signal to the server, and waits for both.
func (z *ZooKeeper) end(signal string) {
	if z.stdin == nil {
		return
	}
	// If the guard has already ended, there's nothing to do.
	io.WriteString(z.stdin, signal+"\n")
	if pid := z.pid; signal != "KILL" && pid != 0 { // Process 0 would be our own process group.
		killer := time.AfterFunc(10*time.Second, func() { syscall.Kill(pid, syscall.SIGKILL) })
		defer killer.Stop()
	}
	z.cmd.Wait()
	z.stdin, z.pid = nil, 0
}

// Addr is the server's address. It stays the same after a restart.
func (z *ZooKeeper) Addr() string { return net.JoinHostPort(z.host, strconv.Itoa(z.port)) }

// SecureAddr is the TLS address if [Options.TLS] is set.
func (z *ZooKeeper) SecureAddr() string { return net.JoinHostPort(loopback, strconv.Itoa(z.tls)) }

func writeStores(tb testing.TB, dir string, by *Authority) {
	tb.Helper()
	cert, key := by.Issue(tb, "zookeeper", "127.0.0.1", "zookeeper.test")
	for name, text := range map[string][]byte{"server.pem": append(key, cert...), "ca.pem": by.PEM} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
}

// Log returns the server's logged errors.
func (z *ZooKeeper) Log() string {
	text, err := os.ReadFile(filepath.Join(z.dir, "log"))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Kill crashes the server.
func (z *ZooKeeper) Kill() { z.end("KILL") }

// End ends the server and removes its folder.
func (z *ZooKeeper) End() error {
	z.Kill()
	return os.RemoveAll(z.dir)
}

// Stop shuts the server down cleanly.
func (z *ZooKeeper) Stop() {
	z.Resume()
	z.end("TERM")
}

// Restart stops the server if it's running, starts it with its data and waits until it answers.
// Sessions survive and get their whole timeout to reconnect.
func (z *ZooKeeper) Restart(tb testing.TB) {
	tb.Helper()
	if err := z.Relaunch(); err != nil {
		tb.Fatal(err)
	}
}

// Relaunch is [ZooKeeper.Restart] outside a test.
func (z *ZooKeeper) Relaunch() error {
	z.Stop()
	return z.launch()
}

// Pause freezes the process: connections stay open without any answer. Session time goes on, and
// the server notices when it resumes.
func (z *ZooKeeper) Pause() {
	if z.pid != 0 {
		syscall.Kill(z.pid, syscall.SIGSTOP)
	}
}

// Resume ends a [ZooKeeper.Pause].
func (z *ZooKeeper) Resume() {
	if z.pid != 0 {
		syscall.Kill(z.pid, syscall.SIGCONT)
	}
}

// FourLetterWord sends an administrative command such as "ruok", "srvr" or "mntr" and returns the
// answer. It takes at most 5 s.
func FourLetterWord(addr, word string) (string, error) { return ask(addr, word, 5*time.Second) }

func ask(addr, word string, limit time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	var dialer net.Dialer
	nc, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return "", fmt.Errorf("zktest: %s: %w", word, err)
	}
	defer nc.Close()
	deadline, _ := ctx.Deadline()
	nc.SetDeadline(deadline)
	if _, err := io.WriteString(nc, word); err != nil {
		return "", fmt.Errorf("zktest: %s: %w", word, err)
	}
	reply, err := io.ReadAll(nc)
	if err != nil {
		return "", fmt.Errorf("zktest: %s: %w", word, err)
	}
	return string(reply), nil
}
