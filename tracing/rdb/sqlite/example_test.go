package sqlite_test

import (
	"fmt"

	"github.com/elasticjob-go/elasticjob/tracing/rdb/sqlite"
)

func ExampleDSN() {
	fmt.Println(sqlite.DSN("/var/lib/service/history.db"))
	fmt.Println(sqlite.DSN("").Check())
	// Output:
	// sqlite:///var/lib/service/history.db
	// open database "": bad data source name; name a file: sqlite:///path/file.db
}
