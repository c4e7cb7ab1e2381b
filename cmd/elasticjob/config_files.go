package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/spelling"
)

// mostFile bounds a file of configurations.
const mostFile = 4 << 20

// declared is a configuration that a file declares.
type declared struct {
	job   string
	file  string
	line  int
	class string
	// exact makes json leave out what body leaves out.
	exact bool
	body  map[string]any
	lines map[string]int // by field, such as cron or props.http.uri
}

// at returns the place of a field.
func (d *declared) at(field string) string {
	for {
		if line, found := d.lines[field]; found {
			return fmt.Sprintf("%s:%d", d.file, line)
		}
		short := strings.LastIndexByte(field, '.')
		if short < 0 {
			return fmt.Sprintf("%s:%d", d.file, d.line)
		}
		field = field[:short]
	}
}

// declarations collects the configurations of files, and all mistakes in them.
type declarations struct {
	jobs     []*declared
	problems []string
}

func (d *declarations) wrong(file string, line int, format string, args ...any) {
	d.problems = append(d.problems, fmt.Sprintf("%s:%d: ", file, line)+fmt.Sprintf(format, args...))
}

// readDeclarations reads files and folders. A folder is read without its hidden files; a symbolic link
// must not lead out of it.
func readDeclarations(p *cli.Process, paths []string) (*declarations, error) {
	d := &declarations{}
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case path == "-":
			text, err := readAtMost(p.Ctx, p.Stdin, mostFile)
			if err != nil {
				return nil, cli.Fail("", "standard input: %w", err)
			}
			d.read("-", text)
			continue
		case err != nil:
			return nil, cli.Usage("Name files or folders with job files.", "%w", err)
		case !info.IsDir():
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, cli.Fail("", "%w", err)
			}
			d.read(path, text)
			continue
		}
		root, err := os.OpenRoot(path)
		if err == nil {
			err = errors.Join(d.folder(root, path), root.Close())
		}
		if err != nil {
			return nil, cli.Fail("", "%w", err)
		}
	}
	seen := map[string]*declared{}
	for _, job := range d.jobs {
		if before := seen[job.job]; before != nil {
			d.wrong(job.file, job.line, "job %q is declared in %s:%d, too", job.job, before.file, before.line)
		}
		seen[job.job] = job
	}
	if len(d.problems) > 0 {
		slices.Sort(d.problems)
		return nil, cli.Usage("Nothing was written. Correct the files.", "%s:\n%s", count(len(d.problems), "mistake"), firstOf(d.problems))
	}
	return d, nil
}

func (d *declarations) folder(root *os.Root, path string) error {
	return fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		hidden := strings.HasPrefix(entry.Name(), ".") && name != "."
		switch extension := filepath.Ext(name); {
		case err != nil:
			return err
		case hidden && entry.IsDir():
			return fs.SkipDir
		case hidden || entry.IsDir() || extension != ".yaml" && extension != ".yml":
			return nil
		}
		file, err := root.Open(name) // An error if a symbolic link leads out of the folder.
		if err != nil {
			d.wrong(filepath.Join(path, name), 1, "%v", err)
			return nil
		}
		defer file.Close()
		text, err := io.ReadAll(io.LimitReader(file, mostFile+1))
		if err != nil {
			return err
		}
		d.read(filepath.Join(path, name), text)
		return nil
	})
}

// read reads the documents of a file.
func (d *declarations) read(file string, text []byte) {
	if len(text) > mostFile {
		d.wrong(file, 1, "the file has more than %d MiB", mostFile>>20)
		return
	}
	decoder := yaml.NewDecoder(strings.NewReader(string(text)))
	for {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			line, text := 1, strings.TrimPrefix(err.Error(), "yaml: ")
			if n, scanErr := fmt.Sscanf(text, "line %d:", &line); n == 1 && scanErr == nil {
				_, text, _ = strings.Cut(text, ": ")
			}
			d.wrong(file, line, "%s", text)
			return
		}
		jobs := under(under(document.Content[0], "elasticjob"), "jobs")
		if jobs == nil || jobs.Kind != yaml.MappingNode {
			d.wrong(file, document.Content[0].Line, "elasticjob.jobs is missing: a job file has jobs by their names there")
			continue
		}
		for pair := range slices.Chunk(jobs.Content, 2) {
			d.declare(file, pair[0], pair[1])
		}
	}
}

// under returns the value of a key, nil if there is none.
func under(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for pair := range slices.Chunk(n.Content, 2) {
		if pair[0].Value == key {
			return pair[1]
		}
	}
	return nil
}

// declare reads the declaration of a job.
func (d *declarations) declare(file string, name, value *yaml.Node) {
	job := &declared{job: name.Value, file: file, line: name.Line, body: map[string]any{}, lines: map[string]int{}}
	if err := jobtree.ValidateNodeName(job.job); err != nil {
		d.wrong(file, name.Line, "job %q: %v", job.job, err)
		return
	}
	if value.Kind != yaml.MappingNode {
		d.wrong(file, name.Line, "job %q is no object", job.job)
		return
	}
	for pair := range slices.Chunk(value.Content, 2) {
		key, at := pair[0].Value, pair[0].Line
		switch {
		case key == "elasticJobClass":
			job.class = pair[1].Value
			continue
		case slices.Contains(unstoredKeys, key):
			continue
		case defaults[key] == nil:
			text := "the key %q can't be stored"
			if nearest := spelling.Nearest(key, configNames()); nearest != "" {
				text += fmt.Sprintf("; did you mean %s?", nearest)
			} else {
				text += "; keys of a job file that only agents in Go have are properties of a configuration, such as props.schedule.zone"
			}
			d.wrong(file, at, "job %q: "+text, job.job, key)
			continue
		}
		if _, twice := job.lines[key]; twice {
			d.wrong(file, at, "job %q: the key %s is there twice", job.job, key)
			continue
		}
		job.lines[key] = at
		var decoded any
		if err := pair[1].Decode(&decoded); err != nil {
			d.wrong(file, at, "job %q: %s: %v", job.job, key, err)
			continue
		}
		if key == "props" {
			decoded = d.props(job, pair[1])
		}
		job.body[key] = decoded
	}
	if job.lines["shardingTotalCount"] == 0 {
		d.wrong(file, name.Line, "job %q: shardingTotalCount is missing", job.job)
	}
	d.jobs = append(d.jobs, job)
}

func configNames() []string {
	return append(slices.Sorted(maps.Keys(defaults)), unstoredKeys...)
}

// props flattens nested properties: http: {uri: …} is http.uri.
func (d *declarations) props(job *declared, n *yaml.Node) map[string]string {
	flat := map[string]string{}
	var walk func(prefix string, n *yaml.Node)
	walk = func(prefix string, n *yaml.Node) {
		for pair := range slices.Chunk(n.Content, 2) {
			key := prefix + pair[0].Value
			job.lines["props."+key] = pair[0].Line
			switch pair[1].Kind {
			case yaml.ScalarNode:
				flat[key] = pair[1].Value
			case yaml.MappingNode:
				walk(key+".", pair[1])
			default:
				d.wrong(job.file, pair[0].Line, "job %q: props.%s is no text", job.job, key)
			}
		}
	}
	if n.Kind != yaml.MappingNode {
		d.wrong(job.file, n.Line, "job %q: props is no object", job.job)
		return flat
	}
	walk("", n)
	return flat
}

// json returns the declaration as the REST interface takes it. Keys that the file leaves out have
// their defaults, as with an agent that starts.
func (d *declared) json() map[string]any {
	body := map[string]any{}
	if !d.exact {
		body = maps.Clone(defaults)
	}
	maps.Copy(body, d.body)
	body["jobName"] = d.job
	return body
}
