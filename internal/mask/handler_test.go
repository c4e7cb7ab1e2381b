package mask_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/mask"
)

type valuer struct{}

func (valuer) LogValue() slog.Value { return slog.StringValue("token=" + canary) }

type nilError struct{ text string }

func (e *nilError) Error() string { return e.text }

// TestW58LogLinesHaveNoSecrets: wherever a secret is in a record, no handler gets to see it.
func TestW58LogLinesHaveNoSecrets(t *testing.T) {
	t.Parallel()
	for _, format := range []func(io.Writer) slog.Handler{
		func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) },
		func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) },
	} {
		var out bytes.Buffer
		log := slog.New(mask.NewHandler(format(&out)))
		log = log.With("address", "https://u:"+canary+"@h/").WithGroup("g").With(slog.Group("h", "password", canary))
		log.Info("run failed: --password="+canary, "err", fmt.Errorf("run: %w", errors.New("DB_PASS="+canary)),
			"lines", []string{"a", "token=" + canary}, "raw", []byte("secret="+canary), "secret", canary,
			"api_key", []string{canary},
			"url", &url.URL{Scheme: "https", Host: "h", RawQuery: "access_token=" + canary}, "valuer", valuer{},
			"struct", struct{ Password string }{canary}, "map", map[string]any{"password": canary},
			"nil", (*nilError)(nil), "none", nil)
		slog.NewLogLogger(log.Handler(), slog.LevelInfo).Print("password=" + canary)
		if text := out.String(); strings.Contains(text, canary) || strings.Count(text, "\n") != 2 {
			t.Errorf("logged:\n%s", text)
		}
	}
}

// TestW58OrdinaryLogLines stay as they are, and long ones are clipped.
func TestW58OrdinaryLogLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(mask.NewHandler(slog.NewTextHandler(&out, nil)))
	log.Error("started", "address", "http://127.0.0.1:8899", "jobs", 7, "ok", true, "reason", "token_missing",
		"list", []int{1, 2}, "err", errors.New("open /etc/tls/server.key: no such file or directory"))
	const want = `msg=started address=http://127.0.0.1:8899 jobs=7 ok=true reason=token_missing list="[1 2]" ` +
		`err="open /etc/tls/server.key: no such file or directory"`
	if !strings.HasSuffix(out.String(), want+"\n") {
		t.Errorf("logged:\n%s", out.String())
	}
	out.Reset()
	log.Error("long", "err", errors.New(strings.Repeat("x", 1<<20)))
	if out.Len() > 5<<10 {
		t.Errorf("%d bytes", out.Len())
	}
}
