package jobconfig

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/fullwidth"
)

// ParseItemParameters reads a text such as "0=Beijing,1=Shanghai" into the parameter of each shard.
// Blank text gives an empty map. Blanks around shards, keys and values and trailing commas are
// ignored. If a shard occurs twice, the last entry wins. A value can't contain a comma or an equals
// sign. The two error messages are ElasticJob's own.
func ParseItemParameters(s string) (map[int]string, error) {
	parameters := make(map[int]string)
	if s == "" {
		return parameters, nil
	}
	for _, entry := range splitJava(s, ",") {
		pair := splitJava(trimJava(entry), "=")
		if len(pair) != 2 || pair[0] == "" || trimJava(pair[1]) == "" {
			//lint:ignore ST1005 the message is ElasticJob's own
			return nil, fmt.Errorf("Sharding item parameters '%s' format error, should be int=xx,int=xx%s", s, fullwidth.Hint(s))
		}
		key := trimJava(pair[0])
		item, err := strconv.ParseInt(key, 10, 32)
		if err != nil {
			//lint:ignore ST1005 the message is ElasticJob's own
			return nil, fmt.Errorf("Sharding item parameters key '%s' is not an integer.%s", key, fullwidth.Hint(key))
		}
		parameters[int(item)] = trimJava(pair[1])
	}
	return parameters, nil
}

// splitJava splits like Java's String.split, which drops trailing empty parts.
func splitJava(s, sep string) []string {
	parts := strings.Split(s, sep)
	for len(parts) > 0 && parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	return parts
}

// trimJava trims like Java's String.trim: all characters up to a blank.
func trimJava(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
}
