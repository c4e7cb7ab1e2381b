package app

import (
	"encoding/csv"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

// MostExported is how many runs an export has at most.
const MostExported = 10_000

// WriteRows answers with the lines of a CSV file. No spreadsheet takes one of its cells for a formula.
func WriteRows(c *gin.Context, rows [][]string) error {
	c.Header("Content-Type", "text/csv; charset=utf-8")
	c.Status(http.StatusOK)
	w := csv.NewWriter(c.Writer)
	for _, row := range rows {
		for i := range row {
			row[i] = inertCell(row[i])
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// inertCell is a text as a cell that no spreadsheet takes for a formula: those look
// at the first character that shows, some of the full width, too.
func inertCell(text string) string {
	shown := strings.TrimLeft(text, " \t\r\n\u00a0\u3000\ufeff\x00")
	if shown != text && shown != "" || strings.ContainsAny(text[:min(1, len(text))], "\t\r\n") {
		return "'" + text
	}
	for _, begin := range []string{"=", "+", "-", "@", "|", "%", "＝", "＋", "－", "＠"} {
		if strings.HasPrefix(shown, begin) {
			return "'" + text
		}
	}
	return text
}
