package archive_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/cloud/archive"
)

// An archive is only fetched from hosts on the list, and needs a checksum.
func Example() {
	hosts, err := archive.ParseHosts([]string{"repo.example", "mirror.example:8443"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fetcher := archive.Fetcher{Hosts: hosts}
	sum := strings.Repeat("0", 64)
	fmt.Println(fetcher.Check("https://repo.example/shop.tar.gz", sum))
	fmt.Println(fetcher.Fetch(context.Background(), "http://repo.example/shop.tar.gz", sum, "/nowhere"))
	fmt.Println(fetcher.Fetch(context.Background(), "https://elsewhere.example/shop.tar.gz", sum, "/nowhere"))
	// Output:
	// <nil>
	// http://repo.example/shop.tar.gz is not allowed; archives must be fetched by https: refused
	// host elsewhere.example:443 is not allowed, only repo.example, mirror.example:8443; add it to --cloud-fetch-hosts of the console if programs from there may be executed: refused
}
