// Command generate writes the methods of i18n.Lang from the catalogues. It runs in
// the folder of the catalogues; -out is where it writes to.
//
//	en.toml, zh.toml ─► messages, compared ─► <area>_gen.go
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

func main() {
	out := flag.String("out", ".", "the folder to write to")
	flag.Parse()
	if err := run(".", *out); err != nil {
		fmt.Fprintln(os.Stderr, "i18n:", err)
		os.Exit(1)
	}
}

// catalogue is one file: area, key, message.
type catalogue map[string]map[string]string

func read(path string) (catalogue, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var c catalogue
	if err := toml.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return c, nil
}

func run(in, out string) error {
	en, err := read(filepath.Join(in, "en.toml"))
	if err != nil {
		return err
	}
	zh, err := read(filepath.Join(in, "zh.toml"))
	if err != nil {
		return err
	}
	files, err := generate(en, zh)
	if err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(out, "*_gen.go"))
	if err != nil {
		return err
	}
	for _, path := range old { // an area that left the catalogues leaves no file
		if _, ok := files[filepath.Base(path)]; !ok {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(out, name), text, 0o644); err != nil { //nolint:gosec // a source file
			return err
		}
	}
	return nil
}

// generate compares the catalogues and returns the files by name.
func generate(en, zh catalogue) (map[string][]byte, error) {
	if err := sameKeys(en, zh); err != nil {
		return nil, err
	}
	files := make(map[string][]byte, len(en))
	for area, messages := range en {
		var b bytes.Buffer
		fmt.Fprintf(&b, "// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.\n\npackage i18n\n")
		for _, key := range slices.Sorted(maps.Keys(messages)) {
			if err := method(&b, area, key, messages[key], zh[area][key]); err != nil {
				return nil, fmt.Errorf("[%s] %s: %w", area, key, err)
			}
		}
		text, err := format.Source(b.Bytes())
		if err != nil {
			return nil, fmt.Errorf("[%s]: %w", area, err)
		}
		files[area+"_gen.go"] = text
	}
	return files, nil
}

// sameKeys reports what one catalogue has and the other has not.
func sameKeys(en, zh catalogue) error {
	for _, pair := range []struct {
		has, lacks catalogue
		file       string
	}{{en, zh, "zh.toml"}, {zh, en, "en.toml"}} {
		for _, area := range slices.Sorted(maps.Keys(pair.has)) {
			for _, key := range slices.Sorted(maps.Keys(pair.has[area])) {
				if strings.TrimSpace(pair.has[area][key]) == "" {
					return fmt.Errorf("[%s] %s is empty", area, key)
				}
				if _, ok := pair.lacks[area][key]; !ok {
					return fmt.Errorf("[%s] %s is missing in %s", area, key, pair.file)
				}
			}
		}
	}
	return nil
}

// method writes one message.
func method(b *bytes.Buffer, area, key, en, zh string) error {
	english, err := parse(en)
	if err != nil {
		return fmt.Errorf("en.toml: %w", err)
	}
	chinese, err := parse(zh)
	if err != nil {
		return fmt.Errorf("zh.toml: %w", err)
	}
	params, theirs := placeholders(english), placeholders(chinese)
	if !sameParams(params, theirs) {
		return fmt.Errorf("the placeholders differ: %v in English, %v in Chinese", params, theirs)
	}
	var signature []string
	for _, p := range params {
		signature = append(signature, p.name+" "+p.goType)
	}
	fmt.Fprintf(b, "\n// %[1]s is %[2]s.\nfunc (l Lang) %[1]s(%[3]s) string {\nif l == Chinese {\n", methodName(area, key), strconv.Quote(en), strings.Join(signature, ", "))
	if err := statements(b, chinese, []string{"other"}); err != nil {
		return fmt.Errorf("zh.toml: %w", err)
	}
	fmt.Fprintln(b, "}")
	if err := statements(b, english, []string{"one", "other"}); err != nil {
		return fmt.Errorf("en.toml: %w", err)
	}
	fmt.Fprintln(b, "}")
	return nil
}

// methodName is the method of a key: FrameSignOut of [frame] sign_out.
func methodName(area, key string) string {
	var name strings.Builder
	for word := range strings.SplitSeq(area+"_"+key, "_") {
		if word != "" {
			name.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return name.String()
}
