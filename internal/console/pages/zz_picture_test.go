package pages

import (
	"os"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
)

func keepPicture(t *testing.T, tab *browser.Tab, name string) {
	if dir := os.Getenv("PICTURES"); dir != "" {
		width, _ := browser.Eval[int64](tab, "innerWidth")
		_ = tab.Size(width, 2300)
		data, err := tab.Picture()
		if err != nil {
			t.Fatal(err)
		}
		_ = os.WriteFile(dir+"/"+name+".png", data, 0o600)
	}
}
