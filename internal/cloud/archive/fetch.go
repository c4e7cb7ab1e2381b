package archive

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"regexp"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/sleep"
	"github.com/elasticjob-go/elasticjob/internal/urlquery"
)

const (
	// MaxDownload is the size of an archive, and MaxUnpacked of its content, in bytes.
	MaxDownload, MaxUnpacked = 512 << 20, 512 << 20
	// MaxEntries is the number of files, folders and links in an archive.
	MaxEntries = 100_000
	// defaultTimeout limits one Fetch.
	defaultTimeout = 10 * time.Minute
	// defaultPause is the pause before the second attempt. Each further one doubles it.
	defaultPause = time.Second
	// attempts is the number of attempts at a download.
	attempts     = 4
	maxRedirects = 5
	// answerTimeout limits the wait for the headers of an answer.
	answerTimeout = 30 * time.Second
)

// Fetcher fetches archives. The zero Fetcher allows no host. It's safe for concurrent use with
// different folders.
type Fetcher struct {
	// Hosts are the allowed hosts.
	Hosts Hosts
	// Transport sends requests. Defaults to one with the machine's certificate authorities and the
	// environment's proxy.
	Transport http.RoundTripper
	// Timeout limits one Fetch. Defaults to 10 minutes.
	Timeout time.Duration
	// Pause comes before the second of four attempts and doubles. Defaults to 1 s.
	Pause time.Duration
	// Cache is a folder that keeps the 16 most recently used archives by checksum. Processes may
	// share it. Defaults to none. Its files are checked like downloads. If it can't be read or
	// written, archives are fetched anyway.
	Cache string
	// Logger logs problems with the cache. Defaults to none.
	Logger *slog.Logger

	bounds bounds
}

type bounds struct {
	download, unpacked int64
	entries            int
}

func (b bounds) withDefaults() bounds {
	return bounds{cmp.Or(b.download, MaxDownload), cmp.Or(b.unpacked, MaxUnpacked), cmp.Or(b.entries, MaxEntries)}
}

var sum256 = regexp.MustCompile(`\A[0-9a-f]{64}\z`)

// Check reports whether an archive would be fetched. The error is an [ErrRefused].
func (f Fetcher) Check(address, sum string) error {
	_, err := f.check(address, sum)
	return err
}

func (f Fetcher) check(address, sum string) (*url.URL, error) {
	at, err := url.Parse(address)
	if err != nil || len(address) > maxURL {
		return nil, refuse("the address of the archive is invalid or longer than %d bytes; give one such as https://repo.example/shop.tar.gz", maxURL)
	}
	if err := f.Hosts.allow(at); err != nil {
		return nil, err
	}
	if !sum256.MatchString(sum) {
		return nil, refuse("the sum (appSHA256) %q of %s is not 64 hexadecimal digits in lower case; give what sha256sum prints", clip(sum), shown(at))
	}
	if _, _, err := formatOf(at.Path); err != nil {
		return nil, err
	}
	at.RawQuery = urlquery.Escape(at.RawQuery)
	return at, nil
}

// Fetch fetches an archive, checks its SHA-256 checksum and unpacks it into a folder, which must be absent
// or empty. If an earlier Fetch unpacked the same checksum there, it succeeds; the remains of another Fetch
// are removed first. An address without an archive's ending is a single file, which may be executable.
func (f Fetcher) Fetch(ctx context.Context, address, sum, dir string) (err error) {
	at, err := f.check(address, sum)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, cmp.Or(f.Timeout, defaultTimeout),
		fmt.Errorf("fetching %s took longer than %s", shown(at), cmp.Or(f.Timeout, defaultTimeout)))
	defer cancel()
	t, err := openTarget(dir, sum)
	if err != nil || t.complete {
		t.release()
		return err
	}
	defer func() { err = t.close(err) }()
	if err := f.obtain(ctx, at, sum, t.root); err != nil {
		return err
	}
	return f.unpack(ctx, at, t.root)
}

// obtain brings the archive into the folder, from the cache if it's there.
func (f Fetcher) obtain(ctx context.Context, at *url.URL, sum string, root *os.Root) error {
	if f.Cache == "" {
		return f.download(ctx, at, sum, root)
	}
	found, err := f.fromCache(ctx, sum, root)
	f.warn(ctx, err)
	if found {
		return nil
	}
	if err := f.download(ctx, at, sum, root); err != nil {
		return err
	}
	f.warn(ctx, f.keep(ctx, sum, root))
	return nil
}

func (f Fetcher) warn(ctx context.Context, err error) {
	if err != nil && f.Logger != nil {
		f.Logger.WarnContext(ctx, "the cache of archives failed", "folder", f.Cache, "err", err)
	}
}

// download brings the archive into the folder and checks its checksum.
func (f Fetcher) download(ctx context.Context, at *url.URL, sum string, root *os.Root) error {
	client, done := f.client()
	defer done()
	pause := cmp.Or(f.Pause, defaultPause)
	for n := 1; ; n++ {
		got, err := f.attempt(ctx, client, at, root)
		switch {
		case err == nil && got != sum:
			return refuse("the archive at %s has the SHA-256 sum %s instead of %s, so it was not unpacked; find out why it changed, or correct appSHA256", shown(at), got, sum)
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, ErrRefused) || n == attempts:
			return err
		}
		if ended := sleep.For(ctx, pause); ended != nil {
			return fmt.Errorf("%w, the last attempt: %w", ended, err)
		}
		pause *= 2
	}
}

// client follows redirects only to allowed addresses.
func (f Fetcher) client() (client *http.Client, done func()) {
	client = &http.Client{Transport: f.Transport, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return refuse("%s redirects more than %d times", shown(via[0].URL), maxRedirects)
		}
		if err := f.Hosts.allow(r.URL); err != nil {
			return fmt.Errorf("%s redirects: %w", shown(via[0].URL), err)
		}
		r.Header.Del("Referer") // It has the address with its query, which may be a secret.
		r.URL.RawQuery = urlquery.Escape(r.URL.RawQuery)
		return nil
	}}
	if f.Transport != nil {
		return client, func() {}
	}
	direct := &http.Transport{
		DialContext: f.Hosts.list().Dial, ForceAttemptHTTP2: true,
		TLSHandshakeTimeout: answerTimeout, ResponseHeaderTimeout: answerTimeout,
	}
	proxied := direct.Clone()
	proxied.Proxy, proxied.DialContext = http.ProxyFromEnvironment, (&net.Dialer{Timeout: answerTimeout}).DialContext
	client.Transport = routed{direct, proxied}
	return client, client.CloseIdleConnections
}

// routed uses the environment's proxy if there is one for the request. Otherwise the list of hosts
// also limits the IP address behind the name.
type routed struct{ direct, proxied *http.Transport }

func (t routed) RoundTrip(r *http.Request) (*http.Response, error) {
	if proxy, err := http.ProxyFromEnvironment(r); err != nil || proxy != nil {
		return t.proxied.RoundTrip(r)
	}
	return t.direct.RoundTrip(r)
}

func (t routed) CloseIdleConnections() {
	t.direct.CloseIdleConnections()
	t.proxied.CloseIdleConnections()
}

// attempt makes one request and returns the checksum of the content.
func (f Fetcher) attempt(ctx context.Context, client *http.Client, at *url.URL, root *os.Root) (sum string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return "", refuse("the address of the archive is invalid")
	}
	request.Header.Set("User-Agent", "elasticjob-cloud-fetch")
	// The checksum is for the original file, so it must not be compressed on the way.
	request.Header.Set("Accept-Encoding", "identity")
	answer, err := client.Do(request)
	if err != nil {
		// The error's own text has the whole address, which may contain a secret.
		if wrapped, ok := errors.AsType[*url.Error](err); ok {
			err = wrapped.Err
		}
		return "", fmt.Errorf("fetch %s: %w", shown(at), err)
	}
	defer answer.Body.Close()
	if err := answered(answer, at); err != nil {
		return "", err
	}
	most := f.bounds.withDefaults().download
	if answer.ContentLength > most {
		return "", refuse("the archive at %s has %d bytes; at most %d are allowed", shown(at), answer.ContentLength, most)
	}
	file, err := root.OpenFile(downloadName, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return "", fmt.Errorf("store the archive: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(file, hash), io.LimitReader(answer.Body, most+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("fetch %s: after %d bytes: %w", shown(at), n, err)
	case n > most:
		return "", refuse("the archive at %s has more than %d bytes", shown(at), most)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// answered refuses an answer without an archive. A server's errors may be temporary.
func answered(answer *http.Response, at *url.URL) error {
	switch code := answer.StatusCode; {
	case code == http.StatusOK:
		return nil
	case code >= http.StatusInternalServerError, code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code == http.StatusTooEarly:
		return fmt.Errorf("fetch %s: %s answers %s", shown(at), clip(answer.Request.URL.Host), clip(answer.Status))
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return refuse("fetch %s: %s answers %s; archives are fetched without an account, so make it readable without one", shown(at), clip(answer.Request.URL.Host), clip(answer.Status))
	default:
		return refuse("fetch %s: %s answers %s; put the archive there, or correct appURL", shown(at), clip(answer.Request.URL.Host), clip(answer.Status))
	}
}

func baseOf(p string) (string, error) {
	base := path.Base(p)
	if _, err := checkName(base); err != nil || base == "." || base == "/" || p == "" || p[len(p)-1] == '/' {
		return "", refuse("the address does not end in a file name, such as shop.tar.gz, which shows the format")
	}
	return base, nil
}
