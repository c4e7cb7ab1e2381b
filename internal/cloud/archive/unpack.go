package archive

import (
	"archive/tar"
	"bufio"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"strings"
)

const (
	// maxElement is the length of a name between slashes, maxPath of the whole path, and maxDepth
	// the number of slashes.
	maxElement, maxPath, maxDepth = 255, 1024, 64
	// overhead is the extra size of an archive per entry.
	overhead = 2 << 10
)

// format is the kind of an archive, by the ending of its name.
type format int

const (
	oneFile format = iota // may be executable
	zipped
	tarred
)

// endings are checked in this order.
var endings = []struct {
	ending string
	format format
	open   func(io.Reader) (io.Reader, error) // expands a file that is compressed as a whole
}{
	{".tar.gz", tarred, gunzip}, {".tgz", tarred, gunzip},
	{".tar.bz2", tarred, bunzip}, {".tbz2", tarred, bunzip},
	{".tar.xz", tarred, unxz}, {".txz", tarred, unxz},
	{".tar", tarred, plain}, {".zip", zipped, plain}, {".gz", oneFile, gunzip},
}

func plain(r io.Reader) (io.Reader, error)  { return r, nil }
func gunzip(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }
func bunzip(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }

// formatOf returns the format of an archive, and the name of a single file.
func formatOf(p string) (kind int, name string, err error) {
	base, err := baseOf(p)
	if err != nil {
		return 0, "", err
	}
	for i, e := range endings {
		if name := base[:max(0, len(base)-len(e.ending))]; name != "" && strings.EqualFold(base[len(name):], e.ending) {
			return i, name, nil
		}
	}
	return -1, base, nil
}

// unpacker writes an archive's entries below a folder, within limits.
type unpacker struct {
	ctx     context.Context
	root    *os.Root
	bounds  bounds
	entries int
	written int64
	parent  string // a folder that exists and isn't a link
}

func (f Fetcher) unpack(ctx context.Context, at *url.URL, root *os.Root) error {
	kind, name, err := formatOf(at.Path)
	if err != nil {
		return err
	}
	file, err := root.Open(downloadName)
	if err != nil {
		return fmt.Errorf("read the archive: %w", err)
	}
	defer file.Close()
	u := &unpacker{ctx: ctx, root: root, bounds: f.bounds.withDefaults(), parent: "."}
	open, format := plain, oneFile
	if kind >= 0 {
		open, format = endings[kind].open, endings[kind].format
	}
	if format == zipped {
		err = u.zip(file)
	} else {
		err = u.stream(bufio.NewReaderSize(file, 1<<16), open, format, name)
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("unpack %s: %w", path.Base(at.Path), err)
	case u.entries == 0:
		return refuse("unpack %s: it is empty", path.Base(at.Path))
	}
	return nil
}

func (u *unpacker) stream(r io.Reader, open func(io.Reader) (io.Reader, error), format format, name string) error {
	expanded, err := open(r)
	if err != nil {
		return refuse("it cannot be read: %v; the file name must end in its format, such as .tar.gz", err)
	}
	if format == oneFile {
		return u.file(name, expanded, 0o755)
	}
	// Limit headers too, because a few bytes can expand to many of them.
	most := u.bounds.unpacked + int64(u.bounds.entries)*overhead
	return u.tar(tar.NewReader(&capped{r: expanded, left: most, ctx: u.ctx}))
}

// capped fails after reading the given number of bytes.
type capped struct {
	r    io.Reader
	left int64
	ctx  context.Context
}

func (c *capped) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(p)
	if c.left -= int64(n); c.left < 0 {
		return 0, errTooMuch
	}
	return n, err
}

var errTooMuch = errors.New("it expands to more than is allowed")

func (u *unpacker) tar(r *tar.Reader) error {
	for {
		h, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return refuse("it cannot be read: %v", err)
		}
		switch h.Typeflag {
		case tar.TypeReg, tar.TypeGNUSparse, tar.TypeCont:
			err = u.file(h.Name, r, h.FileInfo().Mode())
		case tar.TypeDir:
			err = u.folder(h.Name)
		case tar.TypeSymlink:
			err = u.symlink(h.Name, h.Linkname)
		case tar.TypeLink:
			err = u.link(h.Name, h.Linkname)
		case tar.TypeXGlobalHeader:
			err = u.count("of the archive itself")
		default:
			err = refuse("entry %s is not a file, folder or link (type %q); remove it", quoted(h.Name), h.Typeflag)
		}
		if err != nil {
			return err
		}
	}
}

func quoted(name string) string { return fmt.Sprintf("%q", clip(name)) }

// checkName refuses a name that might be outside the folder or is impossible for a file. It returns
// the cleaned name.
func checkName(name string) (string, error) {
	switch {
	case strings.HasPrefix(name, "/"):
		return "", refuse("entry %s has an absolute name; pack it with relative names", quoted(name))
	case len(name) > maxPath:
		return "", refuse("entry %s has a name of %d bytes; at most %d are allowed", quoted(name), len(name), maxPath)
	case strings.ContainsRune(name, 0):
		return "", refuse("entry %s has a zero byte in its name", quoted(name))
	}
	elements := strings.Split(name, "/")
	for _, e := range elements {
		switch {
		case e == "..":
			return "", refuse("entry %s leads out of the folder by \"..\"; pack it with relative names", quoted(name))
		case len(e) > maxElement:
			return "", refuse("entry %s has a part of %d bytes in its name; at most %d are allowed", quoted(name), len(e), maxElement)
		}
	}
	clean := path.Clean(name)
	switch {
	case strings.Count(clean, "/") >= maxDepth:
		return "", refuse("entry %s is more than %d folders deep", quoted(name), maxDepth)
	case strings.HasPrefix(clean, ownPrefix):
		return "", refuse("entry %s has a name that begins with %s, which is reserved", quoted(name), ownPrefix)
	}
	return clean, nil
}

func (u *unpacker) count(name string) error {
	if u.entries++; u.entries > u.bounds.entries {
		return refuse("entry %s exceeds the limit of %d files, folders and links", quoted(name), u.bounds.entries)
	}
	return u.ctx.Err()
}

// folders creates a folder and its missing parents. It refuses links, because files written through
// them would be elsewhere.
func (u *unpacker) folders(name, of string) error {
	if name == "." || name == u.parent {
		return nil
	}
	for at := 0; at < len(name); at++ {
		next := strings.IndexByte(name[at:], '/')
		if next < 0 {
			next = len(name) - at
		}
		at += next
		part := name[:at]
		info, err := u.root.Lstat(part)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if err := u.count(part); err != nil {
				return err
			}
			if err := u.root.Mkdir(part, 0o755); err != nil {
				return fmt.Errorf("entry %s: %w", quoted(of), err)
			}
			err = u.root.Chmod(part, 0o755) // regardless of the umask
		case err == nil && info.Mode()&fs.ModeSymlink != 0:
			return refuse("entry %s would be written through the link %s; remove one of them", quoted(of), quoted(part))
		case err == nil && !info.IsDir():
			return refuse("entry %s is below %s, which is not a folder", quoted(of), quoted(part))
		}
		if err != nil {
			return fmt.Errorf("entry %s: %w", quoted(of), err)
		}
	}
	u.parent = name
	return nil
}

// place checks an entry, creates its parent folders, and returns its clean name.
func (u *unpacker) place(name string) (string, error) {
	clean, err := checkName(name)
	if err != nil {
		return "", err
	}
	if clean == "." {
		return "", refuse("entry %s has no name", quoted(name))
	}
	if err := u.count(name); err != nil {
		return "", err
	}
	if err := u.folders(path.Dir(clean), name); err != nil {
		return "", err
	}
	if _, err := u.root.Lstat(clean); err == nil {
		return "", refuse("entry %s is in the archive twice", quoted(name))
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("entry %s: %w", quoted(name), err)
	}
	return clean, nil
}

func (u *unpacker) folder(name string) error {
	clean, err := checkName(name)
	if err != nil {
		return err
	}
	return u.folders(clean, name)
}

// file writes a file and counts its bytes.
func (u *unpacker) file(name string, from io.Reader, mode fs.FileMode) error {
	clean, err := u.place(name)
	if err != nil {
		return err
	}
	to, err := u.root.OpenFile(clean, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("entry %s: %w", quoted(name), err)
	}
	source := &noting{r: from, ctx: u.ctx}
	n, err := io.Copy(to, io.LimitReader(source, u.bounds.unpacked-u.written+1))
	u.written += n
	if err == nil && mode&0o111 != 0 {
		err = to.Chmod(0o755)
	} else if err == nil {
		err = to.Chmod(0o644)
	}
	switch err := errors.Join(err, to.Close()); {
	case u.written > u.bounds.unpacked:
		return refuse("entry %s exceeds the limit of %d unpacked bytes, which does not depend on the sizes in the archive", quoted(name), u.bounds.unpacked)
	case source.err != nil:
		return refuse("entry %s cannot be read: %v", quoted(name), source.err)
	case err != nil:
		return fmt.Errorf("entry %s: %w", quoted(name), err)
	}
	return nil
}

// noting separates a reader's error, which is the archive's fault, from a writer's error, which may
// be temporary.
type noting struct {
	r   io.Reader
	ctx context.Context
	err error
}

func (n *noting) Read(p []byte) (int, error) {
	if err := n.ctx.Err(); err != nil {
		return 0, err
	}
	count, err := n.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		n.err = err
	}
	return count, err
}

// symlink makes a link that stays inside. Its folder isn't a link, because no entry is written
// through a link, so each leading ".." of the target is one folder up. A ".." after another name
// could be relative to another link's target, so it's refused.
func (u *unpacker) symlink(name, to string) error {
	clean, err := u.place(name)
	if err != nil {
		return err
	}
	up, rest := 0, strings.Split(to, "/")
	for len(rest) > 0 && (rest[0] == ".." || rest[0] == "." || rest[0] == "") {
		if rest[0] == ".." {
			up++
		}
		rest = rest[1:]
	}
	out := strings.HasPrefix(to, "/") || up > strings.Count(clean, "/")
	for _, e := range rest {
		out = out || e == ".."
	}
	switch {
	case to == "" || len(to) > maxPath || strings.ContainsRune(to, 0):
		return refuse("entry %s is a link without a target, or with a target of more than %d bytes", quoted(name), maxPath)
	case out:
		return refuse("entry %s is a link that leads out of the folder, to %s; its target must be below the folder, without .. after another name", quoted(name), quoted(to))
	}
	if err := u.root.Symlink(to, clean); err != nil {
		return fmt.Errorf("entry %s: %w", quoted(name), err)
	}
	return nil
}

// link makes another name for an unpacked file.
func (u *unpacker) link(name, to string) error {
	target, err := checkName(to)
	if err != nil {
		return refuse("entry %s is a link that leads out of the folder, to %s", quoted(name), quoted(to))
	}
	for at := range target {
		if target[at] != '/' {
			continue
		}
		if info, err := u.root.Lstat(target[:at]); err != nil || !info.IsDir() {
			return refuse("entry %s is a link to %s, which is not a file unpacked before it", quoted(name), quoted(to))
		}
	}
	if info, err := u.root.Lstat(target); err != nil || !info.Mode().IsRegular() {
		return refuse("entry %s is a link to %s, which is not a file unpacked before it", quoted(name), quoted(to))
	}
	clean, err := u.place(name)
	if err != nil {
		return err
	}
	if err := u.root.Link(target, clean); err != nil {
		return fmt.Errorf("entry %s: %w", quoted(name), err)
	}
	return nil
}
