package kubetest

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// nobody is the user of images' programs, because pods can't run as root.
const nobody = "65532:65532"

// Image makes an image for the real node from a program and files with absolute paths. The program is
// the entry point. It must not need a C library (CGO_ENABLED=0), because the image has nothing else.
func (c *Cluster) Image(ctx context.Context, ref, program string, files map[string][]byte) error {
	return c.image(ctx, ref, program, nil, files)
}

func (c *Cluster) image(ctx context.Context, ref, program string, args []string, files map[string][]byte) error {
	if c.node == nil {
		return errors.New("an image needs a real node: use StartReal")
	}
	binary, err := os.ReadFile(program)
	if err != nil {
		return fmt.Errorf("image %s: %w", ref, err)
	}
	name := "/" + filepath.Base(program)
	layer, err := layerOf(name, binary, files)
	if err != nil {
		return fmt.Errorf("image %s: %w", ref, err)
	}
	config, err := json.Marshal(map[string]any{
		"architecture": runtime.GOARCH, "os": "linux",
		"config": map[string]any{"Entrypoint": append([]string{name}, args...), "Env": []string{"PATH=/"}, "User": nobody},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer))}},
	})
	if err != nil {
		return err
	}
	manifest, err := json.Marshal([]map[string]any{{"Config": "config.json", "RepoTags": []string{ref}, "Layers": []string{"layer.tar"}}})
	if err != nil {
		return err
	}
	var image bytes.Buffer
	w := tar.NewWriter(&image)
	for _, f := range []struct {
		name string
		text []byte
	}{{"manifest.json", manifest}, {"config.json", config}, {"layer.tar", layer}} {
		if err := add(w, f.name, 0o644, f.text); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "ctr", "-a", c.node.socket, "-n", "k8s.io", "images", "import", "-")
	cmd.Stdin = &image
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("import image %s: %w: %s", ref, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// layerOf returns a file system with a program, files, and a temporary folder.
func layerOf(name string, program []byte, files map[string][]byte) ([]byte, error) {
	var layer bytes.Buffer
	w := tar.NewWriter(&layer)
	folders := []string{"/tmp"}
	for file := range files {
		for dir := path.Dir(file); dir != "/"; dir = path.Dir(dir) {
			folders = append(folders, dir)
		}
	}
	slices.Sort(folders)
	for _, dir := range slices.Compact(folders) {
		mode := int64(0o755)
		if dir == "/tmp" {
			mode = 0o1777
		}
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir[1:] + "/", Mode: mode}); err != nil {
			return nil, err
		}
	}
	if err := add(w, name[1:], 0o755, program); err != nil {
		return nil, err
	}
	for file, text := range files {
		mode := int64(0o644)
		if bytes.HasPrefix(text, []byte("\x7fELF")) {
			mode = 0o755
		}
		if err := add(w, file[1:], mode, text); err != nil {
			return nil, err
		}
	}
	return layer.Bytes(), w.Close()
}

func add(w *tar.Writer, name string, mode int64, text []byte) error {
	if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: mode, Size: int64(len(text))}); err != nil {
		return err
	}
	_, err := w.Write(text)
	return err
}
