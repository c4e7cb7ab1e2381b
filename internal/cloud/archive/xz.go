package archive

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/ulikunitz/xz/lzma"
)

// maxDictionary is the memory that an xz file may request, as xz -9 does.
const maxDictionary = 64 << 20

// xzReader reads an xz file with one stream, as xz and tar write them. It parses the container
// itself, because each block requests memory, which must be limited. It skips the checksums,
// because the SHA-256 checksum of the whole file was compared.
type xzReader struct {
	in    *counted
	check int64 // bytes of each block's checksum
	block io.Reader
	begin int64 // start of the block's data
}

// checkSizes are the checksum sizes by the stream's flag.
var checkSizes = map[byte]int64{0: 0, 1: 4, 4: 8, 10: 32}

func unxz(r io.Reader) (io.Reader, error) {
	in := &counted{r: bufio.NewReader(r)}
	header := make([]byte, 12)
	if _, err := io.ReadFull(in, header); err != nil {
		return nil, fmt.Errorf("xz: %w", noEOF(err))
	}
	check, known := checkSizes[header[7]]
	if !bytes.HasPrefix(header, []byte("\xfd7zXZ\x00\x00")) || !known {
		return nil, errors.New("it is not an xz file")
	}
	return &xzReader{in: in, check: check}, nil
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (x *xzReader) Read(p []byte) (int, error) {
	for {
		if x.block == nil {
			if err := x.next(); err != nil {
				return 0, err
			}
		}
		n, err := x.block.Read(p)
		if errors.Is(err, io.EOF) {
			x.block, err = nil, x.skip()
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// skip skips the padding and the checksum after a block.
func (x *xzReader) skip() error {
	padding := (4 - (x.in.n-x.begin)%4) % 4
	_, err := io.CopyN(io.Discard, x.in, padding+x.check)
	if err != nil {
		return fmt.Errorf("xz: %w", noEOF(err))
	}
	return nil
}

// next starts a block. It returns io.EOF at the index after the last block.
func (x *xzReader) next() error {
	size, err := x.in.ReadByte()
	if err != nil {
		return fmt.Errorf("xz: %w", noEOF(err))
	}
	if size == 0 {
		return io.EOF
	}
	header := make([]byte, (int(size)+1)*4-1)
	if _, err := io.ReadFull(x.in, header); err != nil {
		return fmt.Errorf("xz: %w", noEOF(err))
	}
	capacity, err := dictionary(header)
	if err != nil {
		return err
	}
	x.begin = x.in.n
	if x.block, err = (lzma.Reader2Config{DictCap: capacity}).NewReader2(x.in); err != nil {
		return fmt.Errorf("xz: %w", err)
	}
	return nil
}

// dictionary returns the memory for a block from its header without the first byte.
func dictionary(header []byte) (int, error) {
	const onlyLZMA2 = "xz: it was packed with a filter; pack it with xz alone"
	flags, rest := header[0], header[1:]
	if flags&0x3f != 0 {
		return 0, errors.New(onlyLZMA2)
	}
	for _, there := range []byte{0x40, 0x80} { // Two unused sizes.
		if flags&there == 0 {
			continue
		}
		_, n := binary.Uvarint(rest)
		if n <= 0 {
			return 0, errors.New("xz: the header of a block is damaged")
		}
		rest = rest[n:]
	}
	if len(rest) < 3 || rest[0] != 0x21 || rest[1] != 1 {
		return 0, errors.New(onlyLZMA2)
	}
	capacity, err := lzma.DecodeDictCap(rest[2])
	switch {
	case err != nil:
		return 0, fmt.Errorf("xz: %w", err)
	case capacity > maxDictionary:
		return 0, fmt.Errorf("xz: it needs %d bytes of memory; at most %d are allowed; pack it with xz -9 or less", capacity, maxDictionary)
	}
	return int(max(capacity, lzma.MinDictCap)), nil
}

type counted struct {
	r *bufio.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *counted) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}
