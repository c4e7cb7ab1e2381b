package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// client calls the shop from an agent.
type client struct {
	base string
	http *http.Client
}

func newClient(base string) client {
	return client{base: base, http: &http.Client{Timeout: 10 * time.Second}}
}

// call makes one request and decodes the answer into out, unless it is nil.
func (c client) call(ctx context.Context, method, path string, query url.Values, out any) error {
	target := c.base + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, method, target, nil)
	if err != nil {
		return fmt.Errorf("shop: %w", err)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("shop: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return fmt.Errorf("shop: %s %s: %w", method, path, err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("shop: %s %s: %w", method, path, errors.New(strings.TrimSpace(string(body))))
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(body, out); err != nil {
		return fmt.Errorf("shop: %s %s: %w", method, path, err)
	}
	return nil
}
