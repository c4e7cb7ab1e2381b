package consoletest

import (
	"cmp"
	"context"
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// Views are those of everybody first.
func (f *FakeSettings) Views(_ context.Context, owner, area string) (list []settings.View, err error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	for _, of := range slices.Compact([]string{"", owner}) {
		for _, v := range f.Saved {
			if v.Owner == of && v.Area == area {
				list = append(list, v)
			}
		}
	}
	return list, cmp.Or(f.err, f.ViewsErr)
}

func (f *FakeSettings) AddView(_ context.Context, v settings.View) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	n, err := 0, cmp.Or(f.err, f.ViewsErr)
	for _, known := range f.Saved {
		if known.Owner == v.Owner && known.Area == v.Area {
			if n++; known.Name == v.Name && err == nil {
				return settings.ErrExists
			}
		}
	}
	switch {
	case err != nil:
		return err
	case n >= settings.MaxViews:
		return settings.ErrTooMany
	}
	f.Saved = append(f.Saved, v)
	return nil
}

func (f *FakeSettings) RemoveView(_ context.Context, owner, area, name string) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if err := cmp.Or(f.err, f.ViewsErr); err != nil {
		return err
	}
	before := len(f.Saved)
	f.Saved = slices.DeleteFunc(f.Saved, func(v settings.View) bool { return v.Owner == owner && v.Area == area && v.Name == name })
	if len(f.Saved) == before {
		return settings.ErrNotFound
	}
	return nil
}
