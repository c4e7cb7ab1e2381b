package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// certificateCheck is how often handshakes look whether the files changed.
const certificateCheck = time.Second

// certificate is a key pair in two files that others renew: a handshake that
// finds them changed reads them again. With a mistake in them the old pair
// stays. It is safe for concurrent use.
type certificate struct {
	certFile, keyFile string
	log               *slog.Logger

	mu      sync.Mutex
	pair    *tls.Certificate
	seen    [2]fileState // of the files as they were last read
	checked time.Time
}

// fileState tells whether a file is another one than before.
type fileState struct {
	modified time.Time
	size     int64
}

// serverTLS is how the console speaks TLS with the pair in the two files; nil
// if neither is named.
func serverTLS(certFile, keyFile string, log *slog.Logger) (*tls.Config, error) {
	if certFile == "" && keyFile == "" {
		return nil, nil
	}
	hint := "--tls-cert names a file with the certificate and those of the authorities between, --tls-key one with its key, both PEM."
	if certFile == "" || keyFile == "" {
		return nil, cli.Usage(hint, "--tls-cert and --tls-key belong together, only one is given")
	}
	if info, err := os.Stat(keyFile); err == nil && info.Mode().Perm()&0o004 != 0 {
		return nil, cli.Fail("Run chmod o-r on it, or mount the secret with mode 0440.", "--tls-key %s can be read by every user of this machine", keyFile)
	}
	c := &certificate{certFile: certFile, keyFile: keyFile, log: log}
	if err := c.read(); err != nil {
		return nil, cli.Fail(hint, "%w", err)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get}, nil
}

// get is the pair for a handshake.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.checked) >= certificateCheck {
		c.checked = now
		if state, err := c.state(); err != nil || state != c.seen {
			switch err := c.read(); {
			case err != nil && state == c.seen:
			case err != nil:
				c.log.Error("the TLS certificate was not read again, the old one stays", slog.Any("err", err))
				c.seen = state // said once for each change
			default:
				c.log.Info("the TLS certificate was read again", slog.String("file", c.certFile), slog.Time("until", c.pair.Leaf.NotAfter))
			}
		}
	}
	return c.pair, nil
}

// state is how the two files are now. A file that cannot be looked at counts as
// changed to nothing.
func (c *certificate) state() (state [2]fileState, err error) {
	for i, name := range []string{c.certFile, c.keyFile} {
		info, statErr := os.Stat(name)
		if statErr != nil {
			err = errors.Join(err, statErr)
			continue
		}
		state[i] = fileState{info.ModTime(), info.Size()}
	}
	return state, err
}

// read takes the pair from the files. The caller holds the lock, or is the only
// one.
func (c *certificate) read() error {
	state, err := c.state()
	if err != nil {
		return fmt.Errorf("read the TLS certificate: %w", err)
	}
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return fmt.Errorf("read the TLS certificate in %s and %s: %w", c.certFile, c.keyFile, err)
	}
	c.pair, c.seen = &pair, state
	return nil
}
