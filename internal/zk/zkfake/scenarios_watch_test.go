package zkfake_test

var watchScenarios = []scenario{
	{"data watch fires on change, once", `
		1 create p /a x
		2 get /a w
		1 set /a y -1
		1 set /a z -1
		2 get /a w
		1 delete /a -1
		1 create p /a x`},
	{"data watch on a missing node is not left", `
		2 get /a w
		1 create p /a x
		1 set /a y -1`},
	{"exists watch fires on creation, change and deletion", `
		2 exists /a w
		1 create p /a x
		2 exists /a w
		1 set /a y -1
		2 exists /a w
		1 delete /a -1
		2 exists /a w
		1 create e /a x`},
	{"child watch fires on creation and deletion of children", `
		1 create p /d x
		2 ls /d w
		1 create p /d/a x
		2 ls2 /d w
		1 set /d/a y -1
		1 set /d y -1
		1 delete /d/a -1
		2 ls2 /d w
		1 delete /d -1
		2 ls2 /d w`},
	{"child watch on a missing node is not left", `
		2 ls /d w
		1 create p /d x
		1 create p /d/a x`},
	{"child watch is deaf to grandchildren", `
		1 create p /d x
		1 create p /d/a x
		2 ls /d w
		1 create p /d/a/b x
		1 delete /d/a/b -1`},
	{"who watches twice hears of a deletion once", `
		1 create p /d x
		2 get /d w
		2 exists /d w
		2 ls /d w
		1 delete /d -1
		1 create p /d x`},
	{"data and child watch with a change between", `
		1 create p /d x
		2 get /d w
		2 ls /d w
		1 set /d y -1
		1 delete /d -1`},
	{"own watches come before own replies", `
		1 create p /d x
		1 get /d w
		1 ls /d w
		1 create p /d/a x
		1 set /d y -1
		1 exists /d/a w
		1 delete /d/a -1`},
	{"deletion of a child notifies both", `
		1 create p /d x
		1 create p /d/a x
		2 ls /d w
		2 exists /d/a w
		2 ls /d/a w
		3 ls /d w
		1 delete /d/a -1
		3 ls /d
		2 ls /d`},
	{"refused writes fire nothing", `
		1 create p /a x
		2 get /a w
		2 ls . w
		1 set /a y 9
		1 delete /a 9
		1 create p /a x
		1 create p /no/such x
		2 get /a`},
	{"setacl fires nothing", `
		1 create p /a x
		2 get /a w
		2 ls /a w
		1 setacl /a readonly -1
		2 getacl /a
		1 set /a y -1`},
	{"watches of root-level names", `
		1 create p /a x
		2 exists /a/b w
		1 create p /a/b x
		2 exists /a/b
		2 exists /a/bc w
		1 create p /a/bb x
		1 create p /a/bc x`},
	{"ephemerals go with the session", `
		1 create p /d x
		2 create e /d/a x
		2 create es /d/s- x
		2 create e /e x
		2 ephemerals !
		2 ephemerals .
		2 ephemerals !/
		2 ephemerals /d
		1 ls2 /d w
		1 exists /e w
		1 exists /d/a w
		2 close
		1 ls2 /d
		1 exists /e
		1 ephemerals .`},
	{"ephemerals survive a reconnection", `
		2 create e /e x
		1 exists /e w
		2 reconnect
		1 exists /e
		2 set /e y 0
		2 ephemerals .
		2 close`},
	{"ephemeral deleted by another session", `
		2 create e /e x
		1 delete /e -1
		1 create e /e x
		2 close
		1 get /e`},
	{"a wrong password does not resume", `
		1 create e /e x
		1 intrude
		2 exists /e`},
	{"a closed session cannot be resumed", `
		1 create e /e x
		1 close
		1 reconnect
		2 exists /e`},
	{"watches do not survive a reconnection by themselves", `
		1 create p /a x
		2 get /a w
		2 reconnect
		1 set /a y -1
		2 ping`},
	{"setwatches renews what did not change", `
		1 create p /a x
		1 create p /d x
		2 get /a w
		2 ls /d w
		2 exists /m w
		2 reconnect
		2 setwatches seen d=/a c=/d e=/m
		1 set /a y -1
		1 create p /d/c x
		1 create p /m x`},
	{"setwatches reports what changed", `
		1 create p /a x
		1 create p /d x
		1 create p /gone x
		1 create p /kids x
		2 get /a w
		2 reconnect
		1 set /a y -1
		1 create p /d/c x
		1 delete /gone -1
		1 create p /m x
		2 setwatches 0 d=/a d=/gone c=/d c=/gone e=/m e=/absent d=. c=/kids
		1 create p /absent x
		1 set /a z -1`},
	{"setwatches with a zxid of the future", `
		1 create p /a x
		1 create p /d x
		2 setwatches max d=/a c=/d e=/a e=/n d=/missing c=/missing
		1 create p /d/x x
		1 set /a y -1
		1 create p /n x
		1 create p /missing x`},
	{"setwatches of nothing", `
		1 setwatches seen
		1 setwatches 0`},
}

// accessScenarios cover access control and rare requests.
var accessScenarios = []scenario{
	{"access: who may do what", `
		1 create p /none x acl=none
		1 create p /null x acl=null
		1 create p /someone x acl=someone
		1 create p /unknown x acl=unknown
		1 create p /baddig x acl=baddig
		1 create p /baddig3 x acl=baddig3
		1 create p /badip x acl=badip
		1 create p /badbits x acl=badbits
		1 create p /creator x acl=creator
		1 create p /twice x acl=twice
		1 getacl /twice
		1 create p /ro x acl=readonly
		1 get /ro
		1 exists /ro
		1 ls2 /ro
		1 set /ro y -1
		1 create p /ro/a x
		1 setacl /ro open -1
		1 getacl /ro
		1 multi check /ro 0
		1 multi set /ro x 0
		1 delete /ro -1`},
	{"access: each permission", `
		1 create p /nocreate x acl=nocreate
		1 create p /nocreate/a x
		1 create s /nocreate/s- x
		1 create p /nodelete x acl=nodelete
		1 create p /nodelete/a x
		1 delete /nodelete/a -1
		1 create p /nowrite x acl=nowrite
		1 set /nowrite y 0
		1 set /nowrite y 5
		1 create p /noread x acl=noread
		1 get /noread w
		1 ls /noread w
		1 ls2 /noread
		1 exists /noread
		1 getacl /noread
		1 allchildren /noread
		1 multi check /noread 0
		1 set /noread y 0
		1 create p /noadmin x acl=noadmin
		1 setacl /noadmin open -1
		1 getacl /noadmin
		1 create p /empty x acl=empty
		1 get /empty
		1 getacl /empty
		1 delete /empty 0`},
	{"access: versions of the list", `
		1 create p /a x
		1 setacl /a open 0
		1 setacl /a open 0
		1 setacl /a readonly 1
		1 getacl /a
		1 setacl /a open 2
		1 exists /a
		1 setacl /missing open -1
		1 setacl /missing none -1
		1 setacl !bad open -1
		1 setacl . none -1
		1 setacl . creator -1`},
	{"access: digest", `
		1 auth digest ada:lovelace
		1 create p /mine x acl=creator
		1 getacl /mine
		1 create p /mine/child x acl=creator
		1 create e /mine/e x acl=creator
		2 get /mine
		2 getacl /mine
		2 ls /mine
		2 set /mine x -1
		2 delete /mine/child -1
		2 create p /mine/other x
		2 exists /mine
		2 exists /mine w
		2 auth digest bob:x
		2 get /mine
		2 auth digest ada:lovelace
		2 get /mine
		2 set /mine y 0
		2 create p /both x acl=creator
		2 getacl /both
		2 create p /mixed x acl=mixed
		2 getacl /mixed
		3 get /mixed
		3 set /mixed x 0
		3 getacl /mixed`},
	{"access: explicit digest", `
		1 create p /ada x acl=ada
		1 get /ada
		1 create p /adaread x acl=adaread
		1 getacl /adaread
		1 get /adaread
		1 auth digest ada:lovelace
		1 get /adaread
		1 getacl /adaread`},
	{"access: identities end with the connection", `
		1 auth digest ada:lovelace
		1 create p /mine x acl=creator
		1 reconnect
		1 get /mine
		1 auth digest ada:lovelace
		1 get /mine`},
	{"access: same identity twice", `
		1 auth digest ada:lovelace
		1 auth digest ada:lovelace
		1 create p /mine x acl=creator
		1 getacl /mine`},
	{"access: address", `
		1 create p /local x acl=local
		1 get /local
		1 create p /net x acl=net
		1 get /net
		1 set /net y 0
		1 create p /elsewhere x acl=elsewhere
		1 get /elsewhere
		1 auth ip _
		1 get /local
		1 create p /creator x acl=creator`},
	{"auth that fails", `
		1 auth digest nocolon
		1 auth digest _
		1 create p /mine x acl=creator
		1 getacl /mine
		2 auth kerberos ada
		2 ping
		3 auth world anyone
		3 ping`},
	{"sync answers its path", `
		1 sync /a
		1 sync .
		1 sync !/
		1 create p /a x
		2 sync /a
		2 get /a`},
	{"counting everything below", `
		1 create p /a x
		1 create p /a/b x
		1 create p /a/b/c x
		1 create p /ab x
		1 allchildren /a
		1 allchildren .
		1 allchildren /a/b/c`},
	{"reconfiguration is off", `
		1 reconfig
		1 ping`},
	{"unknown operations end the connection", `
		1 create e /e x
		1 raw 77
		2 exists /e
		1 reconnect
		1 get /e`},
	{"short bodies", `
		1 raw 1 0000
		1 raw 4 000000
		1 raw 3 00000005616263
		1 raw 5 000000022f
		1 raw 14 0000
		1 raw 14 0000000100ffffffff
		1 raw 14 00000001
		1 raw 8
		1 raw 2 00000002
		1 raw 9
		1 raw 101 00
		1 raw 7 0000
		1 raw 6
		1 ping
		1 ls2 .`},
	{"bodies with something left over", `
		1 raw 4 000000012f00cafe
		1 raw 9 000000012fcafe
		1 ping`},
	{"check outside of a multi", `
		1 create p /a x
		1 check /a 7
		1 check /missing 0
		1 ls2 .`},
	{"the server's own nodes", `
		1 get !/zookeeper/config
		1 getacl !/zookeeper/config
		1 set !/zookeeper/config x -1
		1 delete !/zookeeper/x -1
		1 ls !/zookeeper`},
	{"session close seen from inside", `
		1 create e /e x
		1 exists /e w
		1 ls . w
		1 close
		2 ls2 .`},
	{"a node that comes and goes", `
		2 exists /a w
		1 create p /a x
		1 delete /a 0
		1 create p /a y
		2 exists /a w
		1 delete /a 0
		1 create e /a z
		2 get /a
		1 close
		2 get /a`},
	{"three watchers of one node", `
		1 create p /a x
		2 get /a w
		3 get /a w
		4 exists /a w
		1 set /a y 0
		1 set /a z 1
		3 get /a w
		1 delete /a 2`},
	{"many children", `
		1 multi create s /s- x ; create s /s- x ; create s /s- x ; create s /s- x ; create s /s- x ; create s /s- x
		1 ls2 .
		1 multi delete /s-0000000000 0 ; delete /s-0000000002 0 ; delete /s-0000000004 0
		1 ls2 .
		1 create s /s- x
		1 ls2 .`},
	{"leader latch in small", `
		1 container /latch -
		1 create es /latch/_c_1-latch- -
		2 create es /latch/_c_2-latch- -
		3 create es /latch/_c_3-latch- -
		2 get /latch/_c_1-latch-0000000000 w
		3 get /latch/_c_2-latch-0000000001 w
		1 close
		2 ls /latch
		2 delete /latch/_c_2-latch-0000000001 -1
		3 ls2 /latch
		3 close
		4 ls2 /latch`},
}
