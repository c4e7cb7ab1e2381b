package events

import (
	"slices"
	"testing"
)

func TestBox(t *testing.T) {
	t.Parallel()
	b := NewBox([]Topic{{Region: "outage", On: Connection}, {Region: "state", On: Jobs | Runs, Job: "mail"}, {Region: "runs", On: Runs, Job: "mail"}})
	for name, tt := range map[string]struct {
		change []Change
		want   []string
	}{
		"nothing":               {nil, nil},
		"the job":               {[]Change{{Jobs, "mail"}}, []string{"state"}},
		"the job, many times":   {[]Change{{Jobs, "mail"}, {Jobs, "mail"}, {Jobs, "mail"}}, []string{"state"}},
		"its runs":              {[]Change{{Runs, "mail"}}, []string{"runs", "state"}},
		"another job":           {[]Change{{Jobs, "sms"}, {Runs, "sms"}}, nil},
		"which jobs there are":  {[]Change{{Jobs, ""}}, []string{"state"}},
		"the connection":        {[]Change{{Connection, ""}}, []string{"outage"}},
		"everything":            {[]Change{{Jobs | Runs | Connection, ""}}, []string{"outage", "runs", "state"}},
		"the job and the other": {[]Change{{Jobs, "sms"}, {Jobs, "mail"}}, []string{"state"}},
	} {
		for _, c := range tt.change {
			b.Note(c)
		}
		select {
		case <-b.Wake():
			if len(tt.want) == 0 {
				t.Errorf("%s: wakes for nothing", name)
			}
		default:
			if len(tt.want) > 0 {
				t.Errorf("%s: does not wake", name)
			}
		}
		if got := b.Take(); !slices.Equal(got, tt.want) && len(got)+len(tt.want) > 0 {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
