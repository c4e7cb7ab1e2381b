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
	// mostCached is the number of archives in a cache. The most recently used ones are kept.
	mostCached = 16
	// abandoned is the age at which an unfinished file in a cache is removed.
	abandoned = time.Hour
)

// fromCache copies an archive out of the cache into a folder. It returns false if the cache doesn't
// have it, or has another content under its name.
func (f Fetcher) fromCache(ctx context.Context, sum string, into *os.Root) (found bool, err error) {
	cache, err := os.OpenRoot(f.Cache)
	if err != nil {
		return false, fmt.Errorf("the cache of archives can't be used: %w", err)
	}
	defer func() { _ = cache.Close() }()
	got, err := f.copyTo(ctx, into, downloadName, cache, sum)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("read archive %s of the cache: %w", sum, err)
	case got != sum:
		return false, fmt.Errorf("archive %s of the cache has the sum %s; fetching it again", sum, got)
	}
	now := time.Now()
	_ = cache.Chtimes(sum, now, now) // If the file belongs to another user this fails, and it looks older than it is.
	return true, nil
}

// keep adds a fetched archive to the cache and removes the least recently used ones. Several pods
// may do so at once, because each writes its own file first.
func (f Fetcher) keep(ctx context.Context, sum string, from *os.Root) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("the archive can't be kept in the cache: %w", err)
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
		_ = cache.Remove(unfinished) // Otherwise a later call removes it.
		return err
	}
	return prune(cache)
}

// copyTo copies a file between folders and returns its checksum. The reader may be another user
// than the writer, because in a cluster each application may have its own user.
func (f Fetcher) copyTo(ctx context.Context, into *os.Root, as string, from *os.Root, name string) (sum string, err error) {
	// Opening a pipe could block.
	if info, err := from.Stat(name); err != nil {
		return "", err
	} else if !info.Mode().IsRegular() {
		return "", errors.New("it is not a regular file")
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

// prune removes the least recently used archives, and old unfinished files.
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
			continue // Another process removed it.
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
