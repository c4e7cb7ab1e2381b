// Package browser drives a headless Chromium for the browser tests and for the
// screenshots of the documentation. It is never part of a shipped binary.
package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// stepLimit bounds every single thing a tab is asked to do, start included: a
// busy machine is slow, but not slower than this.
const stepLimit = 30 * time.Second

// programs are the names Chromium goes by, best first. The headless shell is the same
// engine without the windows, menus and tabs of a browser that nobody looks at: it takes
// less than half the processor time.
var programs = []string{"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// ErrMissing means that no browser is installed. Its text says what to do.
var ErrMissing = errors.New("no Chromium found: on Debian run apt-get install --no-install-recommends chromium-headless-shell, elsewhere install Chromium or Chrome")

// Tab is one page of a browser of its own. It is not safe for concurrent use.
// Elements are named by CSS selectors; each step fails after half a minute.
type Tab struct {
	ctx context.Context

	mu     sync.Mutex
	opened map[string]bool // addresses of pages
}

// Start starts a browser with a fresh profile. stop ends it and removes the
// profile.
func Start(ctx context.Context) (tab *Tab, stop func(), err error) {
	program := ""
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		return nil, nil, ErrMissing
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program),
		chromedp.NoSandbox, // Tests run as root in containers, where the sandbox cannot.
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
	)
	allocator, endAllocator := chromedp.NewExecAllocator(ctx, options...)
	page, endPage := chromedp.NewContext(allocator)
	stop = func() {
		endPage()
		endAllocator()
	}
	// The first step binds the browser to its context, so it has no deadline
	// of its own; the timer ends a browser that does not come up.
	late := time.AfterFunc(stepLimit, stop)
	_, err = chromedp.Run(page, chromedp.Navigate("about:blank"))
	if !late.Stop() && err == nil {
		err = fmt.Errorf("it did not come up within %v", stepLimit)
	}
	if err != nil {
		stop()
		return nil, nil, fmt.Errorf("start %s: %w", program, err)
	}
	return newTab(page), stop, nil
}

func newTab(page context.Context) *Tab { return &Tab{ctx: page, opened: make(map[string]bool)} }

// Beside opens another tab of the browser, in a window of its own, so that both are
// seen. It is signed in where t is; a private one shares nothing with t, as if it were
// another person's. Each of the tabs is for one goroutine. end closes it.
func (t *Tab) Beside(private bool) (tab *Tab, end func(), err error) {
	var options []chromedp.ContextOption
	if private {
		options = append(options, chromedp.WithNewBrowserContext())
	}
	page, end := chromedp.NewContext(t.ctx, options...)
	late := time.AfterFunc(stepLimit, end)
	_, err = chromedp.Run(page, chromedp.Navigate("about:blank"))
	if !late.Stop() && err == nil {
		err = fmt.Errorf("it did not come up within %v", stepLimit)
	}
	if err != nil {
		end()
		return nil, nil, fmt.Errorf("open another tab: %w", err)
	}
	return newTab(page), end, nil
}

func (t *Tab) do(what string, steps ...chromedp.Action[chromedp.Void]) error {
	ctx, cancel := context.WithTimeout(t.ctx, stepLimit)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// Open loads an address and waits until the page has loaded.
func (t *Tab) Open(address string) error {
	t.isPage(address)
	return t.do("open "+address, chromedp.Navigate(address))
}

// Post sends a form from the page that is open to an address of its site, and waits
// until the answer has loaded.
func (t *Tab) Post(address string, form url.Values) error {
	t.isPage(address)
	fields, err := json.Marshal(form)
	if err != nil {
		return err
	}
	script := fmt.Sprintf(`(() => {
		const form = document.createElement("form");
		form.method = "post";
		form.action = %q;
		for (const [name, values] of Object.entries(%s ?? {}))
			for (const value of values) form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
		document.body.append(form);
		form.submit();
		return true;
	})()`, address, fields)
	ctx, cancel := context.WithTimeout(t.ctx, stepLimit)
	defer cancel()
	if _, err := chromedp.RunResponse(ctx, chromedp.Evaluate[chromedp.Void](script)); err != nil {
		return fmt.Errorf("send a form to %s: %w", address, err)
	}
	return nil
}

// isPage remembers that an address is that of a page.
func (t *Tab) isPage(address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.opened[address] = true
}

// wasOpened tells whether an address is that of a page that was opened, not of what
// belongs to one.
func (t *Tab) wasOpened(address string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.opened[address]
}

// Wait waits until an element is visible.
func (t *Tab) Wait(element string) error {
	return t.do("wait for "+element, chromedp.WaitVisible(chromedp.CSS(element)))
}

// Click clicks an element when it is visible.
func (t *Tab) Click(element string) error {
	return t.do("click "+element, chromedp.Click(chromedp.CSS(element)))
}

// Draw moves the pointer, pressed, from one place of the page to another.
func (t *Tab) Draw(fromX, fromY, toX, toY float64) error {
	held := func(p *input.DispatchMouseEventParams) { p.Buttons = 1 }
	step := func(kind input.DispatchMouseEventType, x, y float64) chromedp.Action[chromedp.Void] {
		return chromedp.MouseEvent(kind, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1), held)
	}
	return t.do("draw", step(chromedp.MousePressed, fromX, fromY), step(chromedp.MouseMoved, (fromX+toX)/2, (fromY+toY)/2),
		step(chromedp.MouseMoved, toX, toY), step(chromedp.MouseReleased, toX, toY))
}

// Fill puts text into an input.
func (t *Tab) Fill(element, text string) error {
	return t.do("fill "+element, chromedp.SetValue(chromedp.CSS(element), text))
}

// Key types a key into the element in focus, such as "\r" for Enter.
func (t *Tab) Key(key string) error { return t.do("type "+strconv.Quote(key), chromedp.KeyEvent(key)) }

// Text returns what an element shows.
func (t *Tab) Text(element string) (string, error) {
	return run(t, "read "+element, chromedp.Text(chromedp.CSS(element)))
}

// Address returns where the tab is.
func (t *Tab) Address() (string, error) { return Read[string](t, "document.location.toString()") }

// Eval evaluates a script and returns its value.
func Eval[T any](t *Tab, script string) (T, error) {
	return run(t, "evaluate "+script, chromedp.Evaluate[T](script))
}

// Read evaluates a script that changes nothing and returns its value. A page that another
// one takes the place of does not answer: the next is asked.
func Read[T any](t *Tab, script string) (T, error) {
	ctx, cancel := context.WithTimeout(t.ctx, stepLimit)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		value, err := chromedp.Run(ctx, chromedp.Evaluate[T](script))
		if err == nil {
			return value, nil
		}
		err = fmt.Errorf("read %s: %w", script, err)
		if refused := (*cdproto.Error)(nil); !errors.As(err, &refused) || refused.Code != leaving {
			return value, err
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return value, err
		}
	}
}

// leaving is the code with which a page answers that is about to be replaced.
const leaving = -32000

// Size sets the size of the page in CSS pixels.
func (t *Tab) Size(width, height int64) error {
	return t.do("resize", chromedp.EmulateViewport(width, height))
}

// Dark chooses between the dark and the light theme, as a system's setting.
func (t *Tab) Dark(dark bool) error {
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	ctx, cancel := context.WithTimeout(t.ctx, stepLimit)
	defer cancel()
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	return err
}

// Language is what the browser asks pages for, such as "zh-CN".
func (t *Tab) Language(tag string) error {
	ctx, cancel := context.WithTimeout(t.ctx, stepLimit)
	defer cancel()
	_, err := chromedp.Call(ctx, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{
		Headers: network.Headers{"Accept-Language": tag},
	})
	return err
}

// Picture returns what the tab shows as PNG.
func (t *Tab) Picture() ([]byte, error) {
	return run(t, "take a picture", chromedp.CaptureScreenshot())
}

// SignIn signs in on the login page of a console.
func (t *Tab) SignIn(site, user, password string) error {
	t.isPage(site + "/") // where it leads
	for _, step := range []func() error{
		func() error { return t.Open(site + "/login") },
		func() error { return t.Fill(`input[name="username"]`, user) },
		func() error { return t.Fill(`input[name="password"]`, password) },
		func() error { return t.Click(`[data-testid="login-form"] button[type="submit"]`) },
		func() error { return t.Wait(`body:not(.bare) main`) }, // at any width
	} {
		if err := step(); err != nil {
			return fmt.Errorf("sign in as %s: %w", user, err)
		}
	}
	return nil
}

func run[T any](t *Tab, what string, action chromedp.Action[T]) (T, error) {
	ctx, cancel := context.WithTimeout(t.ctx, stepLimit)
	defer cancel()
	value, err := chromedp.Run(ctx, action)
	if err != nil {
		return value, fmt.Errorf("%s: %w", what, err)
	}
	return value, nil
}
