// Command generate writes the methods of i18n.Lang from the catalogues. It runs in
// the folder of the catalogues; -out is where it writes to.
//
//	en.toml, zh.toml ─► messages, compared ─► messages_gen.go
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
	text, err := generate(en, zh)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "messages_gen.go"), text, 0o644) //nolint:gosec // a source file
}

// generate compares the catalogues and returns the methods, one for each message.
func generate(en, zh catalogue) ([]byte, error) {
	if err := sameKeys(en, zh); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.\n\npackage i18n\n")
	for _, area := range slices.Sorted(maps.Keys(en)) {
		fmt.Fprintf(&b, "\n// [%s]\n\n", area)
		for _, key := range slices.Sorted(maps.Keys(en[area])) {
			if err := method(&b, area, key, en[area][key], zh[area][key]); err != nil {
				return nil, fmt.Errorf("[%s] %s: %w", area, key, err)
			}
		}
	}
	return format.Source(b.Bytes())
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
	number, one, err := templates(english, []string{"one", "other"}, params)
	if err != nil {
		return fmt.Errorf("en.toml: %w", err)
	}
	_, other, err := templates(chinese, []string{"other"}, params)
	if err != nil {
		return fmt.Errorf("zh.toml: %w", err)
	}
	var signature, values []string
	for _, p := range params {
		signature = append(signature, p.name+" "+p.goType)
		value := p.name
		if p.goType == "int" {
			value = "number(" + p.name + ")"
		}
		values = append(values, value)
	}
	text := fmt.Sprintf("l.pick(%q, %q)", one[0], other[0])
	if number != "" {
		text = fmt.Sprintf("l.plural(%s, %q, %q, %q)", number, one[0], one[1], other[0])
	}
	if len(values) > 0 {
		text = "fill(" + text + ", " + strings.Join(values, ", ") + ")"
	}
	fmt.Fprintf(b, "func (l Lang) %s(%s) string { return %s }\n", methodName(area, key), strings.Join(signature, ", "), text)
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
