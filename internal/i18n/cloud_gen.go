// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// CloudAgain is "{n, plural, one {Run the failed shard again} other {Run # failed shards again}}".
func (l Lang) CloudAgain(n int) string {
	if l == Chinese {
		return "重新运行失败的 " + number(n) + " 个分片"
	}
	if n == 1 {
		return "Run the failed shard again"
	}
	return "Run " + number(n) + " failed shards again"
}

// CloudAllRuns is "All runs".
func (l Lang) CloudAllRuns() string {
	if l == Chinese {
		return "全部运行"
	}
	return "All runs"
}

// CloudApp is "App".
func (l Lang) CloudApp() string {
	if l == Chinese {
		return "应用"
	}
	return "App"
}

// CloudAppNew is "New app".
func (l Lang) CloudAppNew() string {
	if l == Chinese {
		return "新建应用"
	}
	return "New app"
}

// CloudAppNoJobs is "No job uses this app".
func (l Lang) CloudAppNoJobs() string {
	if l == Chinese {
		return "没有作业使用该应用"
	}
	return "No job uses this app"
}

// CloudApps is "Apps".
func (l Lang) CloudApps() string {
	if l == Chinese {
		return "应用"
	}
	return "Apps"
}

// CloudAppsNone is "No app yet".
func (l Lang) CloudAppsNone() string {
	if l == Chinese {
		return "还没有应用"
	}
	return "No app yet"
}

// CloudAppsNoneText is "An app says what a process is made of. Register one: POST /api/cloud/apps.".
func (l Lang) CloudAppsNoneText() string {
	if l == Chinese {
		return "应用说明进程由什么组成。请注册一个：POST /api/cloud/apps。"
	}
	return "An app says what a process is made of. Register one: POST /api/cloud/apps."
}

// CloudAway is "ElasticJob-Cloud cannot be read at present".
func (l Lang) CloudAway() string {
	if l == Chinese {
		return "目前无法读取 ElasticJob-Cloud"
	}
	return "ElasticJob-Cloud cannot be read at present"
}

// CloudAwayHint is "Its registry or its engine does not answer; runs that have begun go on. Ask again in a moment.".
func (l Lang) CloudAwayHint() string {
	if l == Chinese {
		return "其注册中心或引擎没有响应；已开始的运行会继续。请稍后再试。"
	}
	return "Its registry or its engine does not answer; runs that have begun go on. Ask again in a moment."
}

// CloudAwaySince is "Since {time}: {why}".
func (l Lang) CloudAwaySince(time string, why string) string {
	if l == Chinese {
		return "自 " + time + " 起：" + why
	}
	return "Since " + time + ": " + why
}

// CloudAwayText is "The page shows what its registry and its engine reported last. Runs that have begun go on.".
func (l Lang) CloudAwayText() string {
	if l == Chinese {
		return "页面显示的是其注册中心和引擎最后一次上报的内容。已开始的运行会继续。"
	}
	return "The page shows what its registry and its engine reported last. Runs that have begun go on."
}

// CloudBack is "Back".
func (l Lang) CloudBack() string {
	if l == Chinese {
		return "返回"
	}
	return "Back"
}

// CloudCanDaemons is "Daemons".
func (l Lang) CloudCanDaemons() string {
	if l == Chinese {
		return "常驻作业"
	}
	return "Daemons"
}

// CloudCanSuspend is "Suspends runs".
func (l Lang) CloudCanSuspend() string {
	if l == Chinese {
		return "可暂停运行"
	}
	return "Suspends runs"
}

// CloudCannotLead is "This console cannot schedule".
func (l Lang) CloudCannotLead() string {
	if l == Chinese {
		return "此控制台无法负责调度"
	}
	return "This console cannot schedule"
}

// CloudCannotLeadText is "It cannot stand for election; perhaps nobody schedules. Since {time}: {why}".
func (l Lang) CloudCannotLeadText(time string, why string) string {
	if l == Chinese {
		return "它无法参加选举，可能没有控制台在调度。自 " + time + " 起：" + why
	}
	return "It cannot stand for election; perhaps nobody schedules. Since " + time + ": " + why
}

// CloudCannotSuspend is "The engine cannot suspend runs.".
func (l Lang) CloudCannotSuspend() string {
	if l == Chinese {
		return "该引擎不能暂停运行。"
	}
	return "The engine cannot suspend runs."
}

// CloudConfiguration is "Configuration".
func (l Lang) CloudConfiguration() string {
	if l == Chinese {
		return "配置"
	}
	return "Configuration"
}

// CloudConflict is "Somebody else has changed it meanwhile.".
func (l Lang) CloudConflict() string {
	if l == Chinese {
		return "期间已被他人修改。"
	}
	return "Somebody else has changed it meanwhile."
}

// CloudConflictHint is "Look at it as it is now and repeat the change.".
func (l Lang) CloudConflictHint() string {
	if l == Chinese {
		return "请查看现在的内容，然后重新修改。"
	}
	return "Look at it as it is now and repeat the change."
}

// CloudDaemonAgain is "Starts again".
func (l Lang) CloudDaemonAgain() string {
	if l == Chinese {
		return "即将重启"
	}
	return "Starts again"
}

// CloudDaemonDisable is "Its processes are stopped. Nothing fires until it is enabled.".
func (l Lang) CloudDaemonDisable() string {
	if l == Chinese {
		return "其进程被停止，启用之前不再触发。"
	}
	return "Its processes are stopped. Nothing fires until it is enabled."
}

// CloudDaemonFires is "Its processes fire by themselves".
func (l Lang) CloudDaemonFires() string {
	if l == Chinese {
		return "由其进程自行触发"
	}
	return "Its processes fire by themselves"
}

// CloudDaemonKillAgain is "Another one begins at once.".
func (l Lang) CloudDaemonKillAgain() string {
	if l == Chinese {
		return "随即启动另一个进程。"
	}
	return "Another one begins at once."
}

// CloudDaemonNoKill is "A process that ends is started again. Disable the job to stop all of them, or kill the process of one shard to have it begin anew.".
func (l Lang) CloudDaemonNoKill() string {
	if l == Chinese {
		return "进程结束后会重新启动。要停止全部进程，请禁用该作业；要让一个分片重新开始，请终止该分片的进程。"
	}
	return "A process that ends is started again. Disable the job to stop all of them, or kill the process of one shard to have it begin anew."
}

// CloudDaemonNone is "No process".
func (l Lang) CloudDaemonNone() string {
	if l == Chinese {
		return "没有进程"
	}
	return "No process"
}

// CloudDaemonNoneOff is "It is disabled.".
func (l Lang) CloudDaemonNoneOff() string {
	if l == Chinese {
		return "该作业已禁用。"
	}
	return "It is disabled."
}

// CloudDaemonNoneText is "They begin as soon as the scheduler has taken notice of the job.".
func (l Lang) CloudDaemonNoneText() string {
	if l == Chinese {
		return "调度器注意到该作业后，进程随即启动。"
	}
	return "They begin as soon as the scheduler has taken notice of the job."
}

// CloudDaemonOrigin is "Daemon".
func (l Lang) CloudDaemonOrigin() string {
	if l == Chinese {
		return "常驻"
	}
	return "Daemon"
}

// CloudDaemonProcess is "Process".
func (l Lang) CloudDaemonProcess() string {
	if l == Chinese {
		return "进程"
	}
	return "Process"
}

// CloudDaemonProcesses is "Processes".
func (l Lang) CloudDaemonProcesses() string {
	if l == Chinese {
		return "进程"
	}
	return "Processes"
}

// CloudDaemonRestarts is "Restarts".
func (l Lang) CloudDaemonRestarts() string {
	if l == Chinese {
		return "重启次数"
	}
	return "Restarts"
}

// CloudDaemonShared is "They share the shards by ZooKeeper. Which process has which shard is shown with the jobs of that registry.".
func (l Lang) CloudDaemonShared() string {
	if l == Chinese {
		return "它们通过 ZooKeeper 共享分片。哪个进程拥有哪些分片，见该注册中心的作业页面。"
	}
	return "They share the shards by ZooKeeper. Which process has which shard is shown with the jobs of that registry."
}

// CloudDaemonTitle is "Processes of {job}".
func (l Lang) CloudDaemonTitle(job string) string {
	if l == Chinese {
		return job + " 的进程"
	}
	return "Processes of " + job
}

// CloudDaemonWorking is "{a, number} of {b, number} work".
func (l Lang) CloudDaemonWorking(a int, b int) string {
	if l == Chinese {
		return number(b) + " 个中有 " + number(a) + " 个在工作"
	}
	return number(a) + " of " + number(b) + " work"
}

// CloudDidDisable is "{name} is disabled.".
func (l Lang) CloudDidDisable(name string) string {
	if l == Chinese {
		return name + " 已停用。"
	}
	return name + " is disabled."
}

// CloudDidEnable is "{name} is enabled. What passed meanwhile is not made up for.".
func (l Lang) CloudDidEnable(name string) string {
	if l == Chinese {
		return name + " 已启用。期间错过的不会补跑。"
	}
	return name + " is enabled. What passed meanwhile is not made up for."
}

// CloudDidKill is "The run is being killed.".
func (l Lang) CloudDidKill() string {
	if l == Chinese {
		return "正在终止该运行。"
	}
	return "The run is being killed."
}

// CloudDidKillShard is "The process has to end.".
func (l Lang) CloudDidKillShard() string {
	if l == Chinese {
		return "已要求该进程结束。"
	}
	return "The process has to end."
}

// CloudDidMake is "{name} is registered.".
func (l Lang) CloudDidMake(name string) string {
	if l == Chinese {
		return "已注册 " + name + "。"
	}
	return name + " is registered."
}

// CloudDidRemove is "{name} is removed.".
func (l Lang) CloudDidRemove(name string) string {
	if l == Chinese {
		return name + " 已移除。"
	}
	return name + " is removed."
}

// CloudDidResume is "The run goes on.".
func (l Lang) CloudDidResume() string {
	if l == Chinese {
		return "该运行已继续。"
	}
	return "The run goes on."
}

// CloudDidSave is "{name} is saved.".
func (l Lang) CloudDidSave(name string) string {
	if l == Chinese {
		return "已保存 " + name + "。"
	}
	return name + " is saved."
}

// CloudDidSuspend is "The run is being suspended. Its processes end, and Resume goes on with the shards that have not succeeded.".
func (l Lang) CloudDidSuspend() string {
	if l == Chinese {
		return "正在暂停该运行。它的进程会结束，继续时只运行尚未成功的分片。"
	}
	return "The run is being suspended. Its processes end, and Resume goes on with the shards that have not succeeded."
}

// CloudDidTrigger is "The run {run} is requested.".
func (l Lang) CloudDidTrigger(run string) string {
	if l == Chinese {
		return "已请求运行 " + run + "。"
	}
	return "The run " + run + " is requested."
}

// CloudDisable is "Disable".
func (l Lang) CloudDisable() string {
	if l == Chinese {
		return "停用"
	}
	return "Disable"
}

// CloudDisableApp is "{n, plural, one {Its one job no longer runs} other {Its # jobs no longer run}}.".
func (l Lang) CloudDisableApp(n int) string {
	if l == Chinese {
		return "它的 " + number(n) + " 个作业不再运行。"
	}
	if n == 1 {
		return "Its one job no longer runs."
	}
	return "Its " + number(n) + " jobs no longer run."
}

// CloudDisableJob is "Fire times pass without a run, and nobody can trigger it.".
func (l Lang) CloudDisableJob() string {
	if l == Chinese {
		return "触发时间会过去而不运行，也不能手动触发。"
	}
	return "Fire times pass without a run, and nobody can trigger it."
}

// CloudDisableNothing is "What passes meanwhile is not made up for.".
func (l Lang) CloudDisableNothing() string {
	if l == Chinese {
		return "期间错过的不会补跑。"
	}
	return "What passes meanwhile is not made up for."
}

// CloudDisablePending is "Fire times and requests that wait are forgotten.".
func (l Lang) CloudDisablePending() string {
	if l == Chinese {
		return "等待中的触发时间和请求会被清除。"
	}
	return "Fire times and requests that wait are forgotten."
}

// CloudDisableRuns is "What becomes of runs that go on".
func (l Lang) CloudDisableRuns() string {
	if l == Chinese {
		return "进行中的运行如何处理"
	}
	return "What becomes of runs that go on"
}

// CloudDisableTitle is "Disable {name}?".
func (l Lang) CloudDisableTitle(name string) string {
	if l == Chinese {
		return "停用 " + name + "？"
	}
	return "Disable " + name + "?"
}

// CloudDisabled is "Disabled".
func (l Lang) CloudDisabled() string {
	if l == Chinese {
		return "已停用"
	}
	return "Disabled"
}

// CloudDisabledByApp is "with its app".
func (l Lang) CloudDisabledByApp() string {
	if l == Chinese {
		return "随应用停用"
	}
	return "with its app"
}

// CloudDownload is "Download".
func (l Lang) CloudDownload() string {
	if l == Chinese {
		return "下载"
	}
	return "Download"
}

// CloudEdit is "Edit".
func (l Lang) CloudEdit() string {
	if l == Chinese {
		return "编辑"
	}
	return "Edit"
}

// CloudEditTitle is "Edit {name}".
func (l Lang) CloudEditTitle(name string) string {
	if l == Chinese {
		return "编辑 " + name
	}
	return "Edit " + name
}

// CloudEnable is "Enable".
func (l Lang) CloudEnable() string {
	if l == Chinese {
		return "启用"
	}
	return "Enable"
}

// CloudEngine is "Engine".
func (l Lang) CloudEngine() string {
	if l == Chinese {
		return "引擎"
	}
	return "Engine"
}

// CloudEnv is "Variables".
func (l Lang) CloudEnv() string {
	if l == Chinese {
		return "变量"
	}
	return "Variables"
}

// CloudEnvSub is "of the environment of its processes".
func (l Lang) CloudEnvSub() string {
	if l == Chinese {
		return "进程的环境变量"
	}
	return "of the environment of its processes"
}

// CloudExecutes is "Each shard starts this program: {program}".
func (l Lang) CloudExecutes(program string) string {
	if l == Chinese {
		return "每个分片启动此程序：" + program
	}
	return "Each shard starts this program: " + program
}

// CloudExecutesImage is "Each shard starts the image {image}.".
func (l Lang) CloudExecutesImage(image string) string {
	if l == Chinese {
		return "每个分片启动镜像 " + image + "。"
	}
	return "Each shard starts the image " + image + "."
}

// CloudExecutesInImage is "Each shard starts the image {image} with: {program}".
func (l Lang) CloudExecutesInImage(image string, program string) string {
	if l == Chinese {
		return "每个分片启动镜像 " + image + "，并执行：" + program
	}
	return "Each shard starts the image " + image + " with: " + program
}

// CloudExecutesShell is "Each shard has a shell of the console's machine execute: {script}".
func (l Lang) CloudExecutesShell(script string) string {
	if l == Chinese {
		return "每个分片让控制台所在机器的 shell 执行：" + script
	}
	return "Each shard has a shell of the console's machine execute: " + script
}

// CloudExists is "The name is in use.".
func (l Lang) CloudExists() string {
	if l == Chinese {
		return "该名称已被使用。"
	}
	return "The name is in use."
}

// CloudExistsHint is "Choose another name, or change the one that exists.".
func (l Lang) CloudExistsHint() string {
	if l == Chinese {
		return "请换一个名称，或修改已有的。"
	}
	return "Choose another name, or change the one that exists."
}

// CloudFiresOff is "It is disabled.".
func (l Lang) CloudFiresOff() string {
	if l == Chinese {
		return "已停用。"
	}
	return "It is disabled."
}

// CloudFiresOver is "No fire time is left.".
func (l Lang) CloudFiresOver() string {
	if l == Chinese {
		return "没有剩余的触发时间。"
	}
	return "No fire time is left."
}

// CloudFollows is "Another console schedules at present".
func (l Lang) CloudFollows() string {
	if l == Chinese {
		return "目前由另一个控制台负责调度"
	}
	return "Another console schedules at present"
}

// CloudFollowsText is "What you do here is carried out there.".
func (l Lang) CloudFollowsText() string {
	if l == Chinese {
		return "在此提交的操作会在那里执行。"
	}
	return "What you do here is carried out there."
}

// CloudFormAfter is "After".
func (l Lang) CloudFormAfter() string {
	if l == Chinese {
		return "之后"
	}
	return "After"
}

// CloudFormAgain is "Back to the form".
func (l Lang) CloudFormAgain() string {
	if l == Chinese {
		return "返回表单"
	}
	return "Back to the form"
}

// CloudFormBefore is "Before".
func (l Lang) CloudFormBefore() string {
	if l == Chinese {
		return "之前"
	}
	return "Before"
}

// CloudFormChanged is "Somebody else has changed it meanwhile. What you typed is kept; look at it again.".
func (l Lang) CloudFormChanged() string {
	if l == Chinese {
		return "其间有人作了修改。您输入的内容已保留；请再检查一遍。"
	}
	return "Somebody else has changed it meanwhile. What you typed is kept; look at it again."
}

// CloudFormField is "Field".
func (l Lang) CloudFormField() string {
	if l == Chinese {
		return "字段"
	}
	return "Field"
}

// CloudFormFires is "The job fires from now on, as its expression says.".
func (l Lang) CloudFormFires() string {
	if l == Chinese {
		return "作业从现在起按其表达式触发。"
	}
	return "The job fires from now on, as its expression says."
}

// CloudFormNothing is "Nothing has changed.".
func (l Lang) CloudFormNothing() string {
	if l == Chinese {
		return "没有任何更改。"
	}
	return "Nothing has changed."
}

// CloudFormReview is "Review".
func (l Lang) CloudFormReview() string {
	if l == Chinese {
		return "预览"
	}
	return "Review"
}

// CloudFormRuns is "Runs that have begun are not touched. The next ones are as saved.".
func (l Lang) CloudFormRuns() string {
	if l == Chinese {
		return "已开始的运行不受影响，之后的运行按保存的内容进行。"
	}
	return "Runs that have begun are not touched. The next ones are as saved."
}

// CloudFormSave is "Save".
func (l Lang) CloudFormSave() string {
	if l == Chinese {
		return "保存"
	}
	return "Save"
}

// CloudFormWhat is "What runs".
func (l Lang) CloudFormWhat() string {
	if l == Chinese {
		return "运行什么"
	}
	return "What runs"
}

// CloudFormWhen is "When, and what then".
func (l Lang) CloudFormWhen() string {
	if l == Chinese {
		return "何时运行，以及之后"
	}
	return "When, and what then"
}

// CloudFormWrong is "Nothing was saved".
func (l Lang) CloudFormWrong() string {
	if l == Chinese {
		return "未保存任何内容"
	}
	return "Nothing was saved"
}

// CloudHasEnded is "The run has ended already.".
func (l Lang) CloudHasEnded() string {
	if l == Chinese {
		return "该运行已经结束。"
	}
	return "The run has ended already."
}

// CloudHelpApp is "What its processes are made of.".
func (l Lang) CloudHelpApp() string {
	if l == Chinese {
		return "其进程由什么构成。"
	}
	return "What its processes are made of."
}

// CloudHelpArgs is "Further arguments, one on each line.".
func (l Lang) CloudHelpArgs() string {
	if l == Chinese {
		return "其余参数，每行一个。"
	}
	return "Further arguments, one on each line."
}

// CloudHelpCommand is "The program, then its first arguments: one word on each line, without a shell. Empty: the image's own.".
func (l Lang) CloudHelpCommand() string {
	if l == Chinese {
		return "程序及其前面的参数：每行一个词，不经过 shell。留空：使用镜像自带的命令。"
	}
	return "The program, then its first arguments: one word on each line, without a shell. Empty: the image's own."
}

// CloudHelpCpu is "Processors for each process; 0.5 is half of one.".
func (l Lang) CloudHelpCpu() string {
	if l == Chinese {
		return "每个进程的处理器数；0.5 表示半个。"
	}
	return "Processors for each process; 0.5 is half of one."
}

// CloudHelpCron is "A Quartz expression, such as 0 0 2 * * ?. Empty: runs on request alone.".
func (l Lang) CloudHelpCron() string {
	if l == Chinese {
		return "Quartz 表达式，例如 0 0 2 * * ?。留空：仅按请求运行。"
	}
	return "A Quartz expression, such as 0 0 2 * * ?. Empty: runs on request alone."
}

// CloudHelpDescription is "For people.".
func (l Lang) CloudHelpDescription() string {
	if l == Chinese {
		return "供人阅读。"
	}
	return "For people."
}

// CloudHelpEnv is "Variables of its environment, name=value on each line. For secrets use those of the cluster.".
func (l Lang) CloudHelpEnv() string {
	if l == Chinese {
		return "环境变量，每行一个 name=value。机密请使用集群的 Secret。"
	}
	return "Variables of its environment, name=value on each line. For secrets use those of the cluster."
}

// CloudHelpErrorHandler is "EMAIL, WECHAT, DINGTALK or WEBHOOK has somebody notified of each failed run, as the properties say.".
func (l Lang) CloudHelpErrorHandler() string {
	if l == Chinese {
		return "EMAIL、WECHAT、DINGTALK 或 WEBHOOK：运行失败时按属性发送通知。"
	}
	return "EMAIL, WECHAT, DINGTALK or WEBHOOK has somebody notified of each failed run, as the properties say."
}

// CloudHelpFailover is "Try a shard again whose process failed or was lost.".
func (l Lang) CloudHelpFailover() string {
	if l == Chinese {
		return "进程失败或丢失的分片再次尝试。"
	}
	return "Try a shard again whose process failed or was lost."
}

// CloudHelpGrace is "Seconds until a process that has to end is killed; 0 is 30.".
func (l Lang) CloudHelpGrace() string {
	if l == Chinese {
		return "要求进程结束后到强制终止的秒数；0 表示 30。"
	}
	return "Seconds until a process that has to end is killed; 0 is 30."
}

// CloudHelpImage is "Such as registry.example/shop@sha256:…".
func (l Lang) CloudHelpImage() string {
	if l == Chinese {
		return "例如 registry.example/shop@sha256:…"
	}
	return "Such as registry.example/shop@sha256:…"
}

// CloudHelpMemory is "Megabytes for each process.".
func (l Lang) CloudHelpMemory() string {
	if l == Chinese {
		return "每个进程的内存，单位 MB。"
	}
	return "Megabytes for each process."
}

// CloudHelpMisfire is "Make up for each fire time that was missed.".
func (l Lang) CloudHelpMisfire() string {
	if l == Chinese {
		return "补上每个错过的触发时间。"
	}
	return "Make up for each fire time that was missed."
}

// CloudHelpName is "1 to 100 characters; it never changes.".
func (l Lang) CloudHelpName() string {
	if l == Chinese {
		return "1 到 100 个字符；之后不能更改。"
	}
	return "1 to 100 characters; it never changes."
}

// CloudHelpNamespace is "Where it is in the cluster; it never changes. A job and its application are in the same one.".
func (l Lang) CloudHelpNamespace() string {
	if l == Chinese {
		return "它在集群中的位置；之后不能更改。作业与其应用在同一命名空间。"
	}
	return "Where it is in the cluster; it never changes. A job and its application are in the same one."
}

// CloudHelpParameter is "What all shards get.".
func (l Lang) CloudHelpParameter() string {
	if l == Chinese {
		return "所有分片得到的参数。"
	}
	return "What all shards get."
}

// CloudHelpProps is "name=value on each line.".
func (l Lang) CloudHelpProps() string {
	if l == Chinese {
		return "每行一个 name=value。"
	}
	return "name=value on each line."
}

// CloudHelpScript is "A command of an archive, as upstream has it.".
func (l Lang) CloudHelpScript() string {
	if l == Chinese {
		return "归档中的命令，与上游相同。"
	}
	return "A command of an archive, as upstream has it."
}

// CloudHelpShardParameters is "What each shard gets, such as 0=Beijing,1=Shanghai.".
func (l Lang) CloudHelpShardParameters() string {
	if l == Chinese {
		return "每个分片得到的参数，例如 0=Beijing,1=Shanghai。"
	}
	return "What each shard gets, such as 0=Beijing,1=Shanghai."
}

// CloudHelpShards is "How many processes a run has.".
func (l Lang) CloudHelpShards() string {
	if l == Chinese {
		return "一次运行有多少个进程。"
	}
	return "How many processes a run has."
}

// CloudHelpShell is "A shell executes bootstrapScript.".
func (l Lang) CloudHelpShell() string {
	if l == Chinese {
		return "由 shell 执行 bootstrapScript。"
	}
	return "A shell executes bootstrapScript."
}

// CloudHelpZone is "Such as Europe/Berlin. Empty: the console's.".
func (l Lang) CloudHelpZone() string {
	if l == Chinese {
		return "例如 Europe/Berlin。留空：控制台的时区。"
	}
	return "Such as Europe/Berlin. Empty: the console's."
}

// CloudHost is "Host".
func (l Lang) CloudHost() string {
	if l == Chinese {
		return "主机"
	}
	return "Host"
}

// CloudJobActive is "Active".
func (l Lang) CloudJobActive() string {
	if l == Chinese {
		return "进行中"
	}
	return "Active"
}

// CloudJobCannot is "Cannot run".
func (l Lang) CloudJobCannot() string {
	if l == Chinese {
		return "无法运行"
	}
	return "Cannot run"
}

// CloudJobFailing is "Failing".
func (l Lang) CloudJobFailing() string {
	if l == Chinese {
		return "失败"
	}
	return "Failing"
}

// CloudJobIdle is "Idle".
func (l Lang) CloudJobIdle() string {
	if l == Chinese {
		return "空闲"
	}
	return "Idle"
}

// CloudJobNew is "New job".
func (l Lang) CloudJobNew() string {
	if l == Chinese {
		return "新建作业"
	}
	return "New job"
}

// CloudJobNoRuns is "The engine has no run of this job".
func (l Lang) CloudJobNoRuns() string {
	if l == Chinese {
		return "引擎没有该作业的运行"
	}
	return "The engine has no run of this job"
}

// CloudJobViews is "States of jobs".
func (l Lang) CloudJobViews() string {
	if l == Chinese {
		return "作业状态"
	}
	return "States of jobs"
}

// CloudJobsNone is "No job of ElasticJob-Cloud yet".
func (l Lang) CloudJobsNone() string {
	if l == Chinese {
		return "还没有 ElasticJob-Cloud 的作业"
	}
	return "No job of ElasticJob-Cloud yet"
}

// CloudJobsNoneSuch is "No job is in this state".
func (l Lang) CloudJobsNoneSuch() string {
	if l == Chinese {
		return "没有处于该状态的作业"
	}
	return "No job is in this state"
}

// CloudJobsNoneText is "Register an app, then a job that runs it: POST /api/cloud/apps and /api/cloud/jobs.".
func (l Lang) CloudJobsNoneText() string {
	if l == Chinese {
		return "先注册应用，再注册运行它的作业：POST /api/cloud/apps 和 /api/cloud/jobs。"
	}
	return "Register an app, then a job that runs it: POST /api/cloud/apps and /api/cloud/jobs."
}

// CloudKill is "Kill".
func (l Lang) CloudKill() string {
	if l == Chinese {
		return "终止"
	}
	return "Kill"
}

// CloudKillEffect is "{n, plural, one {Its process ends} other {Its processes end, up to # of them}}: first they are asked to, then they are made to.".
func (l Lang) CloudKillEffect(n int) string {
	if l == Chinese {
		return "它的进程（最多 " + number(n) + " 个）会结束：先请求退出，再强制结束。"
	}
	if n == 1 {
		return "Its process ends: first they are asked to, then they are made to."
	}
	return "Its processes end, up to " + number(n) + " of them: first they are asked to, then they are made to."
}

// CloudKillFinal is "A run that was killed does not go on. Shards that have succeeded stay so.".
func (l Lang) CloudKillFinal() string {
	if l == Chinese {
		return "被终止的运行不会继续。已成功的分片保持成功。"
	}
	return "A run that was killed does not go on. Shards that have succeeded stay so."
}

// CloudKillNext is "The job itself stays as it is: its next fire time makes a new run.".
func (l Lang) CloudKillNext() string {
	if l == Chinese {
		return "作业本身不变：下一次触发会产生新的运行。"
	}
	return "The job itself stays as it is: its next fire time makes a new run."
}

// CloudKillShardAgain is "With failover another attempt may follow.".
func (l Lang) CloudKillShardAgain() string {
	if l == Chinese {
		return "开启 failover 时，可能再尝试一次。"
	}
	return "With failover another attempt may follow."
}

// CloudKillShardEffect is "Its process ends. The other shards go on.".
func (l Lang) CloudKillShardEffect() string {
	if l == Chinese {
		return "其进程结束，其他分片继续。"
	}
	return "Its process ends. The other shards go on."
}

// CloudKillShardTitle is "Kill the process of shard {n}?".
func (l Lang) CloudKillShardTitle(n string) string {
	if l == Chinese {
		return "终止分片 " + n + " 的进程？"
	}
	return "Kill the process of shard " + n + "?"
}

// CloudKillTitle is "Kill {run}?".
func (l Lang) CloudKillTitle(run string) string {
	if l == Chinese {
		return "终止 " + run + "？"
	}
	return "Kill " + run + "?"
}

// CloudKilled is "Killed".
func (l Lang) CloudKilled() string {
	if l == Chinese {
		return "已终止"
	}
	return "Killed"
}

// CloudLastFire is "Last fire time".
func (l Lang) CloudLastFire() string {
	if l == Chinese {
		return "上次触发时间"
	}
	return "Last fire time"
}

// CloudLastRuns is "Last runs".
func (l Lang) CloudLastRuns() string {
	if l == Chinese {
		return "最近的运行"
	}
	return "Last runs"
}

// CloudLeads is "Schedules here".
func (l Lang) CloudLeads() string {
	if l == Chinese {
		return "在此调度"
	}
	return "Schedules here"
}

// CloudLogAway is "The engine does not answer at present; the log is read again.".
func (l Lang) CloudLogAway() string {
	if l == Chinese {
		return "引擎目前没有响应；日志会再次读取。"
	}
	return "The engine does not answer at present; the log is read again."
}

// CloudLogCannot is "The engine keeps no logs.".
func (l Lang) CloudLogCannot() string {
	if l == Chinese {
		return "该引擎不保留日志。"
	}
	return "The engine keeps no logs."
}

// CloudLogDropped is "The log is kept no more.".
func (l Lang) CloudLogDropped() string {
	if l == Chinese {
		return "日志已不再保留。"
	}
	return "The log is kept no more."
}

// CloudLogEmpty is "The process has written nothing so far.".
func (l Lang) CloudLogEmpty() string {
	if l == Chinese {
		return "进程目前没有写任何内容。"
	}
	return "The process has written nothing so far."
}

// CloudLogLast is "the last {n, number} lines".
func (l Lang) CloudLogLast(n int) string {
	if l == Chinese {
		return "最后 " + number(n) + " 行"
	}
	return "the last " + number(n) + " lines"
}

// CloudLogMore is "More lines".
func (l Lang) CloudLogMore() string {
	if l == Chinese {
		return "更多行"
	}
	return "More lines"
}

// CloudLogNone is "There is no process yet, and so no log.".
func (l Lang) CloudLogNone() string {
	if l == Chinese {
		return "还没有进程，因此没有日志。"
	}
	return "There is no process yet, and so no log."
}

// CloudMerged is "Merged".
func (l Lang) CloudMerged() string {
	if l == Chinese {
		return "合并"
	}
	return "Merged"
}

// CloudMissed is "Missed".
func (l Lang) CloudMissed() string {
	if l == Chinese {
		return "错过"
	}
	return "Missed"
}

// CloudMostShards is "Most shards".
func (l Lang) CloudMostShards() string {
	if l == Chinese {
		return "最多分片"
	}
	return "Most shards"
}

// CloudNeeds is "Per process".
func (l Lang) CloudNeeds() string {
	if l == Chinese {
		return "每个进程"
	}
	return "Per process"
}

// CloudNeedsValue is "{cpu} CPU · {memory} MB".
func (l Lang) CloudNeedsValue(cpu string, memory string) string {
	if l == Chinese {
		return cpu + " CPU · " + memory + " MB"
	}
	return cpu + " CPU · " + memory + " MB"
}

// CloudNext is "Next".
func (l Lang) CloudNext() string {
	if l == Chinese {
		return "下次"
	}
	return "Next"
}

// CloudNo is "no".
func (l Lang) CloudNo() string {
	if l == Chinese {
		return "否"
	}
	return "no"
}

// CloudNoApp is "There is no app {name}.".
func (l Lang) CloudNoApp(name string) string {
	if l == Chinese {
		return "没有应用 " + name + "。"
	}
	return "There is no app " + name + "."
}

// CloudNoAttempt is "attempt {value} is none of this shard".
func (l Lang) CloudNoAttempt(value string) string {
	if l == Chinese {
		return "attempt " + value + " 不是此分片的尝试"
	}
	return "attempt " + value + " is none of this shard"
}

// CloudNoSchedule is "The schedule cannot be read.".
func (l Lang) CloudNoSchedule() string {
	if l == Chinese {
		return "无法读取调度。"
	}
	return "The schedule cannot be read."
}

// CloudNoStart is "Could not start".
func (l Lang) CloudNoStart() string {
	if l == Chinese {
		return "无法启动"
	}
	return "Could not start"
}

// CloudNoTasks is "No process has been made yet".
func (l Lang) CloudNoTasks() string {
	if l == Chinese {
		return "还没有创建进程"
	}
	return "No process has been made yet"
}

// CloudNode is "Machine".
func (l Lang) CloudNode() string {
	if l == Chinese {
		return "机器"
	}
	return "Machine"
}

// CloudNotFound is "There is no such app, job, run or shard in ElasticJob-Cloud.".
func (l Lang) CloudNotFound() string {
	if l == Chinese {
		return "ElasticJob-Cloud 中没有这个应用、作业、运行或分片。"
	}
	return "There is no such app, job, run or shard in ElasticJob-Cloud."
}

// CloudNotFoundHint is "The engine keeps the last runs of each job; older ones are in the history of runs.".
func (l Lang) CloudNotFoundHint() string {
	if l == Chinese {
		return "引擎只保留每个作业最近的运行；更早的在运行历史中。"
	}
	return "The engine keeps the last runs of each job; older ones are in the history of runs."
}

// CloudOff is "ElasticJob-Cloud is off in this console.".
func (l Lang) CloudOff() string {
	if l == Chinese {
		return "此控制台未启用 ElasticJob-Cloud。"
	}
	return "ElasticJob-Cloud is off in this console."
}

// CloudOffHint is "Start `console serve` with --cloud local, or `console demo --cloud`: both run jobs of ElasticJob-Cloud on their machine.".
func (l Lang) CloudOffHint() string {
	if l == Chinese {
		return "请以 --cloud local 启动 `console serve`，或启动 `console demo --cloud`：两者都在本机运行 ElasticJob-Cloud 的作业。"
	}
	return "Start `console serve` with --cloud local, or `console demo --cloud`: both run jobs of ElasticJob-Cloud on their machine."
}

// CloudOnRequest is "It runs on request alone.".
func (l Lang) CloudOnRequest() string {
	if l == Chinese {
		return "只按请求运行。"
	}
	return "It runs on request alone."
}

// CloudOriginPending is "Made up for".
func (l Lang) CloudOriginPending() string {
	if l == Chinese {
		return "补跑"
	}
	return "Made up for"
}

// CloudParamsHelp is "One JSON object, or nothing.".
func (l Lang) CloudParamsHelp() string {
	if l == Chinese {
		return "一个 JSON 对象，或留空。"
	}
	return "One JSON object, or nothing."
}

// CloudParts is "Parts of ElasticJob-Cloud".
func (l Lang) CloudParts() string {
	if l == Chinese {
		return "ElasticJob-Cloud 的各部分"
	}
	return "Parts of ElasticJob-Cloud"
}

// CloudPending is "Pending".
func (l Lang) CloudPending() string {
	if l == Chinese {
		return "待运行"
	}
	return "Pending"
}

// CloudPendingNote is "fire times that wait for a run".
func (l Lang) CloudPendingNote() string {
	if l == Chinese {
		return "等待运行的触发时间"
	}
	return "fire times that wait for a run"
}

// CloudProcess is "What a process is made of".
func (l Lang) CloudProcess() string {
	if l == Chinese {
		return "进程的组成"
	}
	return "What a process is made of"
}

// CloudProgram is "Program".
func (l Lang) CloudProgram() string {
	if l == Chinese {
		return "程序"
	}
	return "Program"
}

// CloudQueueFailover is "Shards that wait for a further attempt, because their process failed or was lost.".
func (l Lang) CloudQueueFailover() string {
	if l == Chinese {
		return "进程失败或丢失、等待再次尝试的分片。"
	}
	return "Shards that wait for a further attempt, because their process failed or was lost."
}

// CloudQueueFire is "Fire time".
func (l Lang) CloudQueueFire() string {
	if l == Chinese {
		return "触发时间"
	}
	return "Fire time"
}

// CloudQueueFull is "As many runs wait for the job as may.".
func (l Lang) CloudQueueFull() string {
	if l == Chinese {
		return "该作业等待的运行已达上限。"
	}
	return "As many runs wait for the job as may."
}

// CloudQueueFullHint is "Wait until some of them have run.".
func (l Lang) CloudQueueFullHint() string {
	if l == Chinese {
		return "请等其中一些运行完成。"
	}
	return "Wait until some of them have run."
}

// CloudQueueMore is "{n, plural, one {# more is not listed.} other {# more are not listed.}}".
func (l Lang) CloudQueueMore(n int) string {
	if l == Chinese {
		return "还有 " + number(n) + " 个未列出。"
	}
	if n == 1 {
		return number(n) + " more is not listed."
	}
	return number(n) + " more are not listed."
}

// CloudQueueNone is "Nothing at present".
func (l Lang) CloudQueueNone() string {
	if l == Chinese {
		return "目前没有"
	}
	return "Nothing at present"
}

// CloudQueueReady is "Waiting".
func (l Lang) CloudQueueReady() string {
	if l == Chinese {
		return "等待中"
	}
	return "Waiting"
}

// CloudQueueReadyNote is "Fire times and requests that have no run yet.".
func (l Lang) CloudQueueReadyNote() string {
	if l == Chinese {
		return "还没有运行的触发时间和请求。"
	}
	return "Fire times and requests that have no run yet."
}

// CloudQueueRequest is "Requested by {name}".
func (l Lang) CloudQueueRequest(name string) string {
	if l == Chinese {
		return "由 " + name + " 请求"
	}
	return "Requested by " + name
}

// CloudQueueRunning is "Processes that have not ended: those that run, and those that are about to.".
func (l Lang) CloudQueueRunning() string {
	if l == Chinese {
		return "尚未结束的进程：正在运行的和即将运行的。"
	}
	return "Processes that have not ended: those that run, and those that are about to."
}

// CloudQueues is "Queues".
func (l Lang) CloudQueues() string {
	if l == Chinese {
		return "队列"
	}
	return "Queues"
}

// CloudReady is "Ready".
func (l Lang) CloudReady() string {
	if l == Chinese {
		return "就绪"
	}
	return "Ready"
}

// CloudReasons is "What it waits for".
func (l Lang) CloudReasons() string {
	if l == Chinese {
		return "在等什么"
	}
	return "What it waits for"
}

// CloudReasonsSub is "as the engine says".
func (l Lang) CloudReasonsSub() string {
	if l == Chinese {
		return "引擎的说明"
	}
	return "as the engine says"
}

// CloudRefused is "ElasticJob-Cloud refuses that as things are.".
func (l Lang) CloudRefused() string {
	if l == Chinese {
		return "ElasticJob-Cloud 在当前状态下拒绝此操作。"
	}
	return "ElasticJob-Cloud refuses that as things are."
}

// CloudRefusedHint is "Nothing was changed.".
func (l Lang) CloudRefusedHint() string {
	if l == Chinese {
		return "未作任何更改。"
	}
	return "Nothing was changed."
}

// CloudRemove is "Remove".
func (l Lang) CloudRemove() string {
	if l == Chinese {
		return "移除"
	}
	return "Remove"
}

// CloudRemoveApp is "The description of the app is deleted. Programs and images stay where they are.".
func (l Lang) CloudRemoveApp() string {
	if l == Chinese {
		return "应用的描述会被删除。程序和镜像保留在原处。"
	}
	return "The description of the app is deleted. Programs and images stay where they are."
}

// CloudRemoveHasJobs is "{n, plural, one {# job uses} other {# jobs use}} the app, such as {job}. Remove that first.".
func (l Lang) CloudRemoveHasJobs(n int, job string) string {
	if l == Chinese {
		return "有 " + number(n) + " 个作业在使用该应用，例如 " + job + "。请先移除它们。"
	}
	if n == 1 {
		return number(n) + " job uses the app, such as " + job + ". Remove that first."
	}
	return number(n) + " jobs use the app, such as " + job + ". Remove that first."
}

// CloudRemoveHistory is "The history of its runs stays.".
func (l Lang) CloudRemoveHistory() string {
	if l == Chinese {
		return "它的运行历史会保留。"
	}
	return "The history of its runs stays."
}

// CloudRemoveJob is "The configuration of the job is deleted, with what waits for a run.".
func (l Lang) CloudRemoveJob() string {
	if l == Chinese {
		return "作业的配置以及等待运行的内容会被删除。"
	}
	return "The configuration of the job is deleted, with what waits for a run."
}

// CloudRemoveRequests is "{n, plural, one {# requested run that hasn't begun is} other {# requested runs that haven't begun are}} cancelled, and named in the audit log.".
func (l Lang) CloudRemoveRequests(n int) string {
	if l == Chinese {
		return number(n) + " 个尚未开始的请求运行将被取消；审计日志会列出它们。"
	}
	if n == 1 {
		return number(n) + " requested run that hasn't begun is cancelled, and named in the audit log."
	}
	return number(n) + " requested runs that haven't begun are cancelled, and named in the audit log."
}

// CloudRemoveRuns is "Runs that go on are killed.".
func (l Lang) CloudRemoveRuns() string {
	if l == Chinese {
		return "进行中的运行会被终止。"
	}
	return "Runs that go on are killed."
}

// CloudRemoveTitle is "Remove {name}?".
func (l Lang) CloudRemoveTitle(name string) string {
	if l == Chinese {
		return "移除 " + name + "？"
	}
	return "Remove " + name + "?"
}

// CloudRequested is "Requested".
func (l Lang) CloudRequested() string {
	if l == Chinese {
		return "已请求"
	}
	return "Requested"
}

// CloudResume is "Resume".
func (l Lang) CloudResume() string {
	if l == Chinese {
		return "继续"
	}
	return "Resume"
}

// CloudRunsCount is "{from, number}–{to, number} of {n, number}".
func (l Lang) CloudRunsCount(from int, to int, n int) string {
	if l == Chinese {
		return "第 " + number(from) + "–" + number(to) + " 条，共 " + number(n) + " 条"
	}
	return number(from) + "–" + number(to) + " of " + number(n)
}

// CloudRunsNone is "No run of ElasticJob-Cloud yet".
func (l Lang) CloudRunsNone() string {
	if l == Chinese {
		return "ElasticJob-Cloud 还没有运行"
	}
	return "No run of ElasticJob-Cloud yet"
}

// CloudRunsNoneSuch is "No run like this".
func (l Lang) CloudRunsNoneSuch() string {
	if l == Chinese {
		return "没有这样的运行"
	}
	return "No run like this"
}

// CloudRunsNoneText is "A job that is registered runs at its fire times, or when somebody triggers it. Its runs appear here by themselves.".
func (l Lang) CloudRunsNoneText() string {
	if l == Chinese {
		return "已注册的作业会在触发时间运行，也可以手动触发。运行会自动显示在这里。"
	}
	return "A job that is registered runs at its fire times, or when somebody triggers it. Its runs appear here by themselves."
}

// CloudSchedule is "Schedule".
func (l Lang) CloudSchedule() string {
	if l == Chinese {
		return "调度"
	}
	return "Schedule"
}

// CloudShardTitle is "Shard {number}".
func (l Lang) CloudShardTitle(number string) string {
	if l == Chinese {
		return "分片 " + number
	}
	return "Shard " + number
}

// CloudShardWaits is "The shard waits: no process has been made for it yet.".
func (l Lang) CloudShardWaits() string {
	if l == Chinese {
		return "该分片在等待：还没有为它创建进程。"
	}
	return "The shard waits: no process has been made for it yet."
}

// CloudShardsOf is "{m, number} of {n, plural, one {# shard} other {# shards}}".
func (l Lang) CloudShardsOf(m int, n int) string {
	if l == Chinese {
		return number(n) + " 个分片中的 " + number(m) + " 个"
	}
	if n == 1 {
		return number(m) + " of " + number(n) + " shard"
	}
	return number(m) + " of " + number(n) + " shards"
}

// CloudSince is "Since".
func (l Lang) CloudSince() string {
	if l == Chinese {
		return "自"
	}
	return "Since"
}

// CloudStates is "States of runs".
func (l Lang) CloudStates() string {
	if l == Chinese {
		return "运行状态"
	}
	return "States of runs"
}

// CloudSuspend is "Suspend".
func (l Lang) CloudSuspend() string {
	if l == Chinese {
		return "暂停"
	}
	return "Suspend"
}

// CloudSuspended is "Suspended".
func (l Lang) CloudSuspended() string {
	if l == Chinese {
		return "已暂停"
	}
	return "Suspended"
}

// CloudTask is "Task".
func (l Lang) CloudTask() string {
	if l == Chinese {
		return "任务"
	}
	return "Task"
}

// CloudToRuns is "To the runs".
func (l Lang) CloudToRuns() string {
	if l == Chinese {
		return "查看运行"
	}
	return "To the runs"
}

// CloudTrigger is "Trigger".
func (l Lang) CloudTrigger() string {
	if l == Chinese {
		return "触发"
	}
	return "Trigger"
}

// CloudTriggerEffect is "A run is requested. Its page is there as soon as the scheduler has made it.".
func (l Lang) CloudTriggerEffect() string {
	if l == Chinese {
		return "请求一次运行。调度器创建后即可看到它的页面。"
	}
	return "A run is requested. Its page is there as soon as the scheduler has made it."
}

// CloudTriggerEnv is "Its processes find the parameters in ELASTICJOB_RUN_PARAMETERS.".
func (l Lang) CloudTriggerEnv() string {
	if l == Chinese {
		return "它的进程可在 ELASTICJOB_RUN_PARAMETERS 中读到参数。"
	}
	return "Its processes find the parameters in ELASTICJOB_RUN_PARAMETERS."
}

// CloudTriggerTitle is "Trigger {job}".
func (l Lang) CloudTriggerTitle(job string) string {
	if l == Chinese {
		return "触发 " + job
	}
	return "Trigger " + job
}

// CloudTriggerWaits is "While another run of the job goes on, it waits.".
func (l Lang) CloudTriggerWaits() string {
	if l == Chinese {
		return "该作业的另一次运行进行时，它会等待。"
	}
	return "While another run of the job goes on, it waits."
}

// CloudTriggerWith is "What the run gets".
func (l Lang) CloudTriggerWith() string {
	if l == Chinese {
		return "本次运行的内容"
	}
	return "What the run gets"
}

// CloudType is "Type".
func (l Lang) CloudType() string {
	if l == Chinese {
		return "类型"
	}
	return "Type"
}

// CloudTypeName is "To confirm, type".
func (l Lang) CloudTypeName() string {
	if l == Chinese {
		return "请输入以确认："
	}
	return "To confirm, type"
}

// CloudUnnotifiedDaemon is "{handler} has no effect for a DAEMON job, because no notifications are sent for the runs its processes report.".
func (l Lang) CloudUnnotifiedDaemon(handler string) string {
	if l == Chinese {
		return handler + " 对 DAEMON 作业无效：其进程自行上报运行，失败时不发送通知。"
	}
	return handler + " has no effect for a DAEMON job, because no notifications are sent for the runs its processes report."
}

// CloudUnnotifiedHost is "{host} is not allowed. Add it to --cloud-notify-hosts of the console if jobs may send messages to it.".
func (l Lang) CloudUnnotifiedHost(host string) string {
	if l == Chinese {
		return host + " 不在允许之列。若允许作业向其发送，请将它加入控制台的 --cloud-notify-hosts。"
	}
	return host + " is not allowed. Add it to --cloud-notify-hosts of the console if jobs may send messages to it."
}

// CloudUnnotifiedOff is "{handler} needs --cloud-notify-hosts with the allowed hosts, because this console sends no notifications without it.".
func (l Lang) CloudUnnotifiedOff(handler string) string {
	if l == Chinese {
		return handler + " 需要用 --cloud-notify-hosts 指定允许发送到的主机：本控制台不发送通知。"
	}
	return handler + " needs --cloud-notify-hosts with the allowed hosts, because this console sends no notifications without it."
}

// CloudUnnotifiedProps is "The properties of {handler} are wrong: {text}".
func (l Lang) CloudUnnotifiedProps(handler string, text string) string {
	if l == Chinese {
		return handler + " 的属性有误：" + text
	}
	return "The properties of " + handler + " are wrong: " + text
}

// CloudUnreachable is "Unreachable".
func (l Lang) CloudUnreachable() string {
	if l == Chinese {
		return "失去联系"
	}
	return "Unreachable"
}

// CloudUnsupported is "The engine cannot do that.".
func (l Lang) CloudUnsupported() string {
	if l == Chinese {
		return "引擎不支持此操作。"
	}
	return "The engine cannot do that."
}

// CloudUnsupportedHint is "Another engine may. Nothing was changed.".
func (l Lang) CloudUnsupportedHint() string {
	if l == Chinese {
		return "其他引擎也许支持。未作任何更改。"
	}
	return "Another engine may. Nothing was changed."
}

// CloudUnused is "Kept, but without effect here: {fields}.".
func (l Lang) CloudUnused(fields string) string {
	if l == Chinese {
		return "会保留，但在此不起作用：" + fields + "。"
	}
	return "Kept, but without effect here: " + fields + "."
}

// CloudUnusedTitle is "Without effect".
func (l Lang) CloudUnusedTitle() string {
	if l == Chinese {
		return "不起作用"
	}
	return "Without effect"
}

// CloudWaiting is "Waiting".
func (l Lang) CloudWaiting() string {
	if l == Chinese {
		return "等待中"
	}
	return "Waiting"
}

// CloudWayFinish is "Let them finish".
func (l Lang) CloudWayFinish() string {
	if l == Chinese {
		return "等其完成"
	}
	return "Let them finish"
}

// CloudWayFinishText is "They go on to their end.".
func (l Lang) CloudWayFinishText() string {
	if l == Chinese {
		return "它们会运行到结束。"
	}
	return "They go on to their end."
}

// CloudWayKill is "Kill them".
func (l Lang) CloudWayKill() string {
	if l == Chinese {
		return "终止"
	}
	return "Kill them"
}

// CloudWayKillText is "Their processes end.".
func (l Lang) CloudWayKillText() string {
	if l == Chinese {
		return "它们的进程会结束。"
	}
	return "Their processes end."
}

// CloudWaySuspend is "Suspend them".
func (l Lang) CloudWaySuspend() string {
	if l == Chinese {
		return "暂停"
	}
	return "Suspend them"
}

// CloudWaySuspendText is "Their processes end. If it is enabled again within an hour, they go on.".
func (l Lang) CloudWaySuspendText() string {
	if l == Chinese {
		return "它们的进程会结束。一小时内重新启用则继续运行。"
	}
	return "Their processes end. If it is enabled again within an hour, they go on."
}

// CloudWeek is "Tasks that ran at a time, last seven days".
func (l Lang) CloudWeek() string {
	if l == Chinese {
		return "最近七天同时运行的任务"
	}
	return "Tasks that ran at a time, last seven days"
}

// CloudWeekHour is "{from} UTC: tasks that ran at a time: {tasks, number}; jobs: {jobs, number}".
func (l Lang) CloudWeekHour(from string, tasks int, jobs int) string {
	if l == Chinese {
		return from + " UTC：同时运行的任务 " + number(tasks) + "，作业 " + number(jobs)
	}
	return from + " UTC: tasks that ran at a time: " + number(tasks) + "; jobs: " + number(jobs)
}

// CloudWeekLabel is "The most tasks that ran at a time, hour by hour over seven days: {n, number}".
func (l Lang) CloudWeekLabel(n int) string {
	if l == Chinese {
		return "七天内每小时同时运行任务的最大数：" + number(n)
	}
	return "The most tasks that ran at a time, hour by hour over seven days: " + number(n)
}

// CloudWeekMost is "{n, plural, one {task} other {tasks}} at most".
func (l Lang) CloudWeekMost(n int) string {
	if l == Chinese {
		return "个任务为最大值"
	}
	if n == 1 {
		return "task at most"
	}
	return "tasks at most"
}

// CloudWeekUnknown is "{from} UTC: not counted".
func (l Lang) CloudWeekUnknown(from string) string {
	if l == Chinese {
		return from + " UTC：未统计"
	}
	return from + " UTC: not counted"
}

// CloudWhat is "What".
func (l Lang) CloudWhat() string {
	if l == Chinese {
		return "内容"
	}
	return "What"
}

// CloudWrongParams is "The parameters must be one JSON object of at most 64 KiB.".
func (l Lang) CloudWrongParams() string {
	if l == Chinese {
		return "参数必须是一个 JSON 对象，最多 64 KiB。"
	}
	return "The parameters must be one JSON object of at most 64 KiB."
}

// CloudWrongShards is "Write numbers of shards that the job has, such as 0, 2-4, or nothing for all.".
func (l Lang) CloudWrongShards() string {
	if l == Chinese {
		return "请填写该作业的分片号，例如 0, 2-4；留空表示全部。"
	}
	return "Write numbers of shards that the job has, such as 0, 2-4, or nothing for all."
}

// CloudYes is "yes".
func (l Lang) CloudYes() string {
	if l == Chinese {
		return "是"
	}
	return "yes"
}
