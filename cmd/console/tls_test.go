package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// writePair writes a fresh self-signed certificate and its key.
func writePair(t *testing.T, certFile, keyFile string, serial int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "console"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: cert}, keyFile: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// shown is the serial number of the certificate that a server shows, in a
// handshake with versions up to one.
func shown(addr string, version uint16) (int64, error) {
	conn, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS10, MaxVersion: version})
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64(), nil
}

// TestV22TLS: the console speaks TLS itself, from 1.2 on, marks its cookies so,
// and takes a renewed certificate without a restart; a mistake in the files
// leaves the old one.
func TestV22TLS(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	cert, key := filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key")
	writePair(t, cert, key, 1)
	p := start(t, noEnv, "serve", "--listen=127.0.0.1:0", "--data="+t.TempDir(), "--zookeeper=127.0.0.1:1", "--namespace=n", "--tls-cert="+cert, "--tls-key="+key)
	m := regexp.MustCompile(`address=https://(\S+)`).FindStringSubmatch(p.AwaitText("console started"))
	if m == nil {
		t.Fatalf("the console does not say that it speaks TLS:\n%s", p.Stderr.String())
	}
	addr := m[1]
	if _, err := shown(addr, tls.VersionTLS11); err == nil {
		t.Error("TLS 1.1 is taken")
	}
	if got, err := shown(addr, tls.VersionTLS12); err != nil || got != 1 {
		t.Errorf("certificate %d, %v", got, err)
	}

	trust, err := cli.Pinned(cert)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: trust}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	r, err := client.PostForm("https://"+addr+"/login", url.Values{"username": {"root"}, "password": {"root"}})
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if cookies := r.Header.Get("Set-Cookie"); r.StatusCode != http.StatusSeeOther || !strings.HasPrefix(cookies, "__Host-elasticjob_session=") || !strings.Contains(cookies, "Secure") || r.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("%s with cookie %q", r.Status, cookies)
	}
	for _, health := range []struct {
		args []string
		code int
	}{
		{[]string{"health", "--listen=" + addr, "--tls-cert=" + cert}, cli.ExitOK},
		{[]string{"health", "--listen=" + addr}, cli.ExitFailure},
	} {
		if code := start(t, noEnv, health.args...).Wait(); code != health.code {
			t.Errorf("console %q ends with %d", health.args, code)
		}
	}

	writePair(t, cert, key, 2)
	eventually(t, "the renewed certificate is shown", func() bool { got, err := shown(addr, tls.VersionTLS13); return err == nil && got == 2 })
	if err := os.WriteFile(cert, []byte("half a certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the mistake is in the log", func() bool {
		got, err := shown(addr, tls.VersionTLS13)
		if err != nil || got != 2 {
			t.Fatalf("certificate %d, %v", got, err)
		}
		return strings.Contains(p.Stderr.String(), "the old one stays")
	})
	if code := p.Stop(); code != cli.ExitOK {
		t.Errorf("exit code %d:\n%s", code, p.Stderr.String())
	}
}

func TestV22V29Mistakes(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	cert, key, open := filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key"), filepath.Join(folder, "open.key")
	writePair(t, cert, key, 1)
	text, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(open, text, 0o644); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(folder, "auth.properties")
	if err := os.WriteFile(plain, []byte("root.username=ada\nroot.password=correct horse battery\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, mistake := range []struct {
		args []string
		says string
		code int
	}{
		{[]string{"--tls-cert=" + cert}, "belong together", cli.ExitUsage},
		{[]string{"--tls-cert=" + cert, "--tls-key=" + open}, "every user of this machine", cli.ExitFailure},
		{[]string{"--tls-cert=" + key, "--tls-key=" + key}, "read the TLS certificate", cli.ExitFailure},
		{[]string{"--trusted-proxies=0.0.0.0/0"}, "trusts everybody", cli.ExitUsage},
		{[]string{"--trusted-proxies=proxy"}, "--trusted-proxies", cli.ExitUsage},
		{[]string{"--allowed-hosts=http://x"}, "--allowed-hosts", cli.ExitUsage},
		{[]string{"--base-path=/jobs"}, "--base-path", cli.ExitUsage},
		{[]string{
			"--base-path=/ops", "--secure-cookies", "--oidc-issuer=https://id.example", "--oidc-client-id=c", "--oidc-guest-group=g",
			"--oidc-redirect-url=https://jobs.example/login/oidc/callback",
		}, "/ops/login/oidc/callback", cli.ExitUsage},
		{[]string{"--listen=0.0.0.0:0", "--auth=" + plain}, "every user of this machine", cli.ExitFailure}, // V29
	} {
		p := start(t, noEnv, append([]string{"serve", "--listen=127.0.0.1:0", "--data=" + t.TempDir(), "--zookeeper=127.0.0.1:1", "--namespace=n"}, mistake.args...)...)
		if code := p.Wait(); code != mistake.code || !strings.Contains(p.Stderr.String(), mistake.says) {
			t.Errorf("%q: exit code %d\n%s", mistake.args, code, p.Stderr.String())
		}
	}
}
