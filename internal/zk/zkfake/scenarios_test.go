package zkfake_test

import "slices"

type scenario struct{ name, text string }

// scenarios are the hand-written half of the comparison with a real server: at least one case for
// each operation, each of its errors, each kind of node and each way in which a watch fires or
// stays silent.
var scenarios = slices.Concat(basicScenarios, watchScenarios, multiScenarios, accessScenarios)

var basicScenarios = []scenario{
	{"create and read", `
		1 create p /a hello
		1 get /a
		1 exists /a
		1 ls /a
		1 ls2 /a
		1 ls2 .
		1 getacl /a`},
	{"create in all modes", `
		1 create p /p x
		1 create e /e x
		1 create s /s- x
		1 create es /es- x
		1 create c /c x
		1 create t /t x
		1 create ts /ts- x
		1 create bad /bad x
		1 ls2 .
		1 get /p
		1 get /e
		1 get /s-0000000002
		1 get /es-0000000003
		1 get /c`},
	{"create2 in all modes", `
		1 create2 p /p x
		1 create2 e /e x
		1 create2 s /s- x
		1 create2 es /es- x
		1 create2 c /c x
		1 create2 t /t x
		1 ls2 .`},
	{"null, empty and some data", `
		1 create p /null -
		1 create p /empty _
		1 create p /some x
		1 get /null
		1 get /empty
		1 get /some
		1 set /some - -1
		1 get /some
		1 set /null _ -1
		1 get /null`},
	{"create errors", `
		1 create p /a x
		1 create p /a x
		1 create e /a x
		1 create p /no/such x
		1 create e /e x
		1 create p /e/child x
		1 create es /e/child- x
		1 create s /no/such- x
		1 create p ! x
		1 create p !/ x
		1 create p !nope x
		1 create p !/R/ x
		1 create p !R/ x
		1 create p !R//a x
		1 create p !R/./a x
		1 create p !R/../a x
		1 create p !R/. x
		1 create p !R/.. x
		1 create p !R/... x
		1 create p !R/.a x
		1 create p !R/a. x
		1 create p !R/a..b x
		1 create p !R/nul\x00 x
		1 create p !R/ctl\x01 x
		1 create p !R/del\x7f x
		1 create p !R/c1\u0085 x
		1 create p !R/private\ue000 x
		1 create p !R/special\ufff0 x
		1 create p !R/emoji\U0001f600 x
		1 create p !R/broken\xff x
		1 create p !R/chinese\u4e2d x
		1 create p !R/space\x20x x
		1 ls2 .`},
	{"sequence numbers count creations", `
		1 create s /s- x
		1 create s /s- x
		1 delete /s-0000000000 -1
		1 create s /s- x
		1 create p /other x
		1 create s /t- x
		1 delete /other -1
		1 create es /u- x
		1 create s / x
		1 create s /s-0000000000/ x
		1 create s /s-0000000001/ x
		1 ls2 .
		1 ls2 /s-0000000001`},
	{"sequence below a sequence", `
		1 create p /d x
		1 create s /d/q- a
		1 create s /d/q- b
		1 delete /d/q-0000000000 0
		1 delete /d/q-0000000001 0
		1 create s /d/q- c
		1 ls2 /d`},
	{"set and versions", `
		1 create p /a one
		1 set /a two 0
		1 set /a three 0
		1 set /a three 1
		1 set /a four -1
		1 set /a five 7
		1 set /a five -2
		1 get /a
		1 set /missing x -1
		1 set !/ x 99
		1 set !bad x 0
		1 set ! x 0
		1 set !R/a/ x 0
		2 get /a
		2 set /a six 3`},
	{"delete and versions", `
		1 create p /a x
		1 create p /a/b x
		1 delete /a 0
		1 delete /a 5
		1 delete /a/b 1
		1 delete /a/b 0
		1 delete /a/b 0
		1 ls2 /a
		1 set /a y 0
		1 delete /a 0
		1 delete /a 1
		1 delete /missing -1
		1 delete /missing/child -1
		1 delete !/ -1
		1 delete ! -1
		1 delete !nope -1
		1 delete !/zookeeper -1
		1 delete !/zookeeper/quota -1
		1 delete !/zookeeper/config -1
		1 delete !R/a/ -1
		1 ls2 .`},
	{"reads of what is not there", `
		1 get /missing
		1 exists /missing
		1 ls /missing
		1 ls2 /missing
		1 getacl /missing
		1 sync /missing
		1 allchildren /missing
		1 exists !bad
		1 exists !R/nul\x00
		1 get !R/nul\x00
		1 ls !R/
		1 sync !bad`},
	{"parents count what happens to children", `
		1 create p /d x
		1 ls2 /d
		1 create p /d/a x
		1 ls2 /d
		1 create p /d/b x
		1 exists /d
		1 set /d/a y 0
		1 exists /d
		1 delete /d/a 1
		1 exists /d
		1 create p /d/a x
		1 exists /d
		1 set /d y 0
		1 exists /d`},
}

var multiScenarios = []scenario{
	{"multi of everything", `
		1 create p /a x
		2 get /a w
		2 ls . w
		2 exists /b w
		1 multi check /a 0 ; create p /b y ; set /a z 0 ; create e /e - ; create s /s- q ; delete /b 0
		1 ls2 .
		1 get /a`},
	{"multi with the longer replies", `
		1 multi create2 p /a x ; create2 e /b y ; container /c x ; ttl t /t x 5000 ; create2 s /a/s- z
		1 ls2 .
		1 get /c
		1 get /t`},
	{"multi sees its own steps", `
		1 multi create p /a x ; create p /a/b y ; set /a/b z 0 ; check /a/b 1 ; set /a/b q 1 ; delete /a/b 2 ; delete /a 0
		1 ls2 .
		1 multi create p /a x ; create s /a/s- x ; create s /a/s- x ; delete /a/s-0000000000 0 ; create s /a/s- x
		1 ls2 /a`},
	{"refused multi changes nothing", `
		1 create p /a x
		2 get /a w
		2 ls . w
		1 multi set /a y 0 ; create p /b x ; check /a 7 ; delete /a -1
		1 multi create p /a x
		1 multi delete /missing -1 ; create p /c x
		1 multi create p /c x ; create p /c x
		1 multi create s /s- x ; delete /missing 0
		1 multi create e /e x ; delete /a 0 ; set /a y 0
		1 ls2 .
		1 get /a
		1 ephemerals .
		1 create s /s- x`},
	{"empty multi", `
		1 multi
		1 ls2 .`},
	{"multi error of each kind", `
		1 create p /a x
		1 create p /a/b x
		1 create e /e x
		1 multi check /missing 0
		1 multi check /a 3
		1 multi check !bad 0
		1 multi set /missing x 0
		1 multi set /a x 3
		1 multi delete /a -1
		1 multi delete !/ -1
		1 multi create p /e/x x
		1 multi create p /no/x x
		1 multi create p !R// x
		1 multi create bad /bad x
		1 multi create2 bad /bad2 x
		1 multi create p /q x acl=none
		1 multi create t /t x
		1 multi create2 ts /t2 x
		1 multi create c /c x
		1 multi create2 c /c2 x
		1 multi ttl t /q x 0
		1 multi ttl p /ttlp x 5
		1 multi ttl e /ttle x 5
		1 multi ttl s /ttls- x 5
		1 multi ttl c /ttlc x 5
		1 multi ttl bad /ttlbad x 5
		1 multi ttl p /ttlp2 x -1
		1 multi ttl ts /tt- x 5
		1 multi create p /q x acl=unknown
		1 multi create p ! x
		1 ls2 .`},
	{"two multis in a row", `
		1 multi create p /a x ; create p /a/b y
		1 multi delete /a/b 0 ; delete /a 0
		1 multi create p /a x ; create p /a/b y
		1 ls2 /a
		1 ls2 .`},
	{"multi deletes and recreates under watches", `
		1 create p /a x
		2 get /a w
		2 exists /a w
		2 ls /a w
		2 ls . w
		1 multi delete /a 0 ; create p /a y ; set /a z 0
		2 get /a`},
	{"multi fires each watch once", `
		1 create p /a x
		2 get /a w
		1 multi set /a 1 -1 ; set /a 2 -1 ; set /a 3 -1
		2 get /a`},
	{"check steps fire nothing", `
		1 create p /a x
		2 get /a w
		1 multi check /a 0
		1 multi check /a -1 ; check . -1`},
	{"steps that a multi does not know", `
		1 multi setacl /a open -1
		1 multi get /a
		1 ping`},
	{"multiread", `
		1 create p /a x
		1 create p /a/b y
		1 multiread get /a ; ls /a ; get /missing ; ls /missing ; get /a/b
		1 multiread`},
	{"containers", `
		1 container /c x
		1 get /c
		1 container /c x
		1 create p /c/a x
		1 create e /c/e x
		1 container /c/inner -
		1 ls2 /c
		1 delete /c -1
		1 delete /c/a 0
		1 delete /c/e 0
		1 delete /c/inner 0
		1 delete /c 0`},
	{"ttl nodes", `
		1 ttl t /t x 5000
		1 get /t
		1 ttl ts /t- x 100000
		1 ttl t /zero x 0
		1 ttl t /minus x -1
		1 ttl t /huge x 1099511627775
		1 ttl t /toohuge x 1099511627776
		1 ttl p /wrong x 5
		1 ttl e /wrong3 x 5
		1 create p /t/child x
		1 ls2 /t
		1 ls2 .`},
}
