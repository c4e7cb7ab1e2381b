// Command screenshot runs the demo, opens its pages in headless Chromium and
// writes the pictures of the documentation.
//
//	go run ./bench/screenshot -console bin/console -out docs/screenshots
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	width      int64
	height     int64
}

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
	warm := flag.Duration("warm", 50*time.Second, "how long the demo runs at least before the pictures, so that there is something to see")
	flag.Parse()
	if *all {
		shots = review()
	}
	err := run(*console, *out, *warm)
	if *all {
		err = errors.Join(err, components(*out))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "screenshot:", err)
		os.Exit(1)
	}
}

// review is every page as a reviewer wants to see it.
func review() []shot {
	return variants(map[string]string{
		"overview": "/", "jobs": "/jobs", "job": "/jobs/orders-import", "long": "/jobs/stock-count",
		"one-off": "/jobs/year-end-report", "servers": "/servers", "server": "/servers/127.0.0.11", "server-stop": "/servers/127.0.0.11/shutdown", "sources": "/sources", "executions": "/executions", "confirm": "/jobs/invoices/remove",
		"missing": "/jobs/no-such-job", "registries": "/registries", "runs": "/runs", "audit": "/audit", "explain": "/jobs/payment-reminders/explain",
	})
}

// variants are pages in both widths, themes and languages.
func variants(pages map[string]string) []shot {
	var list []shot
	for name, path := range pages {
		for _, width := range []int64{1440, 390} {
			for _, dark := range []bool{false, true} {
				theme := "light"
				if dark {
					theme = "dark"
				}
				for _, language := range i18n.Languages {
					file := fmt.Sprintf("%s-%d-%s-%s.png", name, width, theme, language.Tag())
					list = append(list, shot{file: file, path: path, dark: dark, language: language.Tag(), width: width, height: 900})
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
	list := variants(map[string]string{"login": "/login", "stale": "/stale", "error": "/error"})
	for _, s := range variants(map[string]string{"storybook": "/"}) {
		s.height = 3000 // all of it
		list = append(list, s)
	}
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
	err := errors.Join(tab.Dark(s.dark), tab.Size(s.width, s.height), tab.Open(site+s.path), tab.Wait("main"))
	if err != nil {
		return nil, err
	}
	return tab.Picture()
}
