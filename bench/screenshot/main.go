// Command screenshot runs the demo, opens its pages in headless Chromium and
// writes the pictures of the documentation.
//
//	go run ./bench/screenshot -console bin/console -out docs/screenshots
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/storybook"
)

// shot is one picture.
type shot struct {
	file, path string
	dark       bool
	language   string // empty for the browser's
	// follow is the link on the page at path that leads to what is taken.
	follow string
	width  int64
	height int64 // 0 for all of the page, up to tallest
}

// tallest is how much of a page a picture shows at most, in CSS pixels.
const tallest = 3200

// shots are the pictures the documentation shows.
var shots = []shot{
	{file: "overview.png", path: "/", width: 1440, height: 1000},
	{file: "jobs.png", path: "/jobs", width: 1440, height: 700},
	{file: "job.png", path: "/jobs/stock-count", width: 1440, height: 1000},
}

func main() {
	console := flag.String("console", "bin/console", "the console's binary")
	out := flag.String("out", "docs/screenshots", "the folder to write to")
	all := flag.Bool("all", false, "every page of the demo and of the storybook, in both widths, themes and languages, for review")
	only := flag.String("only", "", "with -all, one page alone: the first word of its files")
	warm := flag.Duration("warm", 50*time.Second, "how long the demo runs at least before the pictures, so that there is something to see")
	flag.Parse()
	if *all {
		shots = slices.DeleteFunc(review(), func(s shot) bool { return *only != "" && !strings.HasPrefix(s.file, *only+"-") })
	}
	if len(shots) == 0 {
		fmt.Fprintf(os.Stderr, "screenshot: no page is called %q\n", *only)
		os.Exit(2)
	}
	err := run(*console, *out, *warm)
	if *all && *only == "" {
		err = errors.Join(err, components(*out))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "screenshot:", err)
		os.Exit(1)
	}
}

// review is every page as a reviewer wants to see it.
func review() []shot {
	list := variants(map[string]string{
		"overview": "/", "jobs": "/jobs", "jobs-wrong": "/jobs?status=purple", "jobs-none": "/jobs?q=zzz", "job": "/jobs/orders-import", "job-failing": "/jobs/payment-reminders", "long": "/jobs/stock-count",
		"shards": "/jobs/stock-count/shards", "activity": "/jobs/stock-count/activity", "config": "/jobs/stock-count/config", "config-yaml": "/jobs/stock-count/config?view=yaml",
		"versions": "/jobs/stock-count/config/versions", "new": "/jobs/new", "bulk": "/jobs/bulk?do=disable&job=invoices&job=stock-count&job=payment-reminders",
		"one-off": "/jobs/year-end-report", "servers": "/servers", "server": "/servers/127.0.0.11", "server-stop": "/servers/127.0.0.11/shutdown", "cleanup": "/servers/cleanup",
		"executions": "/executions", "confirm": "/jobs/invoices/remove", "missing": "/jobs/no-such-job", "runs": "/runs", "status": "/runs?level=status", "audit": "/audit",
		"explain": "/jobs/payment-reminders/explain", "registries": "/registries", "sources": "/sources", "keys": "/keys", "search": "/search?q=in",
	})
	for _, page := range []struct{ name, path string }{{"run", "/runs?job=stock-count"}, {"run-failed", "/runs?state=failed"}} {
		for _, s := range variants(map[string]string{page.name: page.path}) {
			s.follow = `main td a[href*="/runs/"]`
			list = append(list, s)
		}
	}
	return list
}

// variants are pages in both widths, themes and languages.
func variants(pages map[string]string) []shot {
	var list []shot
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		for _, width := range []int64{1440, 390} {
			for _, dark := range []bool{false, true} {
				theme := "light"
				if dark {
					theme = "dark"
				}
				for _, language := range i18n.Languages {
					file := fmt.Sprintf("%s-%d-%s-%s.png", name, width, theme, language.Tag())
					list = append(list, shot{file: file, path: pages[name], dark: dark, language: language.Tag(), width: width})
				}
			}
		}
	}
	return list
}

var address = regexp.MustCompile(`http://[0-9.:]+`)

func run(console, out string, warm time.Duration) (err error) {
	data, err := os.MkdirTemp("", "screenshot-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(data)) }()

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	demo := exec.CommandContext(ctx, console, "demo", "--listen=127.0.0.1:0", "--data="+data, "--log-level=warn")
	demo.Cancel = func() error { return demo.Process.Signal(os.Interrupt) }
	demo.WaitDelay = 30 * time.Second
	demo.Stderr = os.Stderr
	printed, err := demo.StdoutPipe()
	if err != nil {
		return err
	}
	if err := demo.Start(); err != nil {
		return fmt.Errorf("start %s: %w; run make build first", console, err)
	}
	defer func() {
		cancel()
		if waitErr := demo.Wait(); waitErr != nil && !errors.Is(waitErr, context.Canceled) {
			err = errors.Join(err, fmt.Errorf("the demo: %w", waitErr))
		}
	}()
	site := ""
	for lines := bufio.NewScanner(printed); site == "" && lines.Scan(); {
		site = address.FindString(lines.Text())
	}
	if site == "" {
		return errors.New("the demo did not say where it listens")
	}
	go io.Copy(io.Discard, printed) //nolint:errcheck // until the demo ends

	tab, stop, err := browser.Start(ctx)
	if err != nil {
		return err
	}
	defer stop()
	// Some seconds after a full minute the long job is at work.
	ready := time.Now().Add(warm).Truncate(time.Minute).Add(time.Minute + 8*time.Second)
	fmt.Printf("the demo runs at %s; pictures at %s\n", site, ready.Format(time.TimeOnly))
	time.Sleep(time.Until(ready))
	if err := tab.SignIn(site, "root", "root"); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	return takeAll(tab, shots, site, out)
}

// components takes the pictures of the storybook, the sign-in page among them.
func components(out string) error {
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: storybook.Handler(), ReadHeaderTimeout: time.Minute}
	defer func() { _ = server.Close() }() // the pictures are taken
	go server.Serve(listener)             //nolint:errcheck // until it is closed
	tab, stop, err := browser.Start(context.Background())
	if err != nil {
		return err
	}
	defer stop()
	list := variants(map[string]string{"login": "/login", "stale": "/stale", "error": "/error", "storybook": "/"})
	return takeAll(tab, list, "http://"+listener.Addr().String(), out)
}

// takeAll writes each picture into a folder.
func takeAll(tab *browser.Tab, list []shot, site, out string) error {
	for _, s := range list {
		picture, err := s.take(tab, site)
		if err != nil {
			return fmt.Errorf("picture of %s: %w", s.path, err)
		}
		to := filepath.Join(out, s.file)
		if err := os.WriteFile(to, picture, 0o644); err != nil {
			return err
		}
		fmt.Printf("%s  %d KB\n", to, len(picture)/1024)
	}
	return nil
}

func (s shot) take(tab *browser.Tab, site string) ([]byte, error) {
	if s.language != "" {
		if err := tab.Language(s.language); err != nil {
			return nil, err
		}
	}
	height := cmp.Or(s.height, 900)
	err := errors.Join(tab.Dark(s.dark), tab.Size(s.width, height), tab.Open(site+s.path), tab.Wait("main"))
	if err != nil {
		return nil, err
	}
	if s.follow != "" {
		href, err := browser.Eval[string](tab, fmt.Sprintf("document.querySelector(%q)?.href ?? ''", s.follow))
		if err != nil {
			return nil, err
		}
		if href == "" {
			return nil, fmt.Errorf("no link %s on the page", s.follow)
		}
		if err := errors.Join(tab.Open(href), tab.Wait("main")); err != nil {
			return nil, err
		}
	}
	if s.height == 0 {
		whole, err := browser.Eval[int64](tab, "document.documentElement.scrollHeight")
		if err != nil {
			return nil, err
		}
		if err := tab.Size(s.width, min(max(whole, height), tallest)); err != nil {
			return nil, err
		}
	}
	return tab.Picture()
}
