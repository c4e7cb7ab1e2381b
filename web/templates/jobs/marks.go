package jobs

func current(on bool) string {
	if on {
		return "true"
	}
	return "false"
}
