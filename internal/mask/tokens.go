package mask

import "regexp"

// tokens are secrets that are known by their form. tokenStarts are pieces of them in lower
// case, as rules have them.
var (
	tokens = regexp.MustCompile(`\beyJ[\w\-]{8,}\.[\w\-]+\.?[\w\-]*` + // JSON Web Tokens
		`|\b(?:A(?:KI|SI)A[0-9A-Z]{16}|LTAI[0-9A-Za-z]{12,}|AKID[0-9A-Za-z]{13,})` + // clouds
		`|\b(?:AIza[\w\-]{30,}|ya29\.[\w\-.]{10,}|GOCSPX-[\w\-]{20,})` +
		`|\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,})` + // GitHub
		`|\bgl(?:pat|dt|rt|ptt|cbt|soat|ft|imt|agent|sa)[\-_][\w\-.]{16,}` + // GitLab, Grafana
		`|\bxox[abeoprs]-[\w\-]{8,}|\bxapp-[\w\-]{8,}` + // Slack
		`|\b(?:sk|rk|pk)_(?:live|test)_\w{8,}|\bwhsec_[\w+/=]{8,}` + // Stripe
		`|\bejt_[a-z2-7]{16}_[\w\-]{20,}` + // our own
		`|\bsk-[\w\-]{20,}|\bhf_\w{20,}` + // models
		`|\bnpm_\w{20,}|\bpypi-[\w\-]{20,}|\bdckr_pat_[\w\-]{16,}|\brubygems_\w{20,}` + // registries
		`|\bSG\.[\w\-]{10,}\.[\w\-]{10,}|\bkey-[0-9a-f]{32}\b|\b\d{8,10}:AA[\w\-]{30,}` + // mail and messages
		`|\bdo[opr]_v1_\w{20,}|\bshp(?:at|ss|ca|pa)_\w{20,}|\bsq0(?:atp|csp)-[\w\-]{20,}` +
		`|\bNRAK-\w{20,}|\bPMAK-[\w\-]{20,}` +
		`|\blin_api_\w{20,}|\bsntry[su]_[\w=+/\-]{20,}|\btskey-[\w\-]{10,}|\bpul-[0-9a-f]{20,}|\bdapi[0-9a-f]{32}\b` +
		`|\bhv[sbr]\.[\w\-]{20,}|\bAGE-SECRET-KEY-1\w{20,}|\w{10,}\.atlasv1\.[\w\-]{20,}` + // keepers of secrets
		`|\$(?:2[abxy]|5|6|y|1|apr1|argon2\w*)\$[\w./$=,+\-]{10,}`) // hashes of passwords
	tokenStarts = []string{
		"eyj", "akia", "asia", "ltai", "akid", "aiza", "ya29.", "gocspx-", "gho_", "ghp_", "ghu_", "ghs_",
		"ghr_", "github_pat_", "glpat", "gldt", "glrt", "glptt", "glcbt", "glsoat", "glft", "glimt",
		"glagent", "glsa", "xox", "xapp-", "_live_", "_test_", "whsec_", "sk-", "hf_", "npm_", "pypi-",
		"dckr_", "rubygems_", "sg.", "key-", ":aa", "_v1_", "shp", "sq0", "nrak-", "pmak-", "lin_api_",
		"sntry", "tskey-", "pul-", "dapi", "hvs.", "hvb.", "hvr.", "atlasv1", "$1$", "$2", "$5$", "$6$",
		"$y$", "$apr1$", "$argon2", "ejt_",
	}
)
