package archive

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
)

// maxDirectory limits a zip file's list of files, because it's read into memory.
const maxDirectory = 32 << 20

func (u *unpacker) zip(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	bounded := &boundedAt{r: file, left: maxDirectory}
	r, err := zip.NewReader(bounded, info.Size())
	switch {
	case err != nil:
		return refuse("it cannot be read: %v; the file name must end in its format, such as .tar.gz", err)
	case len(r.File) > u.bounds.entries:
		return refuse("it lists %d files, at most %d are unpacked", len(r.File), u.bounds.entries)
	}
	bounded.free = true
	for _, f := range r.File {
		if err := u.zipEntry(f); err != nil {
			return err
		}
	}
	return nil
}

func (u *unpacker) zipEntry(f *zip.File) error {
	mode := f.Mode()
	switch {
	case f.Flags&1 != 0:
		return refuse("entry %s is encrypted; pack it without a password", quoted(f.Name))
	case mode.IsDir() || strings.HasSuffix(f.Name, "/"):
		return u.folder(f.Name)
	case !mode.IsRegular() && mode.Type() != fs.ModeSymlink:
		return refuse("entry %s is not a file, folder or link (%s); remove it", quoted(f.Name), mode)
	}
	if _, err := checkName(f.Name); err != nil { // Before any of its content is read.
		return err
	}
	content, err := f.Open()
	if err != nil {
		return refuse("entry %s cannot be read: %v", quoted(f.Name), err)
	}
	defer content.Close()
	if mode.IsRegular() {
		return u.file(f.Name, content, mode)
	}
	to, err := io.ReadAll(io.LimitReader(content, maxPath+1))
	if err != nil {
		return refuse("entry %s cannot be read: %v", quoted(f.Name), err)
	}
	return u.symlink(f.Name, string(to))
}

// boundedAt limits reads until it's freed.
type boundedAt struct {
	r    io.ReaderAt
	left int64
	free bool
}

func (b *boundedAt) ReadAt(p []byte, at int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 && !b.free {
		return 0, errors.New("its list of files is too long")
	}
	return b.r.ReadAt(p, at)
}
