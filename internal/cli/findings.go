package cli

import (
	"encoding/json"
	"fmt"

	"github.com/elasticjob-go/elasticjob/internal/doctor"
)

// Findings prints the findings of the doctor as lines or as JSON. With errors or warnings among them
// it returns a failure.
func Findings(p *Process, list []doctor.Finding, asJSON bool) error {
	if asJSON {
		encoder := json.NewEncoder(p.Stdout)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(append([]doctor.Finding{}, list...)); err != nil {
			return err
		}
	} else {
		for _, finding := range list {
			if _, err := fmt.Fprintln(p.Stdout, finding); err != nil {
				return err
			}
		}
	}
	if wrong, doubtful := doctor.Faults(list); wrong+doubtful > 0 {
		return Fail("", "errors: %d, warnings: %d", wrong, doubtful)
	}
	return nil
}
