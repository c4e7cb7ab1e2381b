// Package cloudui is the templates of the pages of ElasticJob-Cloud, whose shards are processes.
// They take values of package cloud where they show them unchanged.
package cloudui
