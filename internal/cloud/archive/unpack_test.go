package archive

import (
	"archive/tar"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bzipped is a tar file with bin/run, because the standard library can't write bzip2.
const bzipped = "QlpoOTFBWSZTWZjdujsAAJF7hMqUAEBoAP+AACR6ZZ6AAACACCAAdBJUT0nkmhpoaaafqah6meqCSkAADQAAD7s4noa8PpASQoSRY+owlawjIApGCQOAfPe5QKFZTF+viojwEk2lojNQWVVfqLdzQhIWY17UZ9tdU293U5hMHMDYvJFgciLnmQkH8XckU4UJCY3bo7A="

const script = "#!/bin/sh\necho well\n"

// TestFormats unpacks an archive with each ending.
func TestFormats(t *testing.T) {
	t.Parallel()
	bzip, err := base64.StdEncoding.DecodeString(bzipped)
	if err != nil {
		t.Fatal(err)
	}
	packed := tarOf(t, entry{name: "bin/", kind: tar.TypeDir, mode: 0o700}, entry{name: "bin/run", text: script, kind: tar.TypeReg, mode: 0o700})
	zipped := zipOf(t, zipEntry{"bin/", "", fs.ModeDir | 0o755}, zipEntry{"bin/run", script, 0o755})
	unpacked := []string{"-rwxr-xr-x bin/run " + script, "drwxr-xr-x bin"}
	for name, tt := range map[string]struct {
		data []byte
		want []string
	}{
		"shop.tar": {packed, unpacked}, "shop.tar.gz": {gzipped(t, packed), unpacked}, "shop.tgz": {gzipped(t, packed), unpacked}, "shop.TGZ": {gzipped(t, packed), unpacked},
		"shop.tar.bz2": {bzip, unpacked}, "shop.tbz2": {bzip, unpacked}, "shop.tar.xz": {xzipped(t, packed), unpacked}, "shop.txz": {xzipped(t, packed), unpacked},
		"shop.zip": {zipped, unpacked}, "run.sh.gz": {gzipped(t, []byte(script)), []string{"-rwxr-xr-x run.sh " + script}},
		"run.sh": {[]byte(script), []string{"-rwxr-xr-x run.sh " + script}}, ".tar": {[]byte(script), []string{"-rwxr-xr-x .tar " + script}},
		"v1/run.sh?token=secret": {[]byte(script), []string{"-rwxr-xr-x run.sh " + script}},
	} {
		dir, err := fetch(t, name, tt.data, bounds{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(tt.want, tree(t, dir)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestUnpackedTree: links that stay inside, modes, names with a dot, headers of the archive itself,
// and folders without entries.
func TestUnpackedTree(t *testing.T) {
	t.Parallel()
	dir, err := fetch(t, "shop.tar", tarOf(t,
		entry{kind: tar.TypeXGlobalHeader}, entry{name: "./", kind: tar.TypeDir, mode: 0o755},
		entry{name: "./lib/v1/lib.so", text: "so", kind: tar.TypeReg, mode: 0o4750}, symlink("lib/current", "v1"), symlink("bin/lib", "../lib/current"), symlink("none", "later"),
		entry{name: "bin/hard", link: "lib/v1/lib.so", kind: tar.TypeLink}, entry{name: "lib/", kind: tar.TypeDir, mode: 0}, file("a..b", ""),
	), bounds{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"-rw-r--r-- a..b ", "-rwxr-xr-x bin/hard so", "-rwxr-xr-x lib/v1/lib.so so", "drwxr-xr-x bin", "drwxr-xr-x lib", "drwxr-xr-x lib/v1",
		"link bin/lib ../lib/current", "link lib/current v1", "link none later",
	}
	if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// attack is an archive that is refused, and a word of the error.
type attack struct {
	data  []byte
	words string
}

// outside returns archives that try to leave the folder.
func outside(t *testing.T) map[string]attack {
	t.Helper()
	long, deep := strings.Repeat("x", 256), strings.Repeat("d/", 70)+"x"
	tars := func(entries ...entry) []byte { return tarOf(t, entries...) }
	return map[string]attack{
		"absolute.tar":          {tars(file("/etc/passwd", "x")), `entry "/etc/passwd" has an absolute name`},
		"up.tar":                {tars(file("good", ""), file("../outside", "x")), `entry "../outside" leads out of the folder`},
		"up-inside.tar":         {tars(file("a/../../outside", "x")), `leads out of the folder`},
		"up-folder.tar":         {tars(entry{name: "../outside/", kind: tar.TypeDir, mode: 0o755}), `leads out of the folder`},
		"link-absolute.tar":     {tars(symlink("a", "/etc")), `entry "a" is a link that leads out`},
		"link-up.tar":           {tars(symlink("d/a", "../../outside")), `entry "d/a" is a link that leads out`},
		"link-up-behind.tar":    {tars(symlink("d/s", ".."), symlink("a", "d/s/../../outside")), `entry "a" is a link that leads out`},
		"link-empty.tar":        {tars(symlink("a", "")), `is a link without a target`},
		"through-link.tar":      {tars(symlink("d/a", ".."), file("d/a/x", "x")), `entry "d/a/x" would be written through the link "d/a"`},
		"through-outside.tar":   {tars(symlink("a", "b"), file("a/x", "x")), `would be written through the link "a"`},
		"over-link.tar":         {tars(symlink("a", "b"), file("a", "x")), `entry "a" is in the archive twice`},
		"folder-over-link.tar":  {tars(symlink("a", "b"), entry{name: "a", kind: tar.TypeDir, mode: 0o755}), `would be written through the link "a"`},
		"hard-outside.tar":      {tars(entry{name: "a", link: "../../etc/passwd", kind: tar.TypeLink}), `entry "a" is a link that leads out`},
		"hard-absolute.tar":     {tars(entry{name: "a", link: "/etc/passwd", kind: tar.TypeLink}), `entry "a" is a link that leads out`},
		"hard-to-link.tar":      {tars(symlink("s", "x"), entry{name: "a", link: "s", kind: tar.TypeLink}), `which is not a file unpacked`},
		"hard-through-link.tar": {tars(file("d/x", ""), symlink("s", "d"), entry{name: "a", link: "s/x", kind: tar.TypeLink}), `which is not a file unpacked`},
		"hard-to-nothing.tar":   {tars(entry{name: "a", link: "x", kind: tar.TypeLink}), `which is not a file unpacked`},
		"hard-to-ours.tar":      {tars(entry{name: "a", link: ".elasticjob-download", kind: tar.TypeLink}), `is a link that leads out`},
		"device.tar":            {tars(entry{name: "a", kind: tar.TypeBlock}), `entry "a" is not a file, folder or link`},
		"character.tar":         {tars(entry{name: "a", kind: tar.TypeChar}), `is not a file, folder or link`},
		"pipe.tar":              {tars(entry{name: "a", kind: tar.TypeFifo}), `is not a file, folder or link`},
		"long.tar":              {tars(file(long, "x")), `a part of 256 bytes`},
		"long-path.tar":         {tars(file(strings.Repeat("abcdefghi/", 110)+"x", "x")), `has a name of 1101 bytes`},
		"deep.tar":              {tars(file(deep, "x")), `is more than 64 folders deep`},
		"below-file.tar":        {tars(file("a", ""), file("a/b", "")), `entry "a/b" is below "a", which is not a folder`},
		"twice.tar":             {tars(file("a", ""), file("./a", "")), `is in the archive twice`},
		"ours.tar":              {tars(file(".elasticjob-archive", "complete")), `which is reserved`},
		"nameless.tar":          {tars(file(".", "x")), `has no name`},
		"empty.tar":             {tars(), `it is empty`},
	}
}

// wrong returns archives that are too large, zip files that try to leave the folder, and files that
// are no archives.
func wrong(t *testing.T) map[string]attack {
	t.Helper()
	tars := func(entries ...entry) []byte { return tarOf(t, entries...) }
	return map[string]attack{
		"bomb.tar.gz":            {gzipped(t, tars(file("good", ""), file("big", strings.Repeat("\x00", 1<<20)))), `entry "big" exceeds the limit of 65536 unpacked bytes`},
		"bomb.gz":                {gzipped(t, make([]byte, 1<<20)), `entry "bomb" exceeds the limit`},
		"bomb-headers.tar.gz":    {gzipped(t, append(extended(1000), tars(file("a", ""))...)), `expands to more`},
		"many.tar":               {tars(many(11)...), `entry "f10" exceeds the limit of 10 files`},
		"many-folders.tar":       {tars(file("a/b/c/d/e/f/g/h/i/j/k", "")), `exceeds the limit`},
		"many.zip":               {zipOf(t, manyZipped(11)...), `it lists 11 files`},
		"bomb.zip":               {zipOf(t, zipEntry{"big", strings.Repeat("\x00", 1<<20), 0o644}), `entry "big" exceeds the limit`},
		"up.zip":                 {zipOf(t, zipEntry{"../outside", "x", 0o644}), `entry "../outside" leads out`},
		"absolute.zip":           {zipOf(t, zipEntry{"/etc/passwd", "x", 0o644}), `has an absolute name`},
		"link.zip":               {zipOf(t, zipEntry{"a", "../outside", fs.ModeSymlink | 0o777}), `entry "a" is a link that leads out`},
		"through-link.zip":       {zipOf(t, zipEntry{"a", ".", fs.ModeSymlink | 0o777}, zipEntry{"a/x", "x", 0o644}), `would be written through the link`},
		"device.zip":             {zipOf(t, zipEntry{"a", "", fs.ModeDevice | 0o644}), `is not a file, folder or link`},
		"pipe.zip":               {zipOf(t, zipEntry{"a", "", fs.ModeNamedPipe | 0o644}), `is not a file, folder or link`},
		"encrypted.zip":          {encrypted(zipOf(t, zipEntry{"a", "x", 0o644})), `entry "a" is encrypted`},
		"none.zip":               {[]byte("no zip"), `it cannot be read`},
		"none.tar":               {bytes.Repeat([]byte("no tar"), 1000), `it cannot be read`},
		"none.tar.gz":            {[]byte("no gzip"), `it cannot be read`},
		"none.tar.bz2":           {[]byte("no bzip"), `it cannot be read`},
		"none.tar.xz":            {[]byte("not an xz file"), `it is not an xz file`},
		"short.tar.gz":           {gzipped(t, tars(file("a", script)))[:40], `cannot be read`},
		"short.tar.xz":           {xzipped(t, tars(file("a", strings.Repeat(script, 100))))[:60], `cannot be read`},
		"memory.tar.xz":          {greedy(xzipped(t, tars(file("a", "")))), `it needs 4294967295 bytes of memory`},
		"cut-in-an-entry.tar.gz": {gzipped(t, tars(file("a", strings.Repeat("x", 2000)))[:1500]), `entry "a" cannot be read`},
	}
}

// extended returns headers without an entry, which tar's reader skips.
func extended(n int) []byte {
	var b bytes.Buffer
	record := fmt.Sprintf("%d comment=%s\n", 512, strings.Repeat("x", 512-len("512 comment=\n")))
	header := make([]byte, 512)
	copy(header, "x")
	copy(header[100:], "0000644\x00")
	copy(header[124:], fmt.Sprintf("%011o\x00", len(record)))
	copy(header[136:], "00000000000\x00")
	header[156] = 'x'
	copy(header[257:], "ustar\x0000")
	copy(header[148:], "        ")
	sum := 0
	for _, c := range header {
		sum += int(c)
	}
	copy(header[148:], fmt.Sprintf("%06o\x00 ", sum))
	for range n {
		b.Write(header)
		b.WriteString(record)
	}
	return b.Bytes()
}

func many(n int) (entries []entry) {
	for i := range n {
		entries = append(entries, file(fmt.Sprintf("f%d", i), ""))
	}
	return entries
}

func manyZipped(n int) (entries []zipEntry) {
	for i := range n {
		entries = append(entries, zipEntry{fmt.Sprintf("f%d", i), "", 0o644})
	}
	return entries
}

// encrypted sets the flag in the list of files.
func encrypted(data []byte) []byte {
	data[bytes.Index(data, []byte("PK\x01\x02"))+8] |= 1
	return data
}

// greedy requests the maximum memory in an xz file.
func greedy(data []byte) []byte {
	at := bytes.Index(data, []byte{0x21, 1})
	data[at+2] = 40
	return data
}

// TestCL30Attacks: each is refused with the entry's name, nothing of it stays, and nothing is
// written elsewhere.
func TestCL30Attacks(t *testing.T) {
	t.Parallel()
	attacks := outside(t)
	maps.Copy(attacks, wrong(t))
	for name, attack := range attacks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, err := fetch(t, name, attack.data, bounds{unpacked: 1 << 16, entries: 10})
			if !errors.Is(err, ErrRefused) || !strings.Contains(fmt.Sprint(err), attack.words) || !strings.Contains(fmt.Sprint(err), name) {
				t.Errorf("the error is %v; want ErrRefused with %q", err, attack.words)
			}
			if left, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(left) != 0 {
				t.Errorf("%v, %v is left", left, err)
			}
		})
	}
}
