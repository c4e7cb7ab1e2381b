package settings

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Key encrypts the secrets in the database. It never gets there: whoever has a
// copy of the database has no password. Its text is masked.
type Key struct{ bytes []byte }

// keySize is that of AES-256.
const keySize = 32

func (Key) String() string { return "***" }

// GoString keeps it out of %#v too.
func (Key) GoString() string { return "***" }

// ParseKey reads a key of 32 bytes written in base64 or hexadecimal digits.
func ParseKey(text string) (Key, error) {
	text = strings.TrimSpace(text)
	for _, decode := range []func(string) ([]byte, error){hex.DecodeString, base64.StdEncoding.DecodeString, base64.RawURLEncoding.DecodeString} {
		if b, err := decode(text); err == nil && len(b) == keySize {
			if Guessable(b) || isText(b) {
				return Key{}, errors.New("the key is a placeholder, not random; make one with `openssl rand -base64 32`")
			}
			return Key{b}, nil
		}
	}
	return Key{}, fmt.Errorf("the key is not %d bytes in base64 or hexadecimal digits; make one with `openssl rand -base64 %[1]d`", keySize)
}

// Guessable reports whether a key is no key: zeros, one character or one pattern over and over,
// or a sequence. Fewer than 8 different bytes are not to be expected of 32
// random ones, nor of 32 random hexadecimal digits.
func Guessable(key []byte) bool {
	different := map[byte]bool{}
	for _, b := range key {
		different[b] = true
	}
	if len(different) < 8 {
		return true
	}
	for period := 1; period <= len(key)/2; period++ {
		if repeats(key, period, 0) {
			return true
		}
	}
	return repeats(key, 1, key[1]-key[0])
}

// repeats reports whether each byte is the one of a period before, plus step.
func repeats(key []byte, period int, step byte) bool {
	for i := period; i < len(key); i++ {
		if key[i] != key[i-period]+step {
			return false
		}
	}
	return true
}

// isText reports whether a key consists of printable characters, which 32 random bytes
// practically never do: it is an encoded password.
func isText(key []byte) bool {
	return !slices.ContainsFunc(key, func(b byte) bool { return b < ' ' || b > '~' })
}

// KeyFile reads the key of a file that only its owner and its group may read: Kubernetes
// gives a pod its secrets as files of a group. If there is no such file it is made, with a
// new key, for its owner alone.
func KeyFile(path string) (Key, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := makeKey(path); err != nil {
			return Key{}, fmt.Errorf("make a key: %w", err)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return Key{}, fmt.Errorf("read the key: %w", err)
	}
	if info.Mode().Perm()&0o037 != 0 {
		return Key{}, fmt.Errorf("read the key: %s can be read by others or written by its group (mode %o); run chmod 600 on it, or mount the secret with mode 0440", path, info.Mode().Perm())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return Key{}, fmt.Errorf("read the key: %w", err)
	}
	key, err := ParseKey(string(text))
	if err != nil {
		return Key{}, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}

// makeKey writes a new key beside the file and puts it in its place, whole:
// another program that starts at the same moment must not read half of it. Who
// comes second takes the key of the first.
func makeKey(path string) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".key-*") // mode 0600
	if err != nil {
		return err
	}
	fresh := make([]byte, keySize)
	rand.Read(fresh) // never fails: the program would have ended
	_, err = fmt.Fprintln(file, base64.StdEncoding.EncodeToString(fresh))
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		if err = os.Link(file.Name(), path); errors.Is(err, fs.ErrExist) {
			err = nil
		}
	}
	return errors.Join(err, os.Remove(file.Name()))
}

// sealed is how a stored secret begins: the way it is encrypted.
const sealed = "a1:"

func (k Key) aead() (cipher.AEAD, error) {
	block, err := aes.NewCipher(k.bytes)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// seal encrypts a secret for one place: what was written for another place, or
// with another key, cannot be opened. Empty stays empty.
func (k Key) seal(secret, place string) (string, error) {
	if secret == "" {
		return "", nil
	}
	aead, err := k.aead()
	if err != nil {
		return "", err
	}
	return sealed + base64.RawStdEncoding.EncodeToString(aead.Seal(nil, nil, []byte(secret), []byte(place))), nil
}

func (k Key) open(text, place string) (string, error) {
	if text == "" {
		return "", nil
	}
	aead, err := k.aead()
	if err != nil {
		return "", err
	}
	rest, ok := strings.CutPrefix(text, sealed)
	raw, err := base64.RawStdEncoding.DecodeString(rest)
	if !ok || err != nil {
		return "", ErrWrongKey
	}
	secret, err := aead.Open(nil, nil, raw, []byte(place))
	if err != nil {
		return "", ErrWrongKey
	}
	return string(secret), nil
}

// CheckKey tries whether the stored secrets were encrypted with this store's
// key; if not the error wraps [ErrWrongKey].
func (s *Store) CheckKey(ctx context.Context) error {
	_, err := s.Registries().List(ctx)
	if err == nil {
		_, err = s.DataSources().List(ctx)
	}
	return err
}
