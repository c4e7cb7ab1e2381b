// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// GridAll is "All runs".
func (l Lang) GridAll() string {
	if l == Chinese {
		return "全部运行"
	}
	return "All runs"
}

// GridFailed is "failed".
func (l Lang) GridFailed() string {
	if l == Chinese {
		return "失败"
	}
	return "failed"
}

// GridHint is "column = run, row = shard; pick one to open it".
func (l Lang) GridHint() string {
	if l == Chinese {
		return "列为运行，行为分片；点击可打开"
	}
	return "column = run, row = shard; pick one to open it"
}

// GridLabel is "The last {n, number} runs of {job}: {failed, number} failed or lost".
func (l Lang) GridLabel(n int, job string, failed int) string {
	if l == Chinese {
		return job + " 最近 " + number(n) + " 次运行：失败或丢失 " + number(failed) + " 次"
	}
	return "The last " + number(n) + " runs of " + job + ": " + number(failed) + " failed or lost"
}

// GridLast is "{n, plural, one {last run} other {last #}}".
func (l Lang) GridLast(n int) string {
	if l == Chinese {
		return "最近 " + number(n) + " 次"
	}
	if n == 1 {
		return "last run"
	}
	return "last " + number(n)
}

// GridLeftOut is "{n, plural, one {# more shard succeeded in all of them} other {# more shards succeeded in all of them}}".
func (l Lang) GridLeftOut(n int) string {
	if l == Chinese {
		return "另有 " + number(n) + " 个分片在这些运行中全部成功"
	}
	if n == 1 {
		return number(n) + " more shard succeeded in all of them"
	}
	return number(n) + " more shards succeeded in all of them"
}

// GridLongest is "longest {took}".
func (l Lang) GridLongest(took string) string {
	if l == Chinese {
		return "最长 " + took
	}
	return "longest " + took
}

// GridRun is "{time}: {state}, {took}, {shards}".
func (l Lang) GridRun(time string, state string, took string, shards string) string {
	if l == Chinese {
		return time + "：" + state + "，" + took + "，" + shards
	}
	return time + ": " + state + ", " + took + ", " + shards
}

// GridSpanMore is "the newest {n, plural, one {run} other {# runs}} of the last {span}; there are more".
func (l Lang) GridSpanMore(n int, span string) string {
	if l == Chinese {
		return "最近 " + span + " 中最新的 " + number(n) + " 次运行；还有更多"
	}
	if n == 1 {
		return "the newest run of the last " + span + "; there are more"
	}
	return "the newest " + number(n) + " runs of the last " + span + "; there are more"
}

// GridSpanNone is "No run in the last {span}.".
func (l Lang) GridSpanNone(span string) string {
	if l == Chinese {
		return "最近 " + span + " 内没有运行。"
	}
	return "No run in the last " + span + "."
}

// GridSpanSub is "{n, plural, one {# run} other {# runs}} of the last {span}, newest at the right".
func (l Lang) GridSpanSub(n int, span string) string {
	if l == Chinese {
		return "最近 " + span + " 的 " + number(n) + " 次运行，最新的在右侧"
	}
	if n == 1 {
		return number(n) + " run of the last " + span + ", newest at the right"
	}
	return number(n) + " runs of the last " + span + ", newest at the right"
}

// GridSub is "{n, plural, one {the last run} other {the last # runs}}, newest at the right".
func (l Lang) GridSub(n int) string {
	if l == Chinese {
		return "最近 " + number(n) + " 次运行，最新的在右侧"
	}
	if n == 1 {
		return "the last run, newest at the right"
	}
	return "the last " + number(n) + " runs, newest at the right"
}

// GridTitle is "Run grid".
func (l Lang) GridTitle() string {
	if l == Chinese {
		return "运行网格"
	}
	return "Run grid"
}
