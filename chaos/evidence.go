package main

import (
	"compress/gzip"
	"encoding/gob"
	"errors"
	"os"
	"path/filepath"

	"github.com/elasticjob-go/elasticjob/chaos/judge"
)

// evidence is what a campaign has collected, to be judged again by other rules.
type evidence struct {
	Seed     uint64
	Minutes  float64
	Rate     float64
	Java     string
	Counts   map[string]int
	Troubles []judge.Violation
	History  judge.History
}

const evidenceFile = "evidence.gob.gz"

// keepEvidence writes everything down that the verdict is made of.
func (c *campaign) keepEvidence() (err error) {
	file, err := os.Create(filepath.Join(c.dir, evidenceFile))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	zipped := gzip.NewWriter(file)
	err = gob.NewEncoder(zipped).Encode(evidence{c.opts.seed, c.opts.minutes, c.opts.rate, c.opts.java, c.counts, c.troubles, c.history})
	return errors.Join(err, zipped.Close())
}

// judgeAgain judges what is kept in a folder.
func judgeAgain(dir string) error {
	file, err := os.Open(filepath.Join(dir, evidenceFile))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // It was only read.
	zipped, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	var kept evidence
	if err := gob.NewDecoder(zipped).Decode(&kept); err != nil {
		return err
	}
	c := newCampaign(options{seed: kept.Seed, minutes: kept.Minutes, rate: kept.Rate, java: kept.Java}, dir)
	for range goAgents {
		c.agents = append(c.agents, &agent{}) // Only the kinds of their faults are asked for.
	}
	if kept.Java != "" {
		c.agents = append(c.agents, &agent{java: true})
	}
	c.history, c.counts, c.troubles = kept.History, kept.Counts, kept.Troubles
	return c.verdict()
}
