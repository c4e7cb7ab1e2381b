package app

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// streamedKey says of a request that its answer goes on until something else ends.
const streamedKey = "console.streamed"

// mostLine bounds a line that is masked as a whole; a longer one is masked in parts.
const mostLine = 64 << 10

// FollowLog answers a request of the REST interface with a log as plain text, and with what
// comes to it: until it ends, the session does, or the console stops. It counts as a stream.
// Whoever only looks gets whole lines, without what may be a secret. An error is returned
// as long as nothing was answered.
func FollowLog(s *Console, c *gin.Context, open func(ctx context.Context) (io.ReadCloser, error)) error {
	one := s.streams.begin(Caller(c))
	if one == nil {
		return Problem{Kind: KindUnavailable, Code: "too_many_streams", Retry: streamRetry}.SaidAs(i18n.Lang.ProblemStreams, i18n.Lang.ProblemStreamsHint)
	}
	defer s.streams.leave(one)
	ctx, cancel := context.WithCancel(c.Request.Context())
	defer cancel()
	log, err := open(ctx)
	if err != nil {
		return err
	}
	defer log.Close()
	parts := make(chan string)
	go func() {
		defer close(parts)
		readParts(ctx, log, LooksOnly(c), parts)
	}()
	c.Set(streamedKey, true)
	h := c.Writer.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Accel-Buffering", "no") // a proxy must pass each line on
	c.Status(http.StatusOK)
	out := &streamWriter{c: c, control: http.NewResponseController(c.Writer)}
	beat := time.NewTicker(streamBeat)
	defer beat.Stop()
	text := "" // The answer begins before there is a line.
	for more := true; more && out.write(text) == nil; {
		select {
		case text, more = <-parts:
		case <-beat.C:
			text, more = "", mayGoOn(s, c)
		case <-one.end:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

// mayGoOn reports whether who asked over the REST interface would still be let in.
func mayGoOn(s *Console, c *gin.Context) bool {
	_, denied, err := s.identify(c, API)
	return denied == "" || denied == auth.TokenMissing || err != nil // without a token it came with a password
}

// readParts sends a log part by part until it ends or ctx does.
func readParts(ctx context.Context, log io.Reader, masked bool, parts chan<- string) {
	in := bufio.NewReaderSize(log, mostLine)
	for {
		text, err := nextPart(in, masked)
		if text != "" {
			select {
			case parts <- text:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// nextPart is what there is, or, masked, the next line.
func nextPart(in *bufio.Reader, masked bool) (string, error) {
	if masked {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			err = nil
		}
		return mask.Text(string(line)), err
	}
	if _, err := in.Peek(1); err != nil {
		return "", err
	}
	text := make([]byte, in.Buffered())
	n, err := in.Read(text)
	return string(text[:n]), err
}
