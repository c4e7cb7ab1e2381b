package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSecretsComeFromFilesToo(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "dsn")
	for _, tt := range []struct{ text, want, err string }{
		{"user:pass word\n", "user:pass word", ""},
		{"keeps inner\nlines\r\n", "keeps inner\nlines", ""},
		{"\n", "", "is empty"},
		{strings.Repeat("x", maxSecret+1), "", "more than a secret has"},
	} {
		if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Secret("dsn", "", file)
		if got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%.20q: got %q, %v; want %q, %q", tt.text, got, err, tt.want, tt.err)
		}
	}
}
