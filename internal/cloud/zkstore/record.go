package zkstore

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

type node struct {
	exists bool
	data   []byte
	stat   zk.Stat
}

type record struct {
	kind     cloud.Kind
	name     string
	doc      node // upstream's document
	ext      node // our additional one
	status   node // of a job
	disabled node // the operator's switch
	anchor   node // the root of the extension
	// switches is the last transaction that set or removed a switch of any job, because a removal
	// leaves no other trace.
	switches int64
}

// compatField is a job's field that is combined from two documents.
const compatField = "compat"

// Upstream's documents have the fields that upstream knows, ours all others.
var (
	appFields = []string{"appName", "appURL", "bootstrapScript", "cpuCount", "memoryMB", "appCacheEnable", "eventTraceSamplingCount"}
	jobFields = []string{
		"appName", "cpuCount", "memoryMB", "jobExecutionType", "jobName", "cron", "shardingTotalCount",
		"shardingItemParameters", "jobParameter", "monitorExecution", "failover", "misfire", "maxTimeDiffSeconds",
		"reconcileIntervalMinutes", "jobShardingStrategyType", "jobExecutorServiceHandlerType", "jobErrorHandlerType",
		"description", "props", "overwrite",
	}
)

// disabledField is also in documents of upstream's jobs.
const disabledField = "disabled"

func upstreamField(fields []string) func(string) bool {
	return func(key string) bool { return slices.Contains(fields, key) }
}

func extensionField(fields []string) func(string) bool {
	return func(key string) bool {
		return key != compatField && key != disabledField && !slices.Contains(fields, key)
	}
}

func only(field string) func(string) bool { return func(key string) bool { return key == field } }

func every(string) bool { return true }

// current reports whether our node belongs to the document. An older node belongs to an earlier job
// of the same name that was deleted without us.
func (r *record) current(n node) bool { return n.exists && n.stat.Czxid >= r.doc.stat.Czxid }

// document parses our node. It returns an empty document if the node isn't current.
func (r *record) document(n node) (*jobtree.CloudDocument, error) {
	if !r.current(n) || len(n.data) == 0 {
		return jobtree.NewCloudJSON(), nil
	}
	return jobtree.ParseCloudDocument(n.data)
}

// version identifies the state of the record, including its status.
func (r *record) version() string {
	part := func(n node) int64 {
		if r.current(n) {
			return n.stat.Mzxid
		}
		return 0
	}
	return fmt.Sprintf("%x.%x.%x.%t", r.doc.stat.Mzxid, part(r.ext), part(r.status), r.disabled.exists)
}

// revision grows with every change of the record.
func (r *record) revision() int64 {
	return max(r.doc.stat.Mzxid, r.ext.stat.Mzxid, r.status.stat.Mzxid, r.switches)
}

// uid changes when the document is deleted and created again.
func (r *record) uid() string { return strconv.FormatInt(r.doc.stat.Czxid, 16) }

func (r *record) changed() time.Time {
	last := r.doc.stat.Mtime
	if r.current(r.ext) && r.ext.stat.Mtime.After(last) {
		last = r.ext.stat.Mtime
	}
	return last.UTC()
}

func (r *record) app() (cloud.App, error) {
	a := cloud.NewApp(r.name)
	doc, err := jobtree.ParseCloudDocument(r.doc.data)
	if err != nil {
		return cloud.App{Name: r.name}, r.unreadable("document of application", err)
	}
	ext, err := r.document(r.ext)
	if err == nil {
		err = cmp.Or(doc.Read(&a, upstreamField(appFields)), ext.Read(&a, extensionField(appFields)))
	}
	if err != nil {
		return cloud.App{Name: r.name}, r.unreadable("document of application", err)
	}
	a.Name, a.Disabled = r.name, r.disabled.exists
	return a, nil
}

// unreadable refuses a node with a document that this version can't read.
func (r *record) unreadable(part string, err error) error {
	return fmt.Errorf("%s %q: %w: %w", part, r.name, err, cloud.ErrRefused)
}

func (r *record) definition() (cloud.Definition, error) {
	d := cloud.Definition{Job: cloud.Job{Name: r.name}}
	doc, err := jobtree.ParseCloudDocument(r.doc.data)
	if err != nil {
		return d, r.unreadable("document of job", err)
	}
	job := cloud.NewJob(r.name, "", 0)
	ext, err := r.document(r.ext)
	var ours cloud.Job
	if err == nil {
		err = cmp.Or(
			doc.Read(&job, upstreamField(jobFields)), doc.Read(&job, only(disabledField)),
			ext.Read(&job, extensionField(jobFields)), ext.Read(&ours, only(compatField)),
		)
	}
	if err != nil {
		return d, r.unreadable("document of job", err)
	}
	job.Name, job.Disabled = r.name, job.Disabled || r.disabled.exists
	job.Compat = doc.Texts(&cloud.Job{})
	maps.Copy(job.Compat, ours.Compat)
	if len(job.Compat) == 0 {
		job.Compat = nil
	}
	status, err := r.document(r.status)
	if err == nil {
		err = status.Read(&d.Status, every)
	}
	if err != nil {
		return cloud.Definition{Job: cloud.Job{Name: r.name}}, r.unreadable("status of job", err)
	}
	d.Job, d.UID, d.Version, d.Revision = job, r.uid(), r.version(), r.revision()
	d.Created, d.Changed = r.doc.stat.Ctime.UTC(), r.changed()
	return d, nil
}

// documents has the nodes' new contents, nil for unchanged nodes.
type documents struct{ doc, ext, status []byte }

// encodeApp returns the documents to write so that the record changes from before to after.
func (r *record) encodeApp(before, after *cloud.App) (documents, error) {
	var d documents
	doc, ext, err := r.parsed()
	if err != nil {
		return d, err
	}
	if !r.doc.exists {
		before = nil
	}
	err = cmp.Or(
		writeFields(doc, before, after, upstreamField(appFields)),
		writeFields(ext, before, after, extensionField(appFields)),
	)
	if err != nil {
		return d, err
	}
	d.doc, d.ext, err = encoded(doc, ext)
	return d, err
}

func (r *record) encodeJob(before, after *cloud.Definition) (documents, error) {
	var d documents
	doc, ext, err := r.parsed()
	if err != nil {
		return d, err
	}
	var old *cloud.Job
	if r.doc.exists {
		old = &before.Job
	}
	err = cmp.Or(
		writeFields(doc, old, &after.Job, upstreamField(jobFields)),
		writeFields(ext, old, &after.Job, extensionField(jobFields)),
		r.writeDisabled(doc, after.Job.Disabled),
		writeCompat(doc, ext, after.Job.Compat),
	)
	if err != nil {
		return d, err
	}
	status, err := r.document(r.status)
	if err != nil {
		return d, r.unreadable("status of job", err)
	}
	if err := writeFields(status, &before.Status, &after.Status, every); err != nil {
		return d, err
	}
	if d.doc, d.ext, err = encoded(doc, ext); err != nil {
		return d, err
	}
	if status.Changed() {
		d.status, err = status.Encode()
	}
	return d, err
}

func (r *record) parsed() (doc, ext *jobtree.CloudDocument, err error) {
	doc = new(jobtree.CloudDocument)
	if r.doc.exists {
		if doc, err = jobtree.ParseCloudDocument(r.doc.data); err != nil {
			return nil, nil, fmt.Errorf("document of %s %q: %w", r.kind, r.name, err)
		}
	}
	if ext, err = r.document(r.ext); err != nil {
		return nil, nil, fmt.Errorf("our document of %s %q: %w", r.kind, r.name, err)
	}
	return doc, ext, nil
}

// writeDisabled corrects a document that disables an enabled job. A new document has the field like
// upstream's, but the switch decides.
func (r *record) writeDisabled(doc *jobtree.CloudDocument, disabled bool) error {
	var said cloud.Job
	if err := doc.Read(&said, only(disabledField)); err != nil || !r.doc.exists || said.Disabled && !disabled {
		return doc.Write(nil, &cloud.Job{}, only(disabledField))
	}
	return nil
}

// writeCompat writes the values that aren't in upstream's document into ours.
func writeCompat(doc, ext *jobtree.CloudDocument, compat map[string]string) error {
	said := doc.Texts(&cloud.Job{})
	ours := make(map[string]string)
	for key, value := range said {
		if _, ok := compat[key]; !ok {
			doc.Remove(key)
		} else if compat[key] != value {
			ours[key] = compat[key]
		}
	}
	for key, value := range compat {
		if _, ok := said[key]; !ok {
			ours[key] = value
		}
	}
	var stored cloud.Job
	if err := ext.Read(&stored, only(compatField)); err != nil {
		return err
	}
	return ext.Write(&stored, &cloud.Job{Compat: ours}, only(compatField))
}

func writeFields[T any](d *jobtree.CloudDocument, before, after *T, fields func(string) bool) error {
	if before == nil {
		return d.Write(nil, after, fields)
	}
	return d.Write(before, after, fields)
}

func encoded(doc, ext *jobtree.CloudDocument) (docData, extData []byte, err error) {
	if doc.Changed() {
		if docData, err = doc.Encode(); err != nil {
			return nil, nil, err
		}
	}
	if ext.Changed() {
		extData, err = ext.Encode()
	}
	return docData, extData, err
}

// same compares encoded values, because a time has several forms in memory.
func same(a, b any) bool {
	if reflect.DeepEqual(a, b) {
		return true
	}
	left, leftErr := json.Marshal(a)
	right, rightErr := json.Marshal(b)
	return leftErr == nil && rightErr == nil && string(left) == string(right)
}
