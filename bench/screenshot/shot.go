package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/browser"
)

// shot is one picture.
type shot struct {
	name, file string
	path       string // empty for the page that is open when its scene begins
	dark       bool
	language   string // empty for the browser's
	// follow is the link on the page at path that leads to what is taken.
	follow string
	// steps are done on the page before the picture.
	steps  []step
	width  int64
	height int64 // 0 for all of the page, up to tallest
}

// tallest is how much of a page a picture shows at most, in CSS pixels.
const tallest = 3200

// step is something that is done on a page: one of its first four, and then it waits
// until an element is there. Elements are named by selectors.
type step struct {
	open  string // a path
	fill  string // with text
	click string
	run   string // a script
	text  string
	wait  string
}

func (s step) do(tab *browser.Tab, site string) (err error) {
	switch {
	case s.open != "":
		err = tab.Open(site + s.open)
	case s.fill != "":
		err = tab.Fill(s.fill, s.text)
	case s.click != "":
		// By script: the bar at the foot of a phone lies on top of the page.
		_, err = browser.Eval[bool](tab, fmt.Sprintf("document.querySelector(%q).click(), true", s.click))
	case s.run != "":
		_, err = browser.Eval[bool](tab, s.run+";true")
	}
	if err == nil && s.wait != "" {
		err = tab.Wait(s.wait)
	}
	return err
}

// takeAll writes each picture into a folder, and says of the pages for a review what of
// them is cut.
func takeAll(tab *browser.Tab, list []shot, site, out string) error {
	here, err := tab.Address()
	if err != nil {
		return err
	}
	for _, s := range list {
		address := site + s.path
		if s.path == "" {
			address = here
		}
		picture, err := s.take(tab, site, address)
		if err != nil {
			return fmt.Errorf("picture of %s: %w", s.file, err)
		}
		to := filepath.Join(out, s.file)
		if err := os.WriteFile(to, picture, 0o644); err != nil {
			return err
		}
		fmt.Printf("%s  %d KB\n", to, len(picture)/1024)
		if s.name == "" {
			continue
		}
		if found, err := browser.Eval[[]string](tab, cut); err == nil && len(found) > 0 {
			fmt.Printf("  %s\n", strings.Join(found, "\n  "))
		}
	}
	return nil
}

// cut names the elements of a page whose text does not fit, and says if the page is wider
// than its window.
const cut = `(() => {
	const all = [...document.querySelectorAll("main *, header *")].filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 1 && !e.closest(".sr")
		&& e.textContent.trim() && getComputedStyle(e).overflowX !== "visible" && getComputedStyle(e).overflowX !== "auto")
		.map((e) => "cut: " + (e.className || e.tagName) + ": " + e.textContent.trim().replace(/\s+/g, " ").slice(0, 80));
	const page = document.documentElement;
	if (page.scrollWidth > page.clientWidth) all.unshift("the page is " + (page.scrollWidth - page.clientWidth) + " pixels too wide");
	return [...new Set(all)].slice(0, 6);
})()`

func (s shot) take(tab *browser.Tab, site, address string) ([]byte, error) {
	if s.language != "" {
		if err := tab.Language(s.language); err != nil {
			return nil, err
		}
	}
	height := cmp.Or(s.height, 900)
	err := errors.Join(tab.Dark(s.dark), tab.Size(s.width, height), tab.Open(address), tab.Wait("main"))
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
	for _, step := range s.steps {
		if err := step.do(tab, site); err != nil {
			return nil, err
		}
	}
	if s.height == 0 {
		whole, err := browser.Read[int64](tab, "document.documentElement.scrollHeight")
		if err != nil {
			return nil, err
		}
		if err := tab.Size(s.width, min(max(whole, height), tallest)); err != nil {
			return nil, err
		}
	}
	return tab.Picture()
}
