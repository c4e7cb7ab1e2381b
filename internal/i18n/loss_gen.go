// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// LossHop is "failed over, {after} after the loss".
func (l Lang) LossHop(after string) string {
	if l == Chinese {
		return "失效转移，丢失后 " + after
	}
	return "failed over, " + after + " after the loss"
}

// LossLine is "{instance} left at +{after}".
func (l Lang) LossLine(instance string, after string) string {
	if l == Chinese {
		return instance + " 于 +" + after + " 离开"
	}
	return instance + " left at +" + after
}
