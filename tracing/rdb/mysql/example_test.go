package mysql_test

import (
	"fmt"

	"github.com/elasticjob-go/elasticjob/tracing/rdb/mysql"
)

func ExampleDSN() {
	fmt.Println(mysql.DSN("mysql://app:secret@db:3306/elasticjob")) // without the password
	fmt.Println(mysql.DSN("oracle://db/elasticjob").Check())
	// Output:
	// mysql://app:***@db:3306/elasticjob
	// open database oracle://db/elasticjob: bad data source name; write user:password@tcp(host:3306)/database?parameters
}
