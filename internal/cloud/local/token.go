package local

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/cloud"
)

const (
	secretBytes = 32
	// maxToken exceeds the length of any token.
	maxToken = 1000
	// tokenUse separates tokens from other uses of the secret.
	tokenUse = "elasticjob cloud events, version 1\n"
)

// secretFile is known only to the folder's engine.
type secretFile struct {
	Secret []byte
}

// secretOf reads the secret of an engine's folder, or creates it.
func secretOf(dir string) ([]byte, error) {
	path := filepath.Join(dir, secretName)
	var f secretFile
	found, err := readFile(path, &f)
	switch {
	case err != nil:
		return nil, err
	case found && len(f.Secret) != secretBytes:
		return nil, fmt.Errorf("%s is not a secret of the engine; remove it, and processes of DAEMON jobs get new tokens when they restart", path)
	case found:
		return f.Secret, nil
	}
	f.Secret = make([]byte, secretBytes)
	if _, err := rand.Read(f.Secret); err != nil {
		return nil, err
	}
	return f.Secret, writeFile(path, f) // Mode 0600, like all our files.
}

// token returns the credential for a shard's process to report its runs: the job and the shard, and
// a checksum that only this engine can compute. It includes the UID of the job, so no token
// outlives its job: if the job is created again, it has another UID.
func (e *Engine) token(job, owner string, shard int) string {
	claim := base64.RawURLEncoding.EncodeToString([]byte(job)) + "." + strconv.Itoa(shard)
	h := hmac.New(sha256.New, e.secret)
	h.Write([]byte(tokenUse + claim + "." + owner))
	return claim + "." + base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// Reporter returns the job and the shard of the DAEMON job's process with the token. Any other
// token is a cloud.ErrRefused.
func (e *Engine) Reporter(ctx context.Context, token string) (job string, shard int, err error) {
	if err := e.usable(ctx); err != nil {
		return "", 0, fmt.Errorf("check a token: %w", err)
	}
	refused := fmt.Errorf("the token doesn't belong to a process of a DAEMON job here: %w", cloud.ErrRefused)
	if len(token) > maxToken {
		return "", 0, refused
	}
	name, rest, _ := strings.Cut(token, ".")
	number, _, _ := strings.Cut(rest, ".")
	text, err := base64.RawURLEncoding.DecodeString(name)
	if err != nil {
		return "", 0, refused
	}
	if shard, err = strconv.Atoi(number); err != nil {
		return "", 0, refused
	}
	job = string(text)
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.runs[cloud.DaemonRunName(job)]
	if r == nil || r.file.Run.Job.Name != job || shard >= len(r.shards) || !hmac.Equal([]byte(token), []byte(e.token(job, r.file.Run.Owner, shard))) {
		return "", 0, refused
	}
	return job, shard, nil
}
