package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestW58CommandsLogNoSecrets: neither log format shows the secrets of an error.
func TestW58CommandsLogNoSecrets(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"text", "json"} {
		var log bytes.Buffer
		newLogger(&log, format, "").Error("run failed", "err", errors.New("exit code 1: connect with DB_PASS=Canary7"))
		if text := log.String(); strings.Contains(text, "Canary7") || !strings.Contains(text, "DB_PASS=***") {
			t.Error(text)
		}
	}
}

// TestW57ServerErrorsAreLimited: a failed TLS handshake is a line, and costs a stranger nothing.
func TestW57ServerErrorsAreLimited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		errs := ServerErrors(newLogger(&log, "text", ""))
		for range 200 {
			errs.Print("http: TLS handshake error from 203.0.113.1:4711: EOF")
		}
		time.Sleep(time.Minute)
		errs.Print("http: later")
		if n := strings.Count(log.String(), "handshake"); n != 60 || !strings.Contains(log.String(), "later") {
			t.Errorf("%d lines:\n%s", n, log.String())
		}
	})
}
