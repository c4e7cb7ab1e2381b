package ui

func testID(id, fallback string) string {
	if id == "" {
		return fallback
	}
	return id
}

func sortMark(s string) string {
	switch s {
	case "ascending":
		return "▲"
	case "descending":
		return "▼"
	}
	return ""
}
