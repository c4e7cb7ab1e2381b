package storybook

import (
	"fmt"
	"strconv"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// wave is a number between 0 and 1 that looks like measured data and is always the
// same.
func wave(i int) float64 { return 0.35 + float64(i*7919%53)/90 }

// stripList is a strip of each kind of run, and one without runs.
func stripList(l i18n.Lang) (list []ui.Strip) {
	for _, tone := range []ui.Tone{ui.ToneOK, ui.ToneBad, ui.ToneRun, ui.ToneOff} {
		strip := ui.Strip{Label: fmt.Sprintf(sample(l, "20 runs, the last 4 %s", "20 次运行，最近 4 次 %s"), tone), Href: "/"}
		for i := range 20 {
			run := ui.Bar{Tone: ui.ToneOK, Height: int(ui.MaxBar * wave(i))}
			if i >= 16 {
				run.Tone = tone
			}
			strip.Bars = append(strip.Bars, run)
		}
		list = append(list, strip)
	}
	return append(list, ui.Strip{Label: sample(l, "no runs", "没有运行")})
}

// barsOfADay has an hour that was not recorded and failures at its end.
func barsOfADay(l i18n.Lang) chart.Bars {
	b := chart.Bars{
		Label: sample(l, "38,914 runs in 24 hours, 611 failed and 37 lost", "24 小时 38,914 次运行，失败 611 次，丢失 37 次"),
		Axis:  []chart.Tick{{At: 0, Label: "03:00"}, {At: 0.25, Label: "09:00"}, {At: 0.5, Label: "15:00"}, {At: 0.75, Label: "21:00"}, {At: 1, Label: sample(l, "now", "现在")}},
	}
	for i := range 24 {
		c := chart.Column{OK: 1500 + int(200*wave(i)), Bad: i % 4, Title: fmt.Sprintf("%02d:00", (i+3)%24), Unknown: i == 9, Href: "/"}
		if i >= 22 {
			c.Bad, c.Lost = 180*(i-21), 37*(i-22)
		}
		b.Columns = append(b.Columns, c)
	}
	return b
}

// lanesOfARun has attempts, waiting, a loss and a failover.
func lanesOfARun(l i18n.Lang) chart.Lanes {
	w := func(en, zh string) string { return sample(l, en, zh) }
	return chart.Lanes{
		Label: w("Shards of the run, slowest first", "本次运行的分片，最慢的在前"),
		Axis:  []chart.Tick{{At: 0, Label: "02:30:00"}, {At: 0.5, Label: "02:31:40"}, {At: 1, Label: "02:33:20"}},
		Lines: []chart.Tick{{At: 0.42, Label: "10.0.3.22"}},
		Lanes: []chart.Lane{
			{Label: w("shard 5", "分片 5"), Href: "/", Tone: ui.ToneBad, Note: "503 Service Unavailable", Spans: []chart.Span{
				{From: 0.02, To: 0.2, Tone: ui.ToneBad, Text: "1", Title: w("attempt 1, failed", "第 1 次尝试，失败")}, {From: 0.2, To: 0.3, Wait: true},
				{From: 0.3, To: 0.55, Tone: ui.ToneBad, Text: "2"}, {From: 0.55, To: 0.7, Wait: true}, {From: 0.7, To: 0.98, Tone: ui.ToneBad, Text: "3"},
			}},
			{Label: w("shard 2", "分片 2"), Href: "/", Tone: ui.ToneLost, Note: w("failed over after 4 s", "4 秒后失效转移"), Spans: []chart.Span{
				{From: 0.02, To: 0.42, Tone: ui.ToneLost}, {From: 0.46, To: 0.9, Tone: ui.ToneWarn, Text: "2"},
			}},
			{Label: w("shard 0", "分片 0"), Href: "/", Tone: ui.ToneOK, Note: "1 min 04 s", Spans: []chart.Span{{From: 0.02, To: 0.34, Tone: ui.ToneOK, Text: "1"}}},
			{Label: w("shard 1", "分片 1"), Href: "/", Tone: ui.ToneRun, Note: w("running", "运行中"), Spans: []chart.Span{{From: 0.02, To: 1, Tone: ui.ToneRun, Text: "1"}}},
		},
	}
}

// gridOfAJob is 38 runs of six shards.
func gridOfAJob(l i18n.Lang) chart.Grid {
	g := chart.Grid{Label: sample(l, "38 runs by shard", "38 次运行，按分片"), Longest: sample(l, "longest 3:31", "最长 3:31")}
	for i := range 6 {
		g.Rows = append(g.Rows, chart.GridRow{Label: strconv.Itoa(i) + " Berlin", Bad: i == 5})
	}
	for i := range 38 {
		run := chart.GridRun{Href: "/", Title: fmt.Sprintf(sample(l, "run %d", "第 %d 次运行"), i+1), Tone: ui.ToneOK, Duration: wave(i)}
		if i%10 == 0 {
			run.Tick = fmt.Sprintf("%02d:40", i/10)
		}
		for row := range g.Rows {
			tone := ui.ToneOK
			if i > 33 && row == 5 {
				tone, run.Tone = ui.ToneBad, ui.ToneBad
			} else if (i+row)%19 == 0 {
				tone = ui.Tones[(i+row)/19%len(ui.Tones)]
			}
			run.Cells = append(run.Cells, tone)
		}
		g.Runs = append(g.Runs, run)
	}
	return g
}
