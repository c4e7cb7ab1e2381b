package archive

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

const (
	// mostCached is how many archives a cache keeps: those that were used last.
	mostCached = 16
	// abandoned is how old a file is that somebody began to put into a cache and has left there.
	abandoned = time.Hour
)

// fromCache copies an archive out of the cache into a folder; false if the cache does not have
// it, or has something else under its name.
func (f Fetcher) fromCache(ctx context.Context, sum string, into *os.Root) (found bool, err error) {
	cache, err := os.OpenRoot(f.Cache)
	if err != nil {
		return false, fmt.Errorf("the cache of archives is not used: %w", err)
	}
	defer func() { _ = cache.Close() }()
	got, err := f.copyTo(ctx, into, downloadName, cache, sum)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("read archive %s of the cache: %w", sum, err)
	case got != sum:
		return false, fmt.Errorf("archive %s of the cache has the sum %s: it is fetched and replaced", sum, got)
	}
	now := time.Now()
	_ = cache.Chtimes(sum, now, now) // It is somebody else's perhaps, and then looks older than it is.
	return true, nil
}

// keep puts an archive that was fetched into the cache, and removes those that were not used
// for longest. Several pods may do so at once: each writes a file of its own first.
func (f Fetcher) keep(ctx context.Context, sum string, from *os.Root) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("the archive is not kept in the cache: %w", err)
		}
	}()
	cache, err := os.OpenRoot(f.Cache)
	if err != nil {
		return err
	}
	defer func() { _ = cache.Close() }()
	unfinished := ownPrefix + rand.Text()
	if _, err = f.copyTo(ctx, cache, unfinished, from, downloadName); err == nil {
		err = cache.Rename(unfinished, sum)
	}
	if err != nil {
		_ = cache.Remove(unfinished) // Else the next one who keeps something does, later.
		return err
	}
	return prune(cache)
}

// copyTo copies a file between folders, and returns its sum. Who reads it is not who wrote it:
// in a cluster each application may have a user of its own.
func (f Fetcher) copyTo(ctx context.Context, into *os.Root, as string, from *os.Root, name string) (sum string, err error) {
	// A pipe would keep whoever opens it waiting.
	if info, err := from.Stat(name); err != nil {
		return "", err
	} else if !info.Mode().IsRegular() {
		return "", errors.New("it is no regular file")
	}
	source, err := from.Open(name)
	if err != nil {
		return "", err
	}
	defer source.Close()
	file, err := into.OpenFile(as, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	_, err = io.Copy(io.MultiWriter(file, hash), &capped{r: source, left: f.bounds.withDefaults().download, ctx: ctx})
	return hex.EncodeToString(hash.Sum(nil)), errors.Join(err, file.Close())
}

// prune removes the archives that were not used for longest, and what somebody has left who
// ended while he put one into the cache.
func prune(cache *os.Root) error {
	entries, err := fs.ReadDir(cache.FS(), ".")
	if err != nil {
		return err
	}
	type cached struct {
		name string
		used time.Time
	}
	var archives, unwanted []cached
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue // Somebody else removes it.
		}
		switch c := (cached{e.Name(), info.ModTime()}); {
		case sum256.MatchString(c.name):
			archives = append(archives, c)
		case strings.HasPrefix(c.name, ownPrefix) && time.Since(c.used) > abandoned:
			unwanted = append(unwanted, c)
		}
	}
	slices.SortFunc(archives, func(a, b cached) int { return b.used.Compare(a.used) })
	var errs []error
	for _, c := range append(unwanted, archives[min(len(archives), mostCached):]...) {
		if err := cache.Remove(c.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
