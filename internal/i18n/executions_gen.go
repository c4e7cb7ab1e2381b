// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// ExecutionsCount is "{n, plural, one {# execution} other {# executions}} on this page".
func (l Lang) ExecutionsCount(n int) string {
	if l == Chinese {
		return "本页 " + number(n) + " 条执行明细"
	}
	if n == 1 {
		return number(n) + " execution on this page"
	}
	return number(n) + " executions on this page"
}

// ExecutionsEmpty is "No execution recorded yet.".
func (l Lang) ExecutionsEmpty() string {
	if l == Chinese {
		return "尚无执行记录。"
	}
	return "No execution recorded yet."
}

// ExecutionsEmptyText is "Executions appear here when the agents write to the console's trace database.".
func (l Lang) ExecutionsEmptyText() string {
	if l == Chinese {
		return "实例写入控制台的事件追踪数据库后，执行明细会显示在这里。"
	}
	return "Executions appear here when the agents write to the console's trace database."
}

// ExecutionsFirst is "First".
func (l Lang) ExecutionsFirst() string {
	if l == Chinese {
		return "首页"
	}
	return "First"
}

// ExecutionsNewer is "Newer".
func (l Lang) ExecutionsNewer() string {
	if l == Chinese {
		return "更新的"
	}
	return "Newer"
}

// ExecutionsNext is "Next".
func (l Lang) ExecutionsNext() string {
	if l == Chinese {
		return "下一页"
	}
	return "Next"
}

// ExecutionsNoMatch is "No execution matches the filter.".
func (l Lang) ExecutionsNoMatch() string {
	if l == Chinese {
		return "没有匹配的执行明细。"
	}
	return "No execution matches the filter."
}

// ExecutionsNoMatchText is "The instance is compared exactly, and so is the job unless it is asked for by its begin; times are UTC.".
func (l Lang) ExecutionsNoMatchText() string {
	if l == Chinese {
		return "实例按完整地址匹配；作业名也须完整，除非选择“开头为”。时间均为 UTC。"
	}
	return "The instance is compared exactly, and so is the job unless it is asked for by its begin; times are UTC."
}

// ExecutionsOldest is "Oldest".
func (l Lang) ExecutionsOldest() string {
	if l == Chinese {
		return "最早"
	}
	return "Oldest"
}

// ExecutionsPartialText is "{n, number} executions were looked through, and there are more.".
func (l Lang) ExecutionsPartialText(n int) string {
	if l == Chinese {
		return "已查找 " + number(n) + " 条执行明细，还有更多。"
	}
	return number(n) + " executions were looked through, and there are more."
}

// ExecutionsShowAll is "Show all executions".
func (l Lang) ExecutionsShowAll() string {
	if l == Chinese {
		return "显示所有执行明细"
	}
	return "Show all executions"
}
