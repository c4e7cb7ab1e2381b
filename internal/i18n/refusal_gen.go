// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// RefusalAlive is "Shut the job down, or stop its processes, first.".
func (l Lang) RefusalAlive() string {
	if l == Chinese {
		return "仍有存活的实例：请先终止实例，或结束其进程。"
	}
	return "Shut the job down, or stop its processes, first."
}

// RefusalAsListed is "Name instances as the job lists them.".
func (l Lang) RefusalAsListed() string {
	if l == Chinese {
		return "请按作业所列填写实例。"
	}
	return "Name instances as the job lists them."
}

// RefusalChanged is "The configuration has changed since it was read; reload it and repeat the change.".
func (l Lang) RefusalChanged() string {
	if l == Chinese {
		return "其间有人修改了配置；请重新查看。"
	}
	return "The configuration has changed since it was read; reload it and repeat the change."
}

// RefusalCheckName is "Check the name and the namespace.".
func (l Lang) RefusalCheckName() string {
	if l == Chinese {
		return "请检查名称和命名空间。"
	}
	return "Check the name and the namespace."
}

// RefusalClearMarker is "clear the running marker of".
func (l Lang) RefusalClearMarker() string {
	if l == Chinese {
		return "清除运行标记"
	}
	return "clear the running marker of"
}

// RefusalDigest is "The nodes belong to another digest; connect the registry with that one.".
func (l Lang) RefusalDigest() string {
	if l == Chinese {
		return "这些节点属于另一个 Digest；请用它连接注册中心。"
	}
	return "The nodes belong to another digest; connect the registry with that one."
}

// RefusalDump is "The dump service is off unless the process configures it, and listens on loopback by default.".
func (l Lang) RefusalDump() string {
	if l == Chinese {
		return "导出服务需由进程开启，默认只监听本机。"
	}
	return "The dump service is off unless the process configures it, and listens on loopback by default."
}

// RefusalEnable is "Enable the job or a server first.".
func (l Lang) RefusalEnable() string {
	if l == Chinese {
		return "请先启用作业或一台服务器。"
	}
	return "Enable the job or a server first."
}

// RefusalExists is "Open that one, or choose another name.".
func (l Lang) RefusalExists() string {
	if l == Chinese {
		return "同名作业已存在：请打开它，或换一个名称。"
	}
	return "Open that one, or choose another name."
}

// RefusalExplain is "Reload Explain.".
func (l Lang) RefusalExplain() string {
	if l == Chinese {
		return "请重新查看诊断。"
	}
	return "Reload Explain."
}

// RefusalForeign is "Move or delete it first.".
func (l Lang) RefusalForeign() string {
	if l == Chinese {
		return "存在不属于该作业的节点：请先移走或删除它。"
	}
	return "Move or delete it first."
}

// RefusalGivenUp is "The action was cancelled before ZooKeeper answered.".
func (l Lang) RefusalGivenUp() string {
	if l == Chinese {
		return "操作在收到应答前已放弃。"
	}
	return "The action was cancelled before ZooKeeper answered."
}

// RefusalInstances is "The page of the job lists its instances.".
func (l Lang) RefusalInstances() string {
	if l == Chinese {
		return "作业页面列出其实例。"
	}
	return "The page of the job lists its instances."
}

// RefusalInstancesAgain is "Reload the job's instances.".
func (l Lang) RefusalInstancesAgain() string {
	if l == Chinese {
		return "请重新查看作业的实例。"
	}
	return "Reload the job's instances."
}

// RefusalKeepsChanging is "The job keeps changing; reload it and repeat the action.".
func (l Lang) RefusalKeepsChanging() string {
	if l == Chinese {
		return "作业一直在变化；请重新查看后重复操作。"
	}
	return "The job keeps changing; reload it and repeat the action."
}

// RefusalLeft is "it has left".
func (l Lang) RefusalLeft() string {
	if l == Chinese {
		return "它已下线"
	}
	return "it has left"
}

// RefusalLook is "Check whether the action took effect before repeating it.".
func (l Lang) RefusalLook() string {
	if l == Chinese {
		return "重复之前请先查看操作是否已执行。"
	}
	return "Check whether the action took effect before repeating it."
}

// RefusalMarker is "Name the instance of the marker, as Explain shows it, once you know that it does not run the shard.".
func (l Lang) RefusalMarker() string {
	if l == Chinese {
		return "确认实例没有运行该分片后，请按诊断所示指定标记所属的实例。"
	}
	return "Name the instance of the marker, as Explain shows it, once you know that it does not run the shard."
}

// RefusalNameInstances is "Name the instances to trigger.".
func (l Lang) RefusalNameInstances() string {
	if l == Chinese {
		return "请指定要触发的实例。"
	}
	return "Name the instances to trigger."
}

// RefusalNoServers is "Servers register when a process that serves the job starts.".
func (l Lang) RefusalNoServers() string {
	if l == Chinese {
		return "作业没有服务器：运行该作业的进程启动时，其服务器会自动注册。"
	}
	return "Servers register when a process that serves the job starts."
}

// RefusalNotGo is "Only Go agents accept requested runs; trigger the job without parameters.".
func (l Lang) RefusalNotGo() string {
	if l == Chinese {
		return "只有本项目的实例接受请求的运行；请不带参数触发作业。"
	}
	return "Only Go agents accept requested runs; trigger the job without parameters."
}

// RefusalNotLet is "ZooKeeper does not let the console touch this job; its nodes belong to another digest.".
func (l Lang) RefusalNotLet() string {
	if l == Chinese {
		return "ZooKeeper 不允许控制台操作此作业；其节点属于另一个 digest。"
	}
	return "ZooKeeper does not let the console touch this job; its nodes belong to another digest."
}

// RefusalNumbers is "Shards are numbered from 0.".
func (l Lang) RefusalNumbers() string {
	if l == Chinese {
		return "分片从 0 开始编号。"
	}
	return "Shards are numbered from 0."
}

// RefusalOn is "{job} on {ip}".
func (l Lang) RefusalOn(job string, ip string) string {
	if l == Chinese {
		return ip + " 上的 " + job
	}
	return job + " on " + ip
}

// RefusalQueueFull is "Wait until some have begun, or cancel some.".
func (l Lang) RefusalQueueFull() string {
	if l == Chinese {
		return "请等待其中一些开始，或取消一些。"
	}
	return "Wait until some have begun, or cancel some."
}

// RefusalRemoveEntry is "remove".
func (l Lang) RefusalRemoveEntry() string {
	if l == Chinese {
		return "移除记录"
	}
	return "remove"
}

// RefusalRemoved is "The job was removed.".
func (l Lang) RefusalRemoved() string {
	if l == Chinese {
		return "作业已被删除。"
	}
	return "The job was removed."
}

// RefusalRename is "A job cannot be renamed; create another one.".
func (l Lang) RefusalRename() string {
	if l == Chinese {
		return "作业不能改名；请另建一个。"
	}
	return "A job cannot be renamed; create another one."
}

// RefusalRepairNode is "Agents can't read it either; repair the node.".
func (l Lang) RefusalRepairNode() string {
	if l == Chinese {
		return "实例也无法读取；请修复该节点。"
	}
	return "Agents can't read it either; repair the node."
}

// RefusalRun is "run {run} of {job}".
func (l Lang) RefusalRun(run string, job string) string {
	if l == Chinese {
		return job + " 的运行 " + run
	}
	return "run " + run + " of " + job
}

// RefusalRunActive is "Cancel the run first, or force the shutdown.".
func (l Lang) RefusalRunActive() string {
	if l == Chinese {
		return "请先取消该运行，或强制下线。"
	}
	return "Cancel the run first, or force the shutdown."
}

// RefusalServer is "server {ip}".
func (l Lang) RefusalServer(ip string) string {
	if l == Chinese {
		return "服务器 " + ip
	}
	return "server " + ip
}

// RefusalServerAbsent is "its server is not registered; agents give it no shards".
func (l Lang) RefusalServerAbsent() string {
	if l == Chinese {
		return "其服务器未注册，不会分到分片"
	}
	return "its server is not registered; agents give it no shards"
}

// RefusalServerAlive is "Shut the server down first.".
func (l Lang) RefusalServerAlive() string {
	if l == Chinese {
		return "服务器上仍有存活的实例：请先终止它们。"
	}
	return "Shut the server down first."
}

// RefusalShard is "shard {item, number} of {job}".
func (l Lang) RefusalShard(item int, job string) string {
	if l == Chinese {
		return job + " 的分片 " + number(item)
	}
	return "shard " + number(item) + " of " + job
}

// RefusalShorten is "Shorten the parameters.".
func (l Lang) RefusalShorten() string {
	if l == Chinese {
		return "请缩短参数。"
	}
	return "Shorten the parameters."
}

// RefusalStart is "Start a process that serves the job.".
func (l Lang) RefusalStart() string {
	if l == Chinese {
		return "请启动运行该作业的进程。"
	}
	return "Start a process that serves the job."
}

// RefusalStartHere is "Start a process that serves the job on this server.".
func (l Lang) RefusalStartHere() string {
	if l == Chinese {
		return "请在此服务器上启动运行该作业的进程。"
	}
	return "Start a process that serves the job on this server."
}

// RefusalStop is "Stop that process if the run does not end.".
func (l Lang) RefusalStop() string {
	if l == Chinese {
		return "分片正在运行；如果不结束，请停止该进程。"
	}
	return "Stop that process if the run does not end."
}

// RefusalUnsharded is "Shards appear when the job has been sharded; trigger it first.".
func (l Lang) RefusalUnsharded() string {
	if l == Chinese {
		return "作业分片之后才有分片；请先触发一次。"
	}
	return "Shards appear when the job has been sharded; trigger it first."
}

// RefusalWait is "Wait until it is a minute old.".
func (l Lang) RefusalWait() string {
	if l == Chinese {
		return "请等待标记满一分钟。"
	}
	return "Wait until it is a minute old."
}
