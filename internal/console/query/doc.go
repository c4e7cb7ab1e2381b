// Package query reads the query strings of the console's lists, for its pages and
// for its REST interface, and writes those of their links. It is pure.
//
//	?q=…&status=… ──► [ParseJobs] ──► Jobs ──► Select ──► the rows of one page
//	                       │           └──► Href, the one address of that view
//	                       └──► problems: a page tells them and goes on, the API refuses
//
// Executions, the status trail and the audit have filters of package rdb and of
// the console's own database, which are read in the same way; [Leaf] turns the
// pages of a list that is read with cursors.
//
// Guarantee: the address that is written for a view gives that view back.
package query
