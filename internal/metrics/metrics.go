// Package metrics counts, and writes the counts as Prometheus reads them. A program that needs no
// more than that doesn't link Prometheus' own library.
//
//	Set ──▶ Family ──▶ Series
//	  └── ServeHTTP ──▶ GET /metrics
package metrics

import (
	"bufio"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Kind is the kind of a metric, as Prometheus names it.
type Kind string

// The kinds.
const (
	Counter   Kind = "counter"
	Gauge     Kind = "gauge"
	Histogram Kind = "histogram"
)

// Set is a set of metrics. It's safe for concurrent use once all metrics are added.
type Set struct{ families []*Family }

// Family is a metric with its series.
type Family struct {
	Name, Help string
	Kind       Kind
	Labels     []string
	buckets    []float64
	value      func() float64 // of the only series; nil if the series are counted

	mu     sync.Mutex
	series map[string]*Series // by the values of the labels
}

// Series is a metric for certain values of its labels.
type Series struct {
	family *Family
	values []string
	value  float64
	counts []uint64 // by bucket, and one for larger values
	total  uint64
}

// Sample is the state of a series.
type Sample struct {
	Labels []string // the values, in the order of the family's labels
	// Value is the sum of a histogram.
	Value float64
	Count uint64
	// Buckets has the counts of values up to a bound.
	Buckets map[float64]uint64
}

// Add adds a metric. Buckets are the bounds of a histogram in ascending order.
func (s *Set) Add(kind Kind, name, help string, buckets []float64, labels ...string) *Family {
	f := &Family{Name: name, Help: help, Kind: kind, Labels: labels, buckets: buckets, series: map[string]*Series{}}
	s.families = append(s.families, f)
	return f
}

// AddFunc adds a metric of one series, which asks for its value.
func (s *Set) AddFunc(kind Kind, name, help string, value func() float64) {
	s.Add(kind, name, help, nil).value = value
}

// Families returns the metrics, sorted by their names.
func (s *Set) Families() []*Family {
	return slices.SortedFunc(slices.Values(s.families), func(a, b *Family) int { return strings.Compare(a.Name, b.Name) })
}

// Delete deletes the series of all metrics in which a label has a value.
func (s *Set) Delete(label, value string) {
	for _, f := range s.families {
		if at := slices.Index(f.Labels, label); at >= 0 {
			f.mu.Lock()
			for key, one := range f.series {
				if one.values[at] == value {
					delete(f.series, key)
				}
			}
			f.mu.Unlock()
		}
	}
}

// With returns the series with these values of the labels. It begins with 0.
func (f *Family) With(values ...string) *Series {
	key := strings.Join(values, "\x00")
	f.mu.Lock()
	defer f.mu.Unlock()
	one := f.series[key]
	if one == nil {
		one = &Series{family: f, values: values, counts: make([]uint64, len(f.buckets)+1)}
		f.series[key] = one
	}
	return one
}

// Inc adds 1.
func (s *Series) Inc() { s.Add(1) }

// Add adds a value.
func (s *Series) Add(v float64) {
	s.family.mu.Lock()
	defer s.family.mu.Unlock()
	s.value += v
}

// Set replaces the value of a gauge.
func (s *Series) Set(v float64) {
	s.family.mu.Lock()
	defer s.family.mu.Unlock()
	s.value = v
}

// Observe adds a value to a histogram.
func (s *Series) Observe(v float64) {
	s.family.mu.Lock()
	defer s.family.mu.Unlock()
	at, _ := slices.BinarySearch(s.family.buckets, v)
	s.counts[at]++
	s.total++
	s.value += v
}

// Samples returns the series, sorted by the values of their labels.
func (f *Family) Samples() []Sample {
	if f.value != nil {
		return []Sample{{Value: f.value()}}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []Sample
	for _, one := range f.series {
		sample := Sample{Labels: one.values, Value: one.value, Count: one.total}
		if f.Kind == Histogram {
			sample.Buckets = make(map[float64]uint64, len(f.buckets))
			var below uint64
			for i, bound := range f.buckets {
				below += one.counts[i]
				sample.Buckets[bound] = below
			}
		}
		list = append(list, sample)
	}
	slices.SortFunc(list, func(a, b Sample) int { return slices.Compare(a.Labels, b.Labels) })
	return list
}

// ServeHTTP answers Prometheus.
func (s *Set) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_ = s.Write(w) // A client that has left needs no answer.
}

// Write writes the metrics in Prometheus' text format. A metric without a series is left out.
func (s *Set) Write(to io.Writer) error {
	w := bufio.NewWriter(to)
	for _, f := range s.Families() {
		samples := f.Samples()
		if len(samples) > 0 {
			_, _ = w.WriteString("# HELP " + f.Name + " " + helpEscapes.Replace(f.Help) + "\n# TYPE " + f.Name + " " + string(f.Kind) + "\n")
		}
		for _, one := range samples {
			if f.Kind != Histogram {
				f.line(w, "", one.Labels, "", one.Value)
				continue
			}
			for _, bound := range f.buckets {
				f.line(w, "_bucket", one.Labels, number(bound), float64(one.Buckets[bound]))
			}
			f.line(w, "_bucket", one.Labels, "+Inf", float64(one.Count))
			f.line(w, "_sum", one.Labels, "", one.Value)
			f.line(w, "_count", one.Labels, "", float64(one.Count))
		}
	}
	return w.Flush() // It returns the first error of all writes.
}

var (
	helpEscapes  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	labelEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

// line writes a value. bound is the label le of a bucket.
func (f *Family) line(w *bufio.Writer, suffix string, values []string, bound string, value float64) {
	var pairs []string
	for i, label := range f.Labels {
		pairs = append(pairs, label+`="`+labelEscapes.Replace(values[i])+`"`)
	}
	slices.Sort(pairs)
	if bound != "" {
		pairs = append(pairs, `le="`+bound+`"`)
	}
	labels := ""
	if len(pairs) > 0 {
		labels = "{" + strings.Join(pairs, ",") + "}"
	}
	_, _ = w.WriteString(f.Name + suffix + labels + " " + number(value) + "\n")
}

func number(v float64) string {
	if math.IsInf(v, 1) {
		return "+Inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
