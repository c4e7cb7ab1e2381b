package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// settingsCommand is `elasticjob settings`: the settings that a console keeps.
type settingsCommand struct {
	Registry connections[registryFields] `cmd:"" help:"Registries that the console shows, next to the one of its command line."`
	Source   connections[sourceFields]   `cmd:"" help:"Data sources that the console reads the history of runs from."`
	View     viewCommand                 `cmd:"" help:"Saved views of the lists of jobs and runs."`
	Import   settingsImportCommand       `cmd:"" help:"Enter the registries and data sources of a Configurations.xml of ElasticJob's own console."`
}

// fields are the flags of a registry or of a data source.
type fields interface {
	// words returns the noun, the address in the REST interface and the columns of a table: their heads
	// and the keys of the answer.
	words() (noun, path string, columns [][2]string)
	// set writes the flags that are given into a request.
	set(p *cli.Process, request map[string]any) error
	// kept are the keys of an answer that a request takes as they are.
	kept() []string
}

// connections are the commands about registries, or about data sources.
type connections[F fields] struct {
	List   connectionList[F]   `cmd:"" help:"List them."`
	Add    connectionAdd[F]    `cmd:"" help:"Enter one. Nothing is connected to; test does that."`
	Edit   connectionEdit[F]   `cmd:"" help:"Change one: what no flag names stays as it is."`
	Remove connectionRemove[F] `cmd:"" help:"Remove one. Its registry or database stays as it is."`
	Test   connectionTest[F]   `cmd:"" help:"Connect with these flags, and store nothing."`
	Use    connectionUse[F]    `cmd:"" help:"Connect to one, and choose it for the token of this command, wherever a request names no other."`
}

// entered is a registry or a data source as the console answers it.
type entered map[string]any

func (e entered) name() string { return fmt.Sprint(e["name"]) }

type connectionList[F fields] struct {
	access
	watching
}

// Run implements [cli.Command].
func (c *connectionList[F]) Run(p *cli.Process) error {
	var flags F
	_, path, columns := flags.words()
	return show(p, settingsOf{&c.access}, c.watching, question[[]entered]{
		path: path, names: namesOf(entered.name),
		text: func(w io.Writer, list []entered) error {
			head := "NAME USED FIXED"
			for _, column := range columns {
				head += " " + column[0]
			}
			return table(w, head, func(row func(...any)) {
				for _, e := range list {
					cells := []any{e.name(), yes(e["activated"] == true), yes(e["fixed"] == true)}
					for _, column := range columns {
						cells = append(cells, valueOf(e, column[1]))
					}
					row(cells...)
				}
			})
		},
	})
}

// settingsOf asks about settings, which belong to no registry.
type settingsOf struct{ *access }

func (a settingsOf) with(p *cli.Process, do func(context.Context, *client) error) error {
	return a.access.with(p, "", "elasticjob audit", do)
}

// send sends a request that changes settings, and prints a line. mean explains a refusal; it may be nil.
func (a settingsOf) send(p *cli.Process, call api.Call, mean func(context.Context, *client, error) error, done string) error {
	return a.with(p, func(ctx context.Context, c *client) error {
		raw, err := c.Do(ctx, call)
		switch {
		case err != nil && mean != nil:
			return mean(ctx, c, err)
		case err != nil:
			return err
		case len(raw) == 0:
			raw = []byte("true")
		}
		return a.print(p, raw, func() error { _, err := fmt.Fprintln(p.Stdout, api.Plain(done)); return err })
	})
}

// named are the flags of commands about a registry or a data source with a name.
type named struct {
	access
	Name string `arg:"" name:"name" help:"The name."`
}

type connectionAdd[F fields] struct {
	named
	Flags F `embed:""`
}

// Run implements [cli.Command].
func (c *connectionAdd[F]) Run(p *cli.Process) error {
	noun, path, _ := c.Flags.words()
	request := map[string]any{"name": c.Name}
	if err := c.Flags.set(p, request); err != nil {
		return err
	}
	return settingsOf{&c.access}.send(p, api.Call{Method: http.MethodPost, Path: path, Body: request}, nil, noun+" "+c.Name+" is entered")
}

type connectionEdit[F fields] struct {
	named
	Flags F `embed:""`
}

// Run implements [cli.Command].
func (c *connectionEdit[F]) Run(p *cli.Process) error {
	noun, path, _ := c.Flags.words()
	changes := map[string]any{}
	if err := c.Flags.set(p, changes); err != nil {
		return err
	}
	if len(changes) == 0 {
		return cli.Usage("Its help lists the flags.", "no flag names a change")
	}
	a := settingsOf{&c.access}
	return a.with(p, func(ctx context.Context, client *client) error {
		before, err := client.entered(ctx, noun, path, c.Name)
		if err != nil {
			return err
		}
		request := map[string]any{}
		for _, key := range c.Flags.kept() {
			if value, there := before[key]; there && changes["url"] == nil {
				request[key] = value
			}
		}
		if way, changed := changes["tls"].(map[string]any); changed {
			stored, _ := before["tls"].(map[string]any) // nil without TLS.
			changes["tls"] = merged(stored, way)
		}
		request = merged(request, changes)
		raw, err := client.Do(ctx, api.Call{Method: http.MethodPut, Path: api.Path(path, c.Name), Body: request})
		if err != nil {
			return err
		}
		return c.print(p, raw, func() error {
			_, err := fmt.Fprintln(p.Stdout, api.Plain(noun+" "+c.Name+" is changed"))
			return err
		}, c.Name)
	})
}

// entered returns a registry or a data source.
func (c *client) entered(ctx context.Context, noun, path, name string) (entered, error) {
	var list []entered
	if _, err := c.Ask(ctx, api.Call{Method: http.MethodGet, Path: path}, &list); err != nil {
		return nil, err
	}
	if at := slices.IndexFunc(list, func(e entered) bool { return e.name() == name }); at >= 0 {
		return list[at], nil
	}
	return nil, didYouMean(cli.Fail("Its command list has the names.", "there is no %s %q", noun, name), name, namesOf(entered.name)(list))
}

// meant adds the name that was probably meant to a refusal.
func meant(noun, path, name string) func(context.Context, *client, error) error {
	return func(ctx context.Context, c *client, err error) error {
		if !api.NotFound(err) {
			return err
		}
		if _, unknown := c.entered(ctx, noun, path, name); unknown != nil {
			return unknown
		}
		return err
	}
}

type connectionRemove[F fields] struct {
	named
	confirming
}

// Run implements [cli.Command].
func (c *connectionRemove[F]) Run(p *cli.Process) error {
	var flags F
	noun, path, _ := flags.words()
	if err := ask(p, c.Yes, fmt.Sprintf("Remove %s %s from the console?", noun, c.Name)); err != nil {
		return err
	}
	return settingsOf{&c.access}.send(p, api.Call{Method: http.MethodDelete, Path: api.Path(path, c.Name)}, meant(noun, path, c.Name), noun+" "+c.Name+" is removed")
}

type connectionUse[F fields] struct{ named }

// Run implements [cli.Command].
func (c *connectionUse[F]) Run(p *cli.Process) error {
	var flags F
	noun, path, _ := flags.words()
	return settingsOf{&c.access}.send(p, api.Call{Method: http.MethodPost, Path: path + "/connect", Body: map[string]string{"name": c.Name}}, meant(noun, path, c.Name), noun+" "+c.Name+" is used")
}

type connectionTest[F fields] struct {
	access
	Flags F `embed:""`
}

// Run implements [cli.Command].
func (c *connectionTest[F]) Run(p *cli.Process) error {
	noun, path, _ := c.Flags.words()
	request := map[string]any{"name": "test"}
	if err := c.Flags.set(p, request); err != nil {
		return err
	}
	return settingsOf{&c.access}.send(p, api.Call{Method: http.MethodPost, Path: path + "/connectTest", Body: request}, nil, "the "+noun+" answers")
}

// registryFields are the flags of a registry.
type registryFields struct {
	Servers    string  `placeholder:"HOST:PORT,…" help:"The servers of ZooKeeper, with a chroot behind the last one if there is one."`
	Namespace  *string `placeholder:"PATH" help:"The folder in ZooKeeper below which the agents register."`
	DigestFile string  `placeholder:"FILE" help:"A file with the account, as user:password; an empty file for none."`
	ACL        *string `name:"acl" placeholder:"ACL" help:"The access list of nodes that the console makes."`
	TLS        *bool   `name:"tls" negatable:"" help:"Connect with TLS."`
	CA         string  `name:"ca" placeholder:"FILE" help:"The authority of the servers, in PEM; implies --tls."`
	Cert       string  `placeholder:"FILE" help:"The certificate of the console, in PEM; implies --tls."`
	KeyFile    string  `placeholder:"FILE" help:"The key of --cert, in PEM."`
	ServerName string  `placeholder:"NAME" help:"The name in the certificates of the servers, if it's not their address; implies --tls."`
}

func (registryFields) words() (noun, path string, columns [][2]string) {
	return "registry", "/api/registry-center", [][2]string{{"SERVERS", "zkAddressList"}, {"NAMESPACE", "namespace"}}
}

func (registryFields) kept() []string { return []string{"zkAddressList", "namespace", "tls", "acl"} }

func (f registryFields) set(p *cli.Process, request map[string]any) error {
	given(request, "zkAddressList", f.Servers)
	if f.Namespace != nil {
		request["namespace"] = *f.Namespace
	}
	if f.ACL != nil {
		request["acl"] = *f.ACL
	}
	if err := secretFrom(p, request, "digest", f.DigestFile); err != nil {
		return err
	}
	tls := map[string]any{}
	given(tls, "serverName", f.ServerName)
	for key, file := range map[string]string{"ca": f.CA, "cert": f.Cert, "key": f.KeyFile} {
		if err := secretFrom(p, tls, key, file); err != nil {
			return err
		}
	}
	switch on := f.TLS == nil || *f.TLS; {
	case len(tls) > 0 && !on:
		return cli.Usage("Leave them out.", "--no-tls leaves --ca, --cert, --key-file and --server-name nothing to do")
	case len(tls) > 0 || f.TLS != nil:
		tls["enabled"] = on
		request["tls"] = tls
	}
	return nil
}

// sourceFields are the flags of a data source.
type sourceFields struct {
	URL        string            `name:"url" placeholder:"URL" help:"The address in one, as JDBC has it, such as jdbc:mysql://db:3306/elasticjob."`
	Type       string            `enum:",mysql,postgres,sqlite" default:"" placeholder:"TYPE" help:"The database: mysql, postgres or sqlite."`
	Host       string            `placeholder:"HOST" help:"The server."`
	Port       int               `placeholder:"PORT" help:"Its port. Default: the usual one of the database."`
	Database   string            `placeholder:"NAME" help:"The name of the database; for sqlite the file."`
	Account    *string           `placeholder:"NAME" help:"The account in the database."`
	SecretFile string            `placeholder:"FILE" help:"A file with the password of --account."`
	Option     map[string]string `placeholder:"NAME=VALUE" help:"An option of the connection; may be repeated. All options are replaced together."`
}

func (sourceFields) words() (noun, path string, columns [][2]string) {
	return "data source", "/api/data-source", [][2]string{{"TYPE", "type"}, {"ACCOUNT", "username"}, {"URL", "url"}}
}

func (sourceFields) kept() []string {
	return []string{"type", "host", "port", "database", "username", "options"}
}

func (f sourceFields) set(p *cli.Process, request map[string]any) error {
	if f.URL != "" && f.Type+f.Host+f.Database != "" {
		return cli.Usage("Give the one or the other.", "--url and --type, --host or --database are both given")
	}
	given(request, "url", f.URL)
	given(request, "type", f.Type)
	given(request, "host", f.Host)
	given(request, "database", f.Database)
	if f.Account != nil {
		request["username"] = *f.Account
	}
	if f.Port != 0 {
		request["port"] = f.Port
	}
	if len(f.Option) > 0 {
		request["options"] = f.Option
	}
	return secretFrom(p, request, "password", f.SecretFile)
}

// merged returns a request with changes.
func merged(request, changes map[string]any) map[string]any {
	all := map[string]any{}
	maps.Copy(all, request)
	maps.Copy(all, changes)
	return all
}

// given sets a key of a request unless the flag was left out.
func given(request map[string]any, key, value string) {
	if value != "" {
		request[key] = value
	}
}

// mostSecret bounds the file of a password, a key or a certificate.
const mostSecret = 64 << 10

// secretFrom sets a key of a request to the content of a file, without the end of its last line.
func secretFrom(p *cli.Process, request map[string]any, key, file string) error {
	if file == "" {
		return nil
	}
	text, err := readText(p, "@"+file, mostSecret)
	if err != nil {
		return cli.Fail("", "read the file of %s: %w", key, err)
	}
	request[key] = strings.TrimRight(string(text), "\r\n")
	return nil
}

// settingsImportCommand is `elasticjob settings import`.
type settingsImportCommand struct {
	access
	confirming
	File string `arg:"" name:"file" help:"The Configurations.xml, - for standard input."`
}

func (c *settingsImportCommand) Run(p *cli.Process) error {
	given := c.File
	if given != "-" {
		given = "@" + given
	}
	text, err := readText(p, given, 1<<20)
	if err != nil {
		return cli.Fail("Name the file that ElasticJob's console keeps in ~/.elasticjob-console.", "read the settings: %w", err)
	}
	a := settingsOf{&c.access}
	return a.with(p, func(ctx context.Context, client *client) error {
		var planned importAnswer
		send := func(preview bool) (raw []byte, err error) {
			planned = importAnswer{}
			return client.Ask(ctx, api.Call{Method: http.MethodPost, Path: "/api/settings/import", Body: map[string]any{"xml": string(text), "preview": preview}}, &planned)
		}
		if !c.Yes {
			if _, err := send(true); err != nil {
				return err
			}
			if err := planned.print(p.Stderr); err != nil {
				return err
			}
			if err := ask(p, false, "Enter the new ones?"); err != nil {
				return err
			}
		}
		raw, err := send(false)
		if err != nil {
			return err
		}
		return c.print(p, raw, func() error { return planned.print(p.Stdout) })
	})
}

// importAnswer has what an import enters, or would enter.
type importAnswer struct {
	Entries []struct {
		Kind    string   `json:"kind"`
		Name    string   `json:"name"`
		Outcome string   `json:"outcome"`
		Message string   `json:"message"`
		Dropped []string `json:"dropped"`
	} `json:"entries"`
}

func (a importAnswer) print(w io.Writer) error {
	return table(w, "KIND NAME OUTCOME REASON", func(row func(...any)) {
		for _, e := range a.Entries {
			reason := e.Message
			if len(e.Dropped) > 0 {
				reason = strings.TrimPrefix(reason+"; left out: "+strings.Join(e.Dropped, ", "), "; ")
			}
			row(e.Kind, e.Name, e.Outcome, reason)
		}
	})
}

// viewCommand is `elasticjob settings view`.
type viewCommand struct {
	List   viewListCommand   `cmd:"" help:"List your views and the shared views."`
	Save   viewSaveCommand   `cmd:"" help:"Save a view: a name for the filters of a list."`
	Remove viewRemoveCommand `cmd:"" help:"Remove a view."`
}

type viewListCommand struct{ access }

// Run implements [cli.Command].
func (c *viewListCommand) Run(p *cli.Process) error {
	return show(p, settingsOf{&c.access}, watching{}, question[[]api.View]{
		path: "/api/views", names: namesOf(func(v api.View) string { return v.Name }),
		text: func(w io.Writer, list []api.View) error {
			return table(w, "AREA NAME SHARED USER QUERY", func(row func(...any)) {
				for _, v := range list {
					row(v.Area, v.Name, yes(v.Shared), v.User, v.Query)
				}
			})
		},
	})
}

// ofView is a view of a command.
type ofView struct {
	access
	Area   string `arg:"" enum:"jobs,runs" help:"The list: jobs or runs."`
	Name   string `arg:"" name:"name" help:"The name of the view."`
	Shared bool   `help:"The view of all users, not your own."`
}

type viewSaveCommand struct {
	ofView
	Query string `arg:"" name:"query" help:"The filters, as in the address of the list, such as state=failed&q=billing."`
}

// Run implements [cli.Command].
func (c *viewSaveCommand) Run(p *cli.Process) error {
	return settingsOf{&c.access}.send(p, api.Call{Method: http.MethodPost, Path: "/api/views", Body: api.ViewRequest{Area: c.Area, Name: c.Name, Query: c.Query, Shared: c.Shared}}, nil, "view "+c.Name+" is saved")
}

type viewRemoveCommand struct{ ofView }

// Run implements [cli.Command].
func (c *viewRemoveCommand) Run(p *cli.Process) error {
	asked := url.Values{}
	if c.Shared {
		asked.Set("shared", "true")
	}
	return settingsOf{&c.access}.send(p, api.Call{Method: http.MethodDelete, Path: api.Path("/api/views", c.Area, c.Name), Query: asked}, nil, "view "+c.Name+" is removed")
}
