package browser

import (
	"context"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Complaints are what the browser says of pages: scripts that fail, what the
// content security policy forbids, files that are not there. Safe for concurrent use.
type Complaints struct {
	mu   sync.Mutex
	list []string
}

// Take returns what was said since the last time.
func (c *Complaints) Take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.list
	c.list = nil
	return list
}

func (c *Complaints) add(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, text)
}

// Listen collects complaints from now on. That a page itself is answered with an
// error is none.
func (t *Tab) Listen() (*Complaints, error) {
	c := &Complaints{}
	if err := chromedp.Listen(t.ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			text := e.ExceptionDetails.Text
			if e.ExceptionDetails.Exception != nil {
				text += " " + e.ExceptionDetails.Exception.Description
			}
			c.add(text)
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError && !(e.Entry.Source == log.EntrySourceNetwork && t.wasOpened(e.Entry.URL)) {
				c.add(fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
			}
		}
	}); err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	return c, nil
}

// Scripts switches the scripts of the pages that are opened from now on.
func (t *Tab) Scripts(on bool) error {
	ctx, cancel := context.WithTimeout(t.ctx, stepLimit)
	defer cancel()
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !on})
	return err
}

// shifts are the parts of the page that moved by themselves since it was opened, with
// where from and to. On a busy machine a page arrives in parts, and columns of a table
// settle by some pixels with the last of them: a shift of less than a hundredth is that.
// A tenth is what browsers call good.
const shifts = `new Promise((done) => {
  const moved = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries().filter((entry) => entry.value >= 0.01))
      for (const { node, previousRect: a, currentRect: b } of entry.sources)
        moved.push("it moved by itself from " + [a.x, a.y, a.width, a.height] + " to " + [b.x, b.y, b.width, b.height] + ": " + (node?.outerHTML ?? node?.data ?? "?").slice(0, 160));
  }).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(moved), 0)));
})`

// Shifts says which parts of the page moved by themselves while it was opened.
func (t *Tab) Shifts() ([]string, error) {
	return run(t, "measure layout shifts", chromedp.Evaluate[[]string](shifts, chromedp.EvalAwaitPromise))
}

// Forget signs the browser out of everything: it deletes the cookies.
func (t *Tab) Forget() error {
	ctx, cancel := context.WithTimeout(t.ctx, stepLimit)
	defer cancel()
	_, err := chromedp.Call(ctx, network.ClearBrowserCookies, cdp.Empty{})
	return err
}
