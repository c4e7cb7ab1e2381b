package cronwords_test

import (
	"bufio"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/cronwords"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

var examples = []struct{ cron, en, zh string }{
	// How often.
	{"* * * * * ?", "every second", "每秒"},
	{"0/10 * * * * ?", "every 10 s", "每 10 秒"},
	{"5/10 * * * * ?", "every 10 s from second 5 of each minute", "每分钟从第 5 秒起每 10 秒"},
	{"0,7,9,40 * * * * ?", "every minute at seconds 0, 7, 9 and 40", "每分钟的第 0、7、9、40 秒"},
	{"0/10 * 9-17 * * ?", "every 10 s from 09:00:00 to 17:59:50", "09:00:00 至 17:59:50 每 10 秒"},
	{"* 5 14 * * ?", "every second from 14:05:00 to 14:05:59", "14:05:00 至 14:05:59 每秒"},
	{"0 * * * * ?", "every minute", "每分钟"},
	{"0 0/5 * * * ?", "every 5 min", "每 5 分钟"},
	{"0 */5 * * * ?", "every 5 min", "每 5 分钟"},
	{"17 0/5 * * * ?", "every 5 min, at second 17", "每 5 分钟的第 17 秒"},
	{"0 3/5 * * * ?", "every 5 min from minute 3 of each hour", "每小时从第 3 分起每 5 分钟"},
	{"0 0/7 * * * ?", "every 7 min from minute 0 to 56 of each hour", "每小时第 0 至 56 分每 7 分钟"},
	{"0 0/5 9-17 ? * MON-FRI", "every 5 min from 09:00 to 17:55, Monday to Friday", "周一至周五，09:00 至 17:55 每 5 分钟"},
	{"0 0-5 14 * * ?", "every minute from 14:00 to 14:05", "14:00 至 14:05 每分钟"},
	{"0 0/5 0/8 * * ?", "every 5 min, in the hours 0, 8 and 16", "0、8、16 点每 5 分钟"},
	{"0 0,7,20 9-17 * * ?", "every hour at minutes 0, 7 and 20 from 09:00 to 17:20", "09:00 至 17:20 每小时的第 0、7、20 分"},
	{"0 0 * * * ?", "every hour", "每小时"},
	{"0 30 * * * ?", "every hour at minute 30", "每小时的第 30 分"},
	{"0 15,40 * * * ?", "every hour at minutes 15 and 40", "每小时的第 15、40 分"},
	{"0 0 0/6 * * ?", "every 6 h", "每 6 小时"},
	{"0 30 1/2 * * ?", "every 2 h from 01:30", "从 01:30 起每 2 小时"},
	{"0 0 0/5 * * ?", "every 5 h from 00:00 to 20:00", "00:00 至 20:00 每 5 小时"},
	{"0 0 9-17 * * ?", "every hour from 09:00 to 17:00", "09:00 至 17:00 每小时"},
	{"0 0/15 * ? 3-5 MON", "every 15 min, every Monday from March to May", "3 月至 5 月的每周一，每 15 分钟"},
	// At which times.
	{"0 30 2 * * ?", "every day at 02:30", "每天 02:30"},
	{"30 30 2 * * ?", "every day at 02:30:30", "每天 02:30:30"},
	{"0 0,30 9,10 * * ?", "every day at 09:00, 09:30, 10:00 and 10:30", "每天 09:00、09:30、10:00、10:30"},
	{"0 0 22-2 * * ?", "every day at 00:00, 01:00, 02:00, 22:00 and 23:00", "每天 00:00、01:00、02:00、22:00、23:00"},
	// On which days.
	{"0 0 8 ? * FRI", "every Friday at 08:00", "每周五 08:00"},
	{"0 0 8 ? * 1,7", "every Saturday and Sunday at 08:00", "每周六、周日 08:00"},
	{"0 0 8 ? * FRI-MON", "every Monday, Friday, Saturday and Sunday at 08:00", "每周一、周五、周六、周日 08:00"},
	{"0 30 2 ? * FRI#2", "on the second Friday of the month at 02:30", "每月第二个周五 02:30"},
	{"0 30 2 ? 3 6L", "on the last Friday of March at 02:30", "3 月最后一个周五 02:30"},
	{"0 0 0 1,15 * ?", "on the 1st and 15th of the month at 00:00", "每月 1 日、15 日 00:00"},
	{"0 0 0 11-13 * ?", "from the 11th to the 13th of the month at 00:00", "每月 11 日至 13 日 00:00"},
	{"0 0 12 1/2 * ?", "every 2 days from the 1st to the 31st of the month at 12:00", "每月 1 日至 31 日每 2 天 12:00"},
	{"0 0 0 22,23 1,7 ?", "on the 22nd and 23rd of January and July at 00:00", "1 月、7 月各月 22 日、23 日 00:00"},
	{"0 0 0 1 JAN-MAR ?", "on the 1st of each month from January to March at 00:00", "1 月至 3 月各月 1 日 00:00"},
	{"0 0 0 * 3,9 ?", "every day in March and September at 00:00", "3 月、9 月的每天 00:00"},
	{"0 0 0 L * ?", "on the last day of the month at 00:00", "每月最后一天 00:00"},
	{"0 0 0 L-3 * ?", "3 days before the last day of the month at 00:00", "每月最后一天的前 3 天 00:00"},
	{"0 0 0 LW * ?", "on the last weekday (Monday to Friday) of the month at 00:00", "每月最后一个工作日（周一至周五） 00:00"},
	{"0 0 0 15W * ?", "on the weekday (Monday to Friday) nearest to the 15th of the month at 00:00", "每月离 15 日最近的工作日（周一至周五） 00:00"},
	// In which years.
	{"0 0 12 1 1 ? 2027", "on the 1st of January at 12:00, only in 2027", "1 月 1 日 12:00（仅 2027 年）"},
	{"0 0 12 * * ? 2027-2030", "every day at 12:00, from 2027 to 2030", "每天 12:00（2027 至 2030 年）"},
	{"0 0 12 * * ? 2027/1", "every day at 12:00, from 2027 on", "每天 12:00（自 2027 年起）"},
	// What is written is not what fires.
	{"0 5X * * * ?", "every hour at minute 5", "每小时的第 5 分"},
	{"0 0 0 1,15W * ?", "on the weekday (Monday to Friday) nearest to the 1st of the month at 00:00", "每月离 1 日最近的工作日（周一至周五） 00:00"},
	{"0 0 0 ? * MON,WED#2", "on the second Monday of the month at 00:00", "每月第二个周一 00:00"},
	{"0 */0 99 99 * ?", "every minute", "每分钟"},
	// Words would mislead, or there is nothing to say.
	{"0 0 0 31W * ?", "0 0 0 31W * ?", "0 0 0 31W * ?"},
	{"0 0 0 L-30 * ?", "0 0 0 L-30 * ?", "0 0 0 L-30 * ?"},
	{"0 0 0 L-29W * ?", "0 0 0 L-29W * ?", "0 0 0 L-29W * ?"},
	{"0 0 0 ? * 9#2", "0 0 0 ? * 9#2", "0 0 0 ? * 9#2"},
	{"1-3 2/7 1,2,3 * * ?", "1-3 2/7 1,2,3 * * ?", "1-3 2/7 1,2,3 * * ?"},
	{"0 0 0 1 1 ? 1960", "0 0 0 1 1 ? 1960", "0 0 0 1 1 ? 1960"},
	{"every day", "every day", "every day"},
	{"", "", ""},
}

func TestText(t *testing.T) {
	t.Parallel()
	for _, c := range examples {
		if got := cronwords.Text(i18n.English, c.cron); got != c.en {
			t.Errorf("%q: %q, want %q", c.cron, got, c.en)
		}
		if got := cronwords.Text(i18n.Chinese, c.cron); got != c.zh {
			t.Errorf("%q: %q, want %q", c.cron, got, c.zh)
		}
	}
}

// TestEqualWordsFireAlike: whatever is written, two expressions with the same words
// fire at the same times. The expressions are those that Quartz itself was asked.
func TestEqualWordsFireAlike(t *testing.T) {
	t.Parallel()
	file, err := os.Open("../../quartz/testdata/corpus.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	type firing struct {
		cron  string
		times []time.Time
	}
	known, count := map[string]firing{}, 0
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		line := scanner.Text()
		if len(line) < 3 {
			continue
		}
		e, err := quartz.Parse(line[2:])
		if err != nil {
			continue
		}
		var times []time.Time
		for _, from := range []time.Time{time.Date(2026, 1, 31, 23, 59, 0, 0, time.UTC), time.Date(2028, 2, 27, 5, 7, 31, 0, time.UTC)} {
			times = append(times, e.NextN(from, time.UTC, 40)...)
		}
		_, english := cronwords.Words(i18n.English, e)
		for _, l := range i18n.Languages {
			words, ok := cronwords.Words(l, e)
			if ok != english {
				t.Errorf("%q has words in one language alone", e)
			}
			if !ok {
				continue
			}
			count++
			if other, ok := known[words]; ok && !slices.Equal(other.times, times) {
				t.Errorf("%q is said of %q and of %q, which fire at other times", words, e, other.cron)
			}
			known[words] = firing{e.String(), times}
		}
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	if count < 200 {
		t.Errorf("only %d expressions had words: the test read the wrong file", count)
	}
}
