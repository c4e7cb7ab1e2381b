// Command screenshot runs the demo, opens its pages in headless Chromium and
// writes the pictures of the documentation, or with -all those for a review.
//
//	go run ./bench/screenshot -console bin/console -out docs/screenshots
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/web/templates/storybook"
)

func main() {
	console := flag.String("console", "bin/console", "the console's binary")
	out := flag.String("out", "docs/screenshots", "the folder to write to")
	all := flag.Bool("all", false, "every page of the demo and of the storybook, in four widths, both themes and both languages, for review")
	only := flag.String("only", "", "with -all, some pages alone: the first words of their files, with commas between")
	warm := flag.Duration("warm", 50*time.Second, "how long the demo runs at least before the pictures, so that there is something to see")
	flag.Parse()
	scenes := []scene{{user: root, shots: shots}}
	if *all {
		scenes = chosen(review(), *only)
	}
	stories := *all && (*only == "" || *only == "storybook")
	if len(scenes) == 0 && !stories {
		fmt.Fprintf(os.Stderr, "screenshot: no page is called %q\n", *only)
		os.Exit(2)
	}
	err := os.MkdirAll(*out, 0o755)
	if err == nil && len(scenes) > 0 {
		err = run(*console, *out, *warm, scenes)
	}
	if stories {
		err = errors.Join(err, components(*out))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "screenshot:", err)
		os.Exit(1)
	}
}

// chosen are the scenes with the pictures that only names.
func chosen(scenes []scene, only string) (list []scene) {
	for _, s := range scenes {
		s.shots = slices.DeleteFunc(s.shots, func(s shot) bool {
			return only != "" && !slices.ContainsFunc(strings.Split(only, ","), func(word string) bool { return s.name == word || strings.HasPrefix(s.name, word+"-") })
		})
		if len(s.shots) > 0 {
			list = append(list, s)
		}
	}
	return list
}

// run takes the pictures of each scene.
func run(console, out string, warm time.Duration, scenes []scene) (err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := &places{console: console}
	defer func() { err = errors.Join(err, p.close()) }()
	if err := p.start(ctx); err != nil {
		return err
	}
	tab, stop, err := browser.Start(ctx)
	if err != nil {
		return err
	}
	defer stop()
	// Some seconds after a full minute the long job is at work.
	ready := time.Now().Add(warm).Truncate(time.Minute).Add(time.Minute + 8*time.Second)
	fmt.Printf("the demo runs at %s; pictures at %s\n", p.demo, ready.Format(time.TimeOnly))
	time.Sleep(time.Until(ready))
	for _, s := range scenes {
		if err := s.take(ctx, p, tab, out); err != nil {
			return err
		}
	}
	return nil
}

// take takes the pictures of a scene in a tab of its own.
func (s scene) take(ctx context.Context, p *places, first *browser.Tab, out string) error {
	site, away, err := p.site(ctx, s.site)
	if err != nil {
		return err
	}
	tab, end, err := first.Beside(true)
	if err != nil {
		return err
	}
	defer end()
	if err := tab.Size(1440, 900); err != nil {
		return err
	}
	if s.user == nobody {
		err = tab.Open(site + "/login")
	} else {
		err = tab.SignIn(site, s.user, s.user)
	}
	if err != nil {
		return err
	}
	for _, step := range s.before {
		if err := step.do(tab, site); err != nil {
			return fmt.Errorf("before the pictures: %w", err)
		}
	}
	if away != nil { // What was read before is shown; that it is old takes a moment.
		for _, s := range s.shots {
			if err := tab.Open(site + s.path); err != nil {
				return err
			}
		}
		away()
		if err := errors.Join(tab.Open(site+"/jobs"), tab.Wait(`[data-testid="outage"]`)); err != nil {
			return err
		}
	}
	return takeAll(tab, s.shots, site, out)
}

// components takes the pictures of the storybook.
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
