package postgres_test

import (
	"fmt"

	"github.com/elasticjob-go/elasticjob/tracing/rdb/postgres"
)

func ExampleDSN() {
	fmt.Println(postgres.DSN("postgres://app:secret@db:5432/elasticjob")) // without the password
	fmt.Println("database postgres://db is incomplete:", postgres.DSN("postgres://db").Check() != nil)
	// Output:
	// postgres://app:***@db:5432/elasticjob
	// database postgres://db is incomplete: true
}
