// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// WantAccount is "an account, with a password of at most 400 characters".
func (l Lang) WantAccount() string {
	if l == Chinese {
		return "账号，密码最多 400 个字符"
	}
	return "an account, with a password of at most 400 characters"
}

// WantAgain is "given again, or empty, because the address changes".
func (l Lang) WantAgain() string {
	if l == Chinese {
		return "地址或连接方式有变化，请重新填写或留空"
	}
	return "given again, or empty, because the address changes"
}

// WantAmount is "a number from {least} to {most}".
func (l Lang) WantAmount(least string, most string) string {
	if l == Chinese {
		return least + " 到 " + most + " 之间的数"
	}
	return "a number from " + least + " to " + most
}

// WantAtMost is "at most {n} characters".
func (l Lang) WantAtMost(n string) string {
	if l == Chinese {
		return "最多 " + n + " 个字符"
	}
	return "at most " + n + " characters"
}

// WantAtMostBytes is "at most {n} bytes".
func (l Lang) WantAtMostBytes(n string) string {
	if l == Chinese {
		return "最多 " + n + " 字节"
	}
	return "at most " + n + " bytes"
}

// WantBytes is "parameters have {n} bytes; at most {most} are allowed".
func (l Lang) WantBytes(n string, most string) string {
	if l == Chinese {
		return "参数有 " + n + " 字节；最多 " + most + " 字节"
	}
	return "parameters have " + n + " bytes; at most " + most + " are allowed"
}

// WantCertificates is "certificates of at most 15,000 bytes each".
func (l Lang) WantCertificates() string {
	if l == Chinese {
		return "每个证书最多 15,000 字节"
	}
	return "certificates of at most 15,000 bytes each"
}

// WantCharacters is "{least} to {most} characters".
func (l Lang) WantCharacters(least string, most string) string {
	if l == Chinese {
		return least + " 到 " + most + " 个字符"
	}
	return least + " to " + most + " characters"
}

// WantCron is "six or seven fields of Quartz, seconds first".
func (l Lang) WantCron() string {
	if l == Chinese {
		return "Quartz 的六或七个字段，秒在最前"
	}
	return "six or seven fields of Quartz, seconds first"
}

// WantCron2x is "an expression: ElasticJob 2.1.x has no jobs without one".
func (l Lang) WantCron2x() string {
	if l == Chinese {
		return "表达式：ElasticJob 2.1.x 的作业必须有"
	}
	return "an expression: ElasticJob 2.1.x has no jobs without one"
}

// WantCronAlike is "an expression with the same meaning in all versions of Quartz".
func (l Lang) WantCronAlike() string {
	if l == Chinese {
		return "各版本 Quartz 理解一致的表达式"
	}
	return "an expression with the same meaning in all versions of Quartz"
}

// WantDatabase is "the database's name".
func (l Lang) WantDatabase() string {
	if l == Chinese {
		return "数据库名"
	}
	return "the database's name"
}

// WantDate is "a date such as {example}".
func (l Lang) WantDate(example string) string {
	if l == Chinese {
		return "日期，例如 " + example
	}
	return "a date such as " + example
}

// WantDays is "a date such as 2026-12-25, a range such as 2026-12-24/2027-01-02, or a weekday such as SAT".
func (l Lang) WantDays() string {
	if l == Chinese {
		return "日期（如 2026-12-25）、区间（如 2026-12-24/2027-01-02）或星期（如 SAT）"
	}
	return "a date such as 2026-12-25, a range such as 2026-12-24/2027-01-02, or a weekday such as SAT"
}

// WantDigest is "user:password, or nothing".
func (l Lang) WantDigest() string {
	if l == Chinese {
		return "user:password，或留空"
	}
	return "user:password, or nothing"
}

// WantDuration is "a duration from {least} to {most}, such as 30s".
func (l Lang) WantDuration(least string, most string) string {
	if l == Chinese {
		return least + " 到 " + most + " 的时长，例如 30s"
	}
	return "a duration from " + least + " to " + most + ", such as 30s"
}

// WantDurationOf is "a duration from {least} to {most}".
func (l Lang) WantDurationOf(least string, most string) string {
	if l == Chinese {
		return least + " 到 " + most + " 的时长"
	}
	return "a duration from " + least + " to " + most
}

// WantDurationOr is "a duration from {least} to {most}, or -1 for never".
func (l Lang) WantDurationOr(least string, most string) string {
	if l == Chinese {
		return least + " 到 " + most + " 的时长，或 -1 表示永不"
	}
	return "a duration from " + least + " to " + most + ", or -1 for never"
}

// WantEachMonitored is "each, or a job with monitorExecution".
func (l Lang) WantEachMonitored() string {
	if l == Chinese {
		return "each，或启用监控执行状态的作业"
	}
	return "each, or a job with monitorExecution"
}

// WantEachWithout is "each, or a job without cron".
func (l Lang) WantEachWithout() string {
	if l == Chinese {
		return "each，或没有 Cron 的作业"
	}
	return "each, or a job without cron"
}

// WantEither is "{a} or {b}".
func (l Lang) WantEither(a string, b string) string {
	if l == Chinese {
		return a + " 或 " + b
	}
	return a + " or " + b
}

// WantEmail is "an e-mail address".
func (l Lang) WantEmail() string {
	if l == Chinese {
		return "电子邮件地址"
	}
	return "an e-mail address"
}

// WantFieldsIs is "{field} is {value}, want {want}.".
func (l Lang) WantFieldsIs(field string, value string, want string) string {
	if l == Chinese {
		return field + " 为 " + value + "，应为：" + want + "。"
	}
	return field + " is " + value + ", want " + want + "."
}

// WantFieldsMore is "And {n, plural, one {# field} other {# fields}} more.".
func (l Lang) WantFieldsMore(n int) string {
	if l == Chinese {
		return "另有 " + number(n) + " 个字段。"
	}
	if n == 1 {
		return "And " + number(n) + " field more."
	}
	return "And " + number(n) + " fields more."
}

// WantFieldsWant is "{field} want {want}.".
func (l Lang) WantFieldsWant(field string, want string) string {
	if l == Chinese {
		return field + " 应为：" + want + "。"
	}
	return field + " want " + want + "."
}

// WantFile is "the name of a file in the data folder, such as trace.db".
func (l Lang) WantFile() string {
	if l == Chinese {
		return "数据目录中的文件名，例如 trace.db"
	}
	return "the name of a file in the data folder, such as trace.db"
}

// WantFileAlone is "nothing, and no port and no account: a file has none".
func (l Lang) WantFileAlone() string {
	if l == Chinese {
		return "留空，且没有端口和账号：文件不需要"
	}
	return "nothing, and no port and no account: a file has none"
}

// WantFires is "an expression that fires at some time".
func (l Lang) WantFires() string {
	if l == Chinese {
		return "会在某个时间触发的表达式"
	}
	return "an expression that fires at some time"
}

// WantFiresWithin is "an expression that fires at some time within schedule.from, schedule.until and schedule.exclude".
func (l Lang) WantFiresWithin() string {
	if l == Chinese {
		return "在 schedule.from、schedule.until 与 schedule.exclude 之内会触发的表达式"
	}
	return "an expression that fires at some time within schedule.from, schedule.until and schedule.exclude"
}

// WantFixed is "{value}, which cannot be changed here".
func (l Lang) WantFixed(value string) string {
	if l == Chinese {
		return value + "，不能在此修改"
	}
	return value + ", which cannot be changed here"
}

// WantGeneration is "a configuration of ElasticJob {generation}".
func (l Lang) WantGeneration(generation string) string {
	if l == Chinese {
		return "ElasticJob " + generation + " 的配置"
	}
	return "a configuration of ElasticJob " + generation
}

// WantHalfGap is "less than {most}, half the smallest gap between fires".
func (l Lang) WantHalfGap(most string) string {
	if l == Chinese {
		return "小于 " + most + "，即最短触发间隔的一半"
	}
	return "less than " + most + ", half the smallest gap between fires"
}

// WantHost is "a host's name or address, and nothing else".
func (l Lang) WantHost() string {
	if l == Chinese {
		return "主机名或地址，不含其他内容"
	}
	return "a host's name or address, and nothing else"
}

// WantInteger is "a whole number".
func (l Lang) WantInteger() string {
	if l == Chinese {
		return "整数"
	}
	return "a whole number"
}

// WantIntegerLeast is "a whole number of at least {n}".
func (l Lang) WantIntegerLeast(n string) string {
	if l == Chinese {
		return "不小于 " + n + " 的整数"
	}
	return "a whole number of at least " + n
}

// WantIntegerMost is "a whole number of at most {n}".
func (l Lang) WantIntegerMost(n string) string {
	if l == Chinese {
		return "不大于 " + n + " 的整数"
	}
	return "a whole number of at most " + n
}

// WantJson is "parameters aren't valid JSON: {why}".
func (l Lang) WantJson(why string) string {
	if l == Chinese {
		return "参数不是 JSON：" + why
	}
	return "parameters aren't valid JSON: " + why
}

// WantKey is "a key that is not empty, and valid UTF-8".
func (l Lang) WantKey() string {
	if l == Chinese {
		return "非空的键，且为有效的 UTF-8"
	}
	return "a key that is not empty, and valid UTF-8"
}

// WantKind is "mysql, postgres or sqlite".
func (l Lang) WantKind() string {
	if l == Chinese {
		return "mysql、postgres 或 sqlite"
	}
	return "mysql, postgres or sqlite"
}

// WantLaterThan is "a time later than {name}".
func (l Lang) WantLaterThan(name string) string {
	if l == Chinese {
		return "晚于 " + name + " 的时间"
	}
	return "a time later than " + name
}

// WantLine is "one line of text".
func (l Lang) WantLine() string {
	if l == Chinese {
		return "一行文本"
	}
	return "one line of text"
}

// WantLink is "an address such as {example}".
func (l Lang) WantLink(example string) string {
	if l == Chinese {
		return "网址，例如 " + example
	}
	return "an address such as " + example
}

// WantList is "a list".
func (l Lang) WantList() string {
	if l == Chinese {
		return "列表"
	}
	return "a list"
}

// WantListOf is "a list of {n} values".
func (l Lang) WantListOf(n string) string {
	if l == Chinese {
		return n + " 个值的列表"
	}
	return "a list of " + n + " values"
}

// WantListener is "the name of a listener".
func (l Lang) WantListener() string {
	if l == Chinese {
		return "监听器的名称"
	}
	return "the name of a listener"
}

// WantMissing is "is missing".
func (l Lang) WantMissing() string {
	if l == Chinese {
		return "缺少此项"
	}
	return "is missing"
}

// WantMore is "and {n} more".
func (l Lang) WantMore(n string) string {
	if l == Chinese {
		return "另有 " + n + " 处"
	}
	return "and " + n + " more"
}

// WantName is "a name without spaces around it".
func (l Lang) WantName() string {
	if l == Chinese {
		return "前后没有空格的名称"
	}
	return "a name without spaces around it"
}

// WantNameValue is "name=value on each line".
func (l Lang) WantNameValue() string {
	if l == Chinese {
		return "每行一个 name=value"
	}
	return "name=value on each line"
}

// WantNamespace is "the folder in ZooKeeper below which the agents register".
func (l Lang) WantNamespace() string {
	if l == Chinese {
		return "ZooKeeper 中实例注册所在的目录，例如 team/billing"
	}
	return "the folder in ZooKeeper below which the agents register"
}

// WantNoKey is "no such key: jobs of ElasticJob {generation} do not have it".
func (l Lang) WantNoKey(generation string) string {
	if l == Chinese {
		return "没有此键：ElasticJob " + generation + " 的作业没有它"
	}
	return "no such key: jobs of ElasticJob " + generation + " do not have it"
}

// WantNode is "a ZooKeeper node name without \"/\" and \"@-@\"".
func (l Lang) WantNode() string {
	if l == Chinese {
		return "不含 / 和 @-@ 的 ZooKeeper 节点名"
	}
	return "a ZooKeeper node name without \"/\" and \"@-@\""
}

// WantNone is "the job takes none".
func (l Lang) WantNone() string {
	if l == Chinese {
		return "此作业不带参数"
	}
	return "the job takes none"
}

// WantNothing2x is "nothing: ElasticJob 2.1.x does not have it".
func (l Lang) WantNothing2x() string {
	if l == Chinese {
		return "留空：ElasticJob 2.1.x 没有此项"
	}
	return "nothing: ElasticJob 2.1.x does not have it"
}

// WantNumber is "a number".
func (l Lang) WantNumber() string {
	if l == Chinese {
		return "数字"
	}
	return "a number"
}

// WantNumberBetween is "a number from {least} to {most}".
func (l Lang) WantNumberBetween(least string, most string) string {
	if l == Chinese {
		return least + " 到 " + most + " 的数字"
	}
	return "a number from " + least + " to " + most
}

// WantNumberLeast is "a number of at least {n}".
func (l Lang) WantNumberLeast(n string) string {
	if l == Chinese {
		return "不小于 " + n + " 的数字"
	}
	return "a number of at least " + n
}

// WantNumberMost is "a number of at most {n}".
func (l Lang) WantNumberMost(n string) string {
	if l == Chinese {
		return "不大于 " + n + " 的数字"
	}
	return "a number of at most " + n
}

// WantObject is "want a JSON object, not {kind}".
func (l Lang) WantObject(kind string) string {
	if l == Chinese {
		return "应为 JSON 对象，而不是 " + kind
	}
	return "want a JSON object, not " + kind
}

// WantObjectValue is "an object".
func (l Lang) WantObjectValue() string {
	if l == Chinese {
		return "对象"
	}
	return "an object"
}

// WantOnce is "is given twice".
func (l Lang) WantOnce() string {
	if l == Chinese {
		return "出现了两次"
	}
	return "is given twice"
}

// WantOneOf is "one of {choices}".
func (l Lang) WantOneOf(choices string) string {
	if l == Chinese {
		return choices + " 之一"
	}
	return "one of " + choices
}

// WantOption is "an option that is known; {kind} has: {names}".
func (l Lang) WantOption(kind string, names string) string {
	if l == Chinese {
		return "已知的选项；" + kind + " 有：" + names
	}
	return "an option that is known; " + kind + " has: " + names
}

// WantOverlaps is "queue, one, skip or cancel".
func (l Lang) WantOverlaps() string {
	if l == Chinese {
		return "queue、one、skip 或 cancel"
	}
	return "queue, one, skip or cancel"
}

// WantPairs is "item=value pairs separated by commas".
func (l Lang) WantPairs() string {
	if l == Chinese {
		return "以逗号分隔的 分片=参数"
	}
	return "item=value pairs separated by commas"
}

// WantPort is "1 to 65535, or 0 for the usual one".
func (l Lang) WantPort() string {
	if l == Chinese {
		return "1 到 65535，0 为默认端口"
	}
	return "1 to 65535, or 0 for the usual one"
}

// WantPrintable is "characters that can be printed, and no slash".
func (l Lang) WantPrintable() string {
	if l == Chinese {
		return "可打印的字符，且不含斜杠"
	}
	return "characters that can be printed, and no slash"
}

// WantQuery is "a query that the list understands: {problems}".
func (l Lang) WantQuery(problems string) string {
	if l == Chinese {
		return "列表能理解的查询：" + problems
	}
	return "a query that the list understands: " + problems
}

// WantRefused is "{value} is not allowed; want {want}".
func (l Lang) WantRefused(value string, want string) string {
	if l == Chinese {
		return "不接受 " + value + "；应为：" + want
	}
	return value + " is not allowed; want " + want
}

// WantRegistered is "an application that is registered".
func (l Lang) WantRegistered() string {
	if l == Chinese {
		return "已注册的应用"
	}
	return "an application that is registered"
}

// WantSecret is "the whole value".
func (l Lang) WantSecret() string {
	if l == Chinese {
		return "完整的值：*** 代表未显示的密钥"
	}
	return "the whole value"
}

// WantServers is "host:port, several separated by commas".
func (l Lang) WantServers() string {
	if l == Chinese {
		return "host:port，多个以逗号分隔；最后一个之后可带 chroot，例如 zk1:2181,zk2:2181/elastic"
	}
	return "host:port, several separated by commas"
}

// WantShards is "shards from 0 to {most}, below shardingTotalCount; there is no shard {item}".
func (l Lang) WantShards(most string, item string) string {
	if l == Chinese {
		return "0 到 " + most + " 的分片（由 shardingTotalCount 决定）；没有分片 " + item
	}
	return "shards from 0 to " + most + ", below shardingTotalCount; there is no shard " + item
}

// WantStored is "the stored value".
func (l Lang) WantStored() string {
	if l == Chinese {
		return "已保存的值"
	}
	return "the stored value"
}

// WantStrange is "is unknown".
func (l Lang) WantStrange() string {
	if l == Chinese {
		return "是未知的参数"
	}
	return "is unknown"
}

// WantStrangeLike is "is unknown; did you mean {name}?".
func (l Lang) WantStrangeLike(name string) string {
	if l == Chinese {
		return "是未知的参数；是否想写 " + name + "？"
	}
	return "is unknown; did you mean " + name + "?"
}

// WantText is "a text".
func (l Lang) WantText() string {
	if l == Chinese {
		return "文本"
	}
	return "a text"
}

// WantTextBetween is "text of {least} to {most} characters".
func (l Lang) WantTextBetween(least string, most string) string {
	if l == Chinese {
		return least + " 到 " + most + " 个字符的文本"
	}
	return "text of " + least + " to " + most + " characters"
}

// WantTextLeast is "text of at least {n} characters".
func (l Lang) WantTextLeast(n string) string {
	if l == Chinese {
		return "至少 " + n + " 个字符的文本"
	}
	return "text of at least " + n + " characters"
}

// WantTextLike is "text that matches {pattern}".
func (l Lang) WantTextLike(pattern string) string {
	if l == Chinese {
		return "匹配 " + pattern + " 的文本"
	}
	return "text that matches " + pattern
}

// WantTextMost is "text of at most {n} characters".
func (l Lang) WantTextMost(n string) string {
	if l == Chinese {
		return "最多 " + n + " 个字符的文本"
	}
	return "text of at most " + n + " characters"
}

// WantTextOf is "text of {n} characters".
func (l Lang) WantTextOf(n string) string {
	if l == Chinese {
		return n + " 个字符的文本"
	}
	return "text of " + n + " characters"
}

// WantTime is "a time such as {example}".
func (l Lang) WantTime(example string) string {
	if l == Chinese {
		return "时间，例如 " + example
	}
	return "a time such as " + example
}

// WantUnknown is "the stored value: what this console does not know stays as it is".
func (l Lang) WantUnknown() string {
	if l == Chinese {
		return "已保存的值：本控制台不认识的内容保持不变"
	}
	return "the stored value: what this console does not know stays as it is"
}

// WantUtf8 is "valid UTF-8".
func (l Lang) WantUtf8() string {
	if l == Chinese {
		return "有效的 UTF-8"
	}
	return "valid UTF-8"
}

// WantValues is "{least} to {most} values".
func (l Lang) WantValues(least string, most string) string {
	if l == Chinese {
		return least + " 到 " + most + " 个值"
	}
	return least + " to " + most + " values"
}

// WantValuesLeast is "at least {n} values".
func (l Lang) WantValuesLeast(n string) string {
	if l == Chinese {
		return "至少 " + n + " 个值"
	}
	return "at least " + n + " values"
}

// WantValuesMost is "at most {n} values".
func (l Lang) WantValuesMost(n string) string {
	if l == Chinese {
		return "最多 " + n + " 个值"
	}
	return "at most " + n + " values"
}

// WantValuesOf is "{n} values".
func (l Lang) WantValuesOf(n string) string {
	if l == Chinese {
		return n + " 个值"
	}
	return n + " values"
}

// WantWeek is "less than all seven weekdays".
func (l Lang) WantWeek() string {
	if l == Chinese {
		return "少于全部七天"
	}
	return "less than all seven weekdays"
}

// WantWhole is "a whole number from {least} to {most}".
func (l Lang) WantWhole(least string, most string) string {
	if l == Chinese {
		return least + " 到 " + most + " 的整数"
	}
	return "a whole number from " + least + " to " + most
}

// WantZone is "GMT with an offset, such as GMT+8 or GMT-03:30, or nothing; names such as Europe/Berlin go into props.schedule.zone".
func (l Lang) WantZone() string {
	if l == Chinese {
		return "GMT 加偏移量，例如 GMT+8 或 GMT-03:30，或留空；Europe/Berlin 之类的名称请填入 props.schedule.zone"
	}
	return "GMT with an offset, such as GMT+8 or GMT-03:30, or nothing; names such as Europe/Berlin go into props.schedule.zone"
}

// WantZoneField is "nothing: timeZone takes names such as Europe/Berlin".
func (l Lang) WantZoneField() string {
	if l == Chinese {
		return "留空：timeZone 可以填写 Europe/Berlin 之类的名称"
	}
	return "nothing: timeZone takes names such as Europe/Berlin"
}

// WantZoneJava is "nothing while Java agents serve the job, because they ignore the property: stop {agents}, or set timeZone".
func (l Lang) WantZoneJava(agents string) string {
	if l == Chinese {
		return "有 Java 实例服务该作业时留空：它们不识别该属性。请停止 " + agents + "，或设置 timeZone"
	}
	return "nothing while Java agents serve the job, because they ignore the property: stop " + agents + ", or set timeZone"
}

// WantZoneName is "an IANA name such as Europe/Berlin".
func (l Lang) WantZoneName() string {
	if l == Chinese {
		return "IANA 时区名称，例如 Europe/Berlin"
	}
	return "an IANA name such as Europe/Berlin"
}

// WantZoneOnce is "nothing, or an empty timeZone, which is {zone}".
func (l Lang) WantZoneOnce(zone string) string {
	if l == Chinese {
		return "留空，或清空 timeZone（现为 " + zone + "）"
	}
	return "nothing, or an empty timeZone, which is " + zone
}
