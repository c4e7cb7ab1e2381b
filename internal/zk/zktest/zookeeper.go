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

// jarDir is where the distribution keeps Java libraries.
const jarDir = "/usr/share/java"

// jars are the libraries that a standalone server needs.
var jars = []string{
	"zookeeper.jar", "zookeeper-jute.jar",
	"slf4j-api.jar", "slf4j-simple.jar",
	"netty-common.jar", "netty-buffer.jar", "netty-transport.jar", "netty-handler.jar", "netty-codec.jar", "netty-resolver.jar",
	"commons-cli.jar", "metrics-core.jar", "snappy-java.jar",
}

// secureJars are what it needs beside those for TLS.
var secureJars = []string{"netty-transport-native-epoll.jar", "netty-transport-native-unix-common.jar"}

// secureSettings are the lines for TLS: the port and the folder of the stores.
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

// startTimeout bounds the wait for a server to answer. It is far above the
// usual fraction of a second, for machines under load.
const startTimeout = 60 * time.Second

// Options are the settings of a real server that tests vary.
type Options struct {
	// ContainerCheckInterval is how often empty containers and overdue TTL
	// nodes are deleted. Defaults to ZooKeeper's minute.
	ContainerCheckInterval time.Duration

	// Durable runs the server as one in production runs, for measurements: it
	// forces its log to the disk, both compilers of Java work, and it may take
	// 1 GB of memory. Its tick is 500 ms, so sessions last 1 s or more.
	Durable bool

	// TLS has the server listen for TLS too, at [ZooKeeper.SecureAddr], with a
	// certificate of this authority for 127.0.0.1; clients must present one. Nil:
	// it does not.
	TLS *Authority

	// keepUntilExit is set for a shared server: its folder goes with it.
	keepUntilExit bool

	// quorum makes the server a member of an ensemble: what its configuration
	// says of the others. Empty for a server by itself.
	quorum string
}

// ZooKeeper is a real server process on a loopback port. It allows sessions
// from 200 ms to 60 s, has TTL nodes and all four-letter words enabled, and
// does not force its log to the disk: it survives the loss of its process,
// not that of the machine. The methods are for one goroutine at a time.
type ZooKeeper struct {
	dir   string
	host  string
	port  int
	tls   int // the port for TLS, 0 without
	opts  Options
	stdin io.WriteCloser // nil while not running
	cmd   *exec.Cmd
	pid   int // of the Java process
}

// Launch starts a server outside a test, with its files in dir, which the
// caller removes after [ZooKeeper.Kill]. Should the caller's process end first,
// the server ends as well.
func Launch(dir string, opts Options) (*ZooKeeper, error) { return start(dir, opts) }

// start brings a server up on a port that was free a moment ago. Another
// process may be faster; then there is another attempt.
func start(dir string, opts Options) (*ZooKeeper, error) {
	if err := checkInstalled(); err != nil {
		return nil, err
	}
	var failures []error
	for range 3 {
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

// OwnHost returns a loopback address of which nobody else uses ports. A server
// that stops and starts again at a port of 127.0.0.1 may find that another process
// has been given that port meanwhile. Where a machine has no other loopback
// address it is 127.0.0.1.
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

// guard runs the server and ends it on a signal, or when the end of its
// input says that the test process has ended, so that no server outlives the
// tests, however they end. Its first argument is the data folder, the second
// tells whether to remove that folder at the end.
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

// launch starts the process and waits until it answers.
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

// spawn starts the process.
func (z *ZooKeeper) spawn() error {
	config := filepath.Join(z.dir, "zoo.cfg")
	if err := os.WriteFile(config, []byte(z.settings()), 0o600); err != nil {
		return fmt.Errorf("zktest: %w", err)
	}
	os.Remove(filepath.Join(z.dir, "pid")) // of an earlier run, if any
	cmd := exec.Command("sh", z.arguments(config)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // ^C is for the tests; the guard then sees their end
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

// settings is the server's configuration file.
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

// arguments are those of the shell that keeps the server.
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

// await waits until the server serves and notes the id of its process. The
// answer "imok" would not do: it comes a moment before the first session can
// be opened. A connection made in that moment may never be answered, so each
// attempt is short.
func (z *ZooKeeper) await() error {
	deadline := time.Now().Add(startTimeout)
	for {
		if z.pid == 0 {
			if text, err := os.ReadFile(filepath.Join(z.dir, "pid")); err == nil {
				z.pid, _ = strconv.Atoi(strings.TrimSpace(string(text))) // 0 if it says nothing
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

// end tells the guard to end the server with a signal and waits for both.
func (z *ZooKeeper) end(signal string) {
	if z.stdin == nil {
		return
	}
	// If the guard has ended already, there is nothing left to do.
	io.WriteString(z.stdin, signal+"\n")
	if pid := z.pid; signal != "KILL" && pid != 0 { // Process 0 would be this one and all of its group.
		killer := time.AfterFunc(10*time.Second, func() { syscall.Kill(pid, syscall.SIGKILL) })
		defer killer.Stop()
	}
	z.cmd.Wait()
	z.stdin, z.pid = nil, 0
}

// Addr is the server's address, the same after every restart.
func (z *ZooKeeper) Addr() string { return net.JoinHostPort(z.host, strconv.Itoa(z.port)) }

// SecureAddr is where the server listens for TLS, if [Options.TLS] asked for it.
func (z *ZooKeeper) SecureAddr() string { return net.JoinHostPort(loopback, strconv.Itoa(z.tls)) }

// writeStores writes the server's certificates to where its settings look.
func writeStores(tb testing.TB, dir string, by *Authority) {
	tb.Helper()
	cert, key := by.Issue(tb, "zookeeper", "127.0.0.1", "zookeeper.test")
	for name, text := range map[string][]byte{"server.pem": append(key, cert...), "ca.pem": by.PEM} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
}

// Log returns the errors that the server has logged.
func (z *ZooKeeper) Log() string {
	text, err := os.ReadFile(filepath.Join(z.dir, "log"))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Kill ends the server as a crash would.
func (z *ZooKeeper) Kill() { z.end("KILL") }

// End ends the server and removes its folder.
func (z *ZooKeeper) End() error {
	z.Kill()
	return os.RemoveAll(z.dir)
}

// Stop ends the server in an orderly way.
func (z *ZooKeeper) Stop() {
	z.Resume()
	z.end("TERM")
}

// Restart starts the server again with its data, after ending it if it runs,
// and waits until it answers. Sessions survive, with their whole timeout to
// reconnect.
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

// Pause freezes the process: connections stay open and nothing answers. Time
// goes on for sessions, which the server notices when it is resumed.
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

// FourLetterWord sends an administrative command such as "ruok", "srvr" or
// "mntr" to a server and returns the answer. It takes 5 s at most.
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
