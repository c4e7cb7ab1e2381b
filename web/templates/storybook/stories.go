package storybook

import (
	"fmt"

	"github.com/a-h/templ"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// story is a component in the states it can have.
type story struct {
	id, name string
	body     templ.Component
}

// sample is a text of the sample data, which no page has.
func sample(l i18n.Lang, en, zh string) string {
	if l == i18n.Chinese {
		return zh
	}
	return en
}

func stories(l i18n.Lang) []story {
	w := func(en, zh string) string { return sample(l, en, zh) }
	return []story{
		{"states", "State, Chip, Glyph", states(stateList(l))},
		{"notes", "Note, Problem, Flash", notes(noteList(l), ui.Problem{
			Title: w("The runs could not be read.", "无法读取运行记录。"), Text: w("The database does not answer.", "数据库无响应。"), Again: w("Try again", "重试"), Href: "/",
		})},
		{"buttons", "Button, Menu", buttons(buttonList(l), menuOf(l))},
		{"tabs", "ViewTabs, PageTabs, Seg", tabs(viewList(l), pageTabs(l))},
		{"facts", "Facts, Tag, Kbd, Time, Duration", facts(factList(l), ui.Duration{ISO: "PT3M23S", Text: "3 min 23 s", Title: "203.4 s"})},
		{"diff", "Diff", ui.Diff(w("Changes of the configuration", "配置的更改"), diffLines())},
		{"waiting", "Empty", ui.EmptyView(ui.Empty{
			Heading: w("No job has failed.", "没有失败的作业。"), Text: w("Jobs whose last run failed stand here.", "最近一次运行失败的作业显示在这里。"), Href: "/", Label: w("All jobs", "全部作业"),
		})},
		{"strip", "Strip", strips(stripList(l))},
		{"share", "Share", chart.ShareView(chart.Share{Label: w("2,008 jobs by state", "2,008 个作业，按状态"), Parts: []chart.Part{
			{Tone: ui.ToneBad, Count: 32}, {Tone: ui.ToneWarn, Count: 6}, {Tone: ui.ToneRun, Count: 17}, {Tone: ui.ToneOff, Count: 12}, {Tone: ui.ToneOK, Count: 1941},
		}})},
		{"bars", "Bars", bars(barsOfADay(l), l)},
		{"lanes", "Lanes", chart.LanesView(lanesOfARun(l))},
		{"grid", "Grid", chart.GridView(gridOfAJob(l))},
	}
}

func stateList(l i18n.Lang) []ui.State {
	w := func(en, zh string) string { return sample(l, en, zh) }
	return []ui.State{
		{Tone: ui.ToneOK, Label: w("Healthy", "正常")},
		{Tone: ui.ToneRun, Label: w("Running", "运行中"), Reason: w("7 of 24 shards running", "7/24 个分片正在运行")},
		{Tone: ui.ToneWarn, Label: w("Late", "延迟"), Reason: w("waits for resharding", "等待重新分片")},
		{Tone: ui.ToneBad, Label: w("Failing", "持续失败"), Reason: "4 · mail 503"},
		{Tone: ui.ToneLost, Label: w("Lost", "丢失"), Reason: w("10.0.3.22 ended", "10.0.3.22 已下线")},
		{Tone: ui.ToneOff, Label: w("Disabled", "已禁用"), Reason: "root: INC-4821"},
		{Tone: ui.ToneSkip, Label: w("Skipped", "已跳过")},
		{Tone: ui.ToneQuiet, Label: w("Unassigned", "未分配")},
	}
}

func noteList(l i18n.Lang) []ui.Note {
	w := func(en, zh string) string { return sample(l, en, zh) }
	var list []ui.Note
	for _, s := range stateList(l) {
		list = append(list, ui.Note{Tone: s.Tone, Title: s.Label, Text: w("A message within a page, in a sentence.", "页面中的一条消息，一句话。")})
	}
	list[3].Action = &ui.Button{Label: w("Explain", "诊断"), Href: "/", Small: true}
	return list
}

func buttonList(l i18n.Lang) []ui.Button {
	w := func(en, zh string) string { return sample(l, en, zh) }
	return []ui.Button{
		{Kind: ui.ButtonMain, Label: w("Trigger…", "触发…"), Href: "/"},
		{Label: w("Explain", "诊断"), Href: "/"},
		{Label: w("Fleet", "服务器与实例"), Icon: "fleet", Href: "/"},
		{Kind: ui.ButtonQuiet, Label: w("Pause", "暂停"), Href: "/"},
		{Kind: ui.ButtonDanger, Label: w("Stop instances…", "终止实例…"), Href: "/"},
		{Kind: ui.ButtonSolid, Label: w("Delete job", "删除作业"), Href: "/"},
		{Small: true, Label: w("Open 24 jobs", "打开 24 个作业"), Href: "/"},
		{Label: w("Enable", "启用"), Disabled: w("the job is enabled", "作业已启用")},
	}
}

func menuOf(l i18n.Lang) ui.Menu {
	return ui.Menu{Label: sample(l, "More for invoices", "invoices 的更多操作"), Entries: []ui.MenuEntry{
		{Label: sample(l, "Explain", "诊断"), Href: "/"}, {Label: sample(l, "Stop instances…", "终止实例…"), Href: "/", Danger: true},
	}}
}

func viewList(l i18n.Lang) []ui.Tab {
	list := []ui.Tab{{Label: sample(l, "All", "全部"), Href: "/", Count: "2,008", Active: true}}
	for i, s := range stateList(l) {
		list = append(list, ui.Tab{Label: s.Label, Href: "/", Count: fmt.Sprint(3 * (i + 1)), Tone: s.Tone})
	}
	return list
}

func pageTabs(l i18n.Lang) []ui.Tab {
	w := func(en, zh string) string { return sample(l, en, zh) }
	return []ui.Tab{
		{Label: w("Overview", "总览"), Href: "/", Active: true}, {Label: w("Runs", "运行记录"), Href: "/", Count: "38"},
		{Label: w("Shards", "分片"), Href: "/", Count: "24"}, {Label: w("Explain", "诊断"), Href: "/", Tone: ui.ToneBad},
	}
}

func factList(l i18n.Lang) []ui.Fact {
	w := func(en, zh string) string { return sample(l, en, zh) }
	return []ui.Fact{
		{Label: w("Trigger", "触发方式"), Value: w("Schedule", "定时")},
		{Label: w("Instance", "实例"), Value: "10.0.3.21@-@118", Mono: true},
		{Label: w("Failover", "失效转移"), Value: w("on", "开"), Note: w("2 shards since 02:31", "02:31 起 2 个分片")},
	}
}

func diffLines() []ui.DiffLine {
	return []ui.DiffLine{
		{No: "6", Text: "shardingTotalCount: 8"},
		{No: "7", Kind: ui.DiffRemoved, Text: "cron: 0 0/10 * * * ?"},
		{No: "7", Kind: ui.DiffAdded, Text: "cron: 17 0/10 * * * ?"},
		{No: "8", Text: "failover: true"},
	}
}
