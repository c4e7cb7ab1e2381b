package errorhandler

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"math/big"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errJob = errors.New("no connection to the warehouse")

// journal is a log that can be read while it's written.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// newSet returns a set that logs to a journal and is closed with the test.
func newSet(t *testing.T, opts Options) (*Set, *journal) {
	t.Helper()
	log := &journal{}
	opts.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	set := NewSet(opts)
	t.Cleanup(func() {
		// If a test leaves a delivery hanging, it ends here.
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		_ = set.Close(ctx)
	})
	return set, log
}

func mustNew(t *testing.T, set *Set, typeName string, props map[string]string) Handler {
	t.Helper()
	h, err := set.New(typeName, props)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func handle(t *testing.T, h Handler, err error) {
	t.Helper()
	if got := h.Handle(t.Context(), "invoices", err); got != nil {
		t.Fatalf("Handle stops the run: %v", got)
	}
}

// flush closes the set and expects every notification to be delivered or refused.
func flush(t *testing.T, set *Set) Stats {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Patience)
	defer cancel()
	if err := set.Close(ctx); err != nil {
		t.Fatal(err)
	}
	return set.Stats()
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in:\n%s", part, text)
		}
	}
}

func lacks(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%q is in:\n%s", part, text)
		}
	}
}

func with(props map[string]string, pairs ...string) map[string]string {
	all := make(map[string]string, len(props)+len(pairs)/2)
	for key, value := range props {
		all[key] = value
	}
	for i := 0; i < len(pairs); i += 2 {
		all[pairs[i]] = pairs[i+1]
	}
	return all
}

func without(props map[string]string, key string) map[string]string {
	all := with(props)
	delete(all, key)
	return all
}

// certificate returns a self-signed certificate for 127.0.0.1 and localhost.
func certificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

// freeAddress returns a loopback address without a listener.
func freeAddress(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().String()
}
