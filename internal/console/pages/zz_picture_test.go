package pages

import (
	"os"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
)

func keepPicture(t *testing.T, tab *browser.Tab, name string) {
	if dir := os.Getenv("PICTURES"); dir != "" {
		data, err := tab.Picture()
		if err != nil {
			t.Fatal(err)
		}
		_ = os.WriteFile(dir+"/"+name+".png", data, 0o600)
	}
}
