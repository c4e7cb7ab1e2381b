package quartz_test

import (
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

func Example() {
	expression, err := quartz.Parse("0 30 2 ? * FRI#2")
	if err != nil {
		fmt.Println(err)
		return
	}
	zone, err := quartz.ParseTimeZone("GMT+8")
	if err != nil {
		fmt.Println(err)
		return
	}
	after := time.Date(2026, time.November, 21, 0, 0, 0, 0, zone)
	for _, at := range expression.NextN(after, zone, 2) {
		fmt.Println(at)
	}

	_, err = quartz.Parse("0 30 2 ? * 8")
	fmt.Println(err)
	// Output:
	// 2026-12-11 02:30:00 +0800 GMT+08:00
	// 2027-01-08 02:30:00 +0800 GMT+08:00
	// cron expression "0 30 2 ? * 8": day-of-week "8": 8 is out of range; allowed: 1-7 (1 is Sunday) or SUN-SAT with , - * / or ?, L, nL, n#1 to n#5
}
