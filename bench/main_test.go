package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestSelected: groups and parts of groups are measured once each, a group that is named
// itself as a whole, and what there is not is named with what there is.
func TestSelected(t *testing.T) {
	t.Parallel()
	for only, want := range map[string]struct {
		groups []string
		parts  map[string][]string
		err    string
	}{
		"fire":                            {groups: []string{"fire"}},
		"runs/rate,late,runs/lost":        {groups: []string{"runs", "late"}, parts: map[string][]string{"runs": {"rate", "lost"}}},
		"runs/rate,runs,query/requested":  {groups: []string{"runs", "query"}, parts: map[string][]string{"query": {"requested"}}},
		"cloud/fire,cloud/crash":          {groups: []string{"cloud"}, parts: map[string][]string{"cloud": {"fire", "crash"}}},
		"scale/bell":                      {groups: []string{"scale"}, parts: map[string][]string{"scale": {"bell"}}},
		"runs/nope":                       {err: `group runs has no part "nope"; its parts are submit, `},
		"fire/n1":                         {err: `group fire has no parts; ask for "fire" as a whole`},
		"nope/rate":                       {err: `there is no group "nope"; the groups are fire, `},
		"record/lines,record/executions,": {err: `there is no group ""`},
	} {
		list, parts, err := selected(only)
		if want.err != "" {
			if err == nil || !strings.Contains(err.Error(), want.err) {
				t.Errorf("%q: error %v, want %q", only, err, want.err)
			}
			continue
		}
		var names []string
		for _, g := range list {
			names = append(names, g.name)
		}
		if err != nil || !slices.Equal(names, want.groups) || !maps.EqualFunc(parts, want.parts, slices.Equal) {
			t.Errorf("%q: %v, %v, %v", only, names, parts, err)
		}
	}
	if list, parts, err := selected(""); len(list) != len(groups)-1 || slices.ContainsFunc(list, func(g group) bool { return g.apart }) || parts != nil || err != nil {
		t.Errorf("nothing said: %d groups, %v, %v", len(list), parts, err)
	}
}

// TestWants: without a choice every part is measured.
func TestWants(t *testing.T) {
	t.Parallel()
	b := &bench{parts: map[string][]string{"runs": {"rate"}}}
	if !b.wants("runs", "rate") || b.wants("runs", "lost") || !b.wants("query", "requested") {
		t.Errorf("%v", b.parts)
	}
}

// TestLoadBounds: the length of a load has bounds, and a document no table of parts.
func TestLoadBounds(t *testing.T) {
	t.Parallel()
	for load, only := range map[string]string{"load: 1ns": "", "write: \"runs/rate\"": "runs/rate"} {
		b := &bench{load: 1}
		if only != "" {
			b.load = loadLeast
		}
		if err := b.run(t.Context(), only, "", "document", false); err == nil || !strings.Contains(err.Error(), load) {
			t.Errorf("error %v, want %q", err, load)
		}
	}
}
