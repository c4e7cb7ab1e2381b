package health

import (
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
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
