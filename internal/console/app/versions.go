package app

import (
	"log/slog"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// keepVersion keeps what was saved, and before the first version of a job what stood
// there. The change itself is done: a version that cannot be kept is reported in the log
// and the audit.
func (s *Console) keepVersion(c *gin.Context, job, reason string, before, after lifecycle.StoredConfig) {
	if s.opts.Settings == nil || before.Revision() == after.Revision() {
		return
	}
	ctx, cancel := s.Storing(c)
	defer cancel()
	v := settings.ConfigVersion{At: s.Now(), Registry: s.RegistryOf(c).SavedUnder(), Job: job}
	known, err := s.opts.Settings.ConfigVersions(ctx, v.Registry, job)
	if err == nil && before.Raw != nil && !slices.ContainsFunc(known, func(k settings.ConfigVersion) bool { return k.Revision == before.Revision() }) {
		v.Revision, v.Document = before.Revision(), string(before.Raw)
		err = s.opts.Settings.AddConfigVersion(ctx, v)
	}
	if err == nil {
		v.User, v.Reason, v.Revision, v.Document = Caller(c).Name, reason, after.Revision(), string(after.Raw)
		err = s.opts.Settings.AddConfigVersion(ctx, v)
	}
	if err != nil {
		s.Note(c, slog.Bool("version_kept", false))
		s.outage(c, "config_version", "a version of a configuration could not be kept", err)
	}
}

// SavedUnder is the registry of a version: the empty one is that of the command line.
func (r ActiveRegistry) SavedUnder() string {
	if r.name == DefaultRegistry {
		return ""
	}
	return r.name
}

// ReadVersions reads the saved configurations of a job, newest first; none without a
// database of the console's own.
func (s *Console) ReadVersions(c *gin.Context, job string) ([]settings.ConfigVersion, error) {
	if s.opts.Settings == nil {
		return nil, NoSettings()
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	list, err := s.opts.Settings.ConfigVersions(ctx, s.RegistryOf(c).SavedUnder(), job)
	if err != nil {
		return nil, SettingsDown(err)
	}
	if !May(c, Configures) {
		for i := range list {
			list[i].Document = ConfigText([]byte(list[i].Document), false)
		}
	}
	return list, nil
}

// SavedVersion is the version that somebody saved here as a revision of a job's
// configuration; ok is false if that is not known.
func SavedVersion(s *Console, c *gin.Context, job, revision string) (v settings.ConfigVersion, ok bool) {
	list, _ := VersionsAt(s, c, []settings.VersionAt{{Registry: s.RegistryOf(c).SavedUnder(), Job: job, Revision: revision}})
	i := slices.IndexFunc(list, func(v settings.ConfigVersion) bool { return v.User != "" })
	if i < 0 {
		return v, false
	}
	return list[i], true
}

// VersionsAt reads the versions with the names, newest first, with their secrets.
func VersionsAt(s *Console, c *gin.Context, names []settings.VersionAt) ([]settings.ConfigVersion, error) {
	if s.opts.Settings == nil || len(names) == 0 {
		return nil, nil
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	list, err := s.opts.Settings.ConfigVersionsAt(ctx, names)
	if err != nil {
		return nil, SettingsDown(err)
	}
	return list, nil
}
