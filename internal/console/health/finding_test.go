package health

import (
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// TestW82StatesInChinese: a state that a finding decides has the finding's sentence in the reader's
// language, not in English.
func TestW82StatesInChinese(t *testing.T) {
	t.Parallel()
	for code := range findingWords {
		for _, state := range []explain.State{explain.Blocked, explain.Partial, explain.Resharding} {
			h := Health{Judgement: explain.Judgement{State: state, Finding: &statistics.Finding{Code: code, Sentence: "English words."}}}
			_, sentence := said{i18n.Chinese, &h, &statistics.Job{}}.words()
			if strings.Contains(sentence, "English") || sentence == "" {
				t.Errorf("%s by %s: %q", state, code, sentence)
			}
		}
	}
}

// TestW91ChineseWords: findings in Chinese must be true for each case that the code has.
func TestW91ChineseWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		finding statistics.Finding
		want    string
	}{
		// The schedule may never have had a fire time.
		{statistics.Finding{Code: statistics.CodeCronNeverAgain, Field: "cron", Value: "0 30 2 28 3 ? 2027"}, "Cron 表达式 0 30 2 28 3 ? 2027 没有后续触发时间。"},
		// The fire time needn't be the next one after the beginning of the run.
		{statistics.Finding{Code: statistics.CodeOverrun, Items: []int{0}, Instance: "a"}, "分片 0：到之后的触发时间时仍标记为正在 a 上运行。"},
		{statistics.Finding{Code: statistics.CodeOverrun, Items: []int{0}, Node: explain.RunsNode}, "分片 0：按历史记录，到之后的触发时间时仍在运行，除非结束记录晚到。"},
		// A held run begins later than its time.
		{statistics.Finding{Code: statistics.CodeRunWaits, Run: "7", Wait: jobrun.Wait{Code: jobrun.WaitTime}}, "不会早于其时间开始；在此之前可以取消。"},
	} {
		if got, _ := Words(i18n.Chinese, c.finding); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.finding.Code, got, c.want)
		}
	}
	f := statistics.Finding{Code: statistics.CodeFiredEarly, Value: "2026-11-30 22:00:00 UTC", Advice: "Set the clock."}
	if _, advice := Words(i18n.Chinese, f); !strings.Contains(advice, "作业会在 "+f.Value+" 之后的第一个触发时间运行") {
		t.Errorf("the advice is %q", advice)
	}
}
