# ElasticJob for Go. `make help` lists what there is; nothing but Go and make
# is needed for `make run`.
#
# POSIX shell only. Tools are pinned in go.mod and run with `go run`, which builds them with
# GOFLAGS, as the tests; `go tool` would compile what both need once more. golangci-lint,
# whose dependencies are not for our go.mod, has a module of its own in .ci/lint.

GO      ?= go
BIN     := bin
LINTER  := run -modfile=.ci/lint/go.mod github.com/golangci/golangci-lint/v2/cmd/golangci-lint
PKGS    ?= ./...
ONLY    ?=
ARGS    ?=

# A campaign of `make chaos`: its length, the seed of its faults (0: from the
# time), executions a second, and the version of two Java agents, if any.
CHAOS_MINUTES ?= 10
CHAOS_SEED    ?= 0
CHAOS_RATE    ?= 150
CHAOS_JAVA    ?=

# Tests wait for servers much of the time, so more of them run at once than there are processors.
PARALLEL ?= 3

# Every test runs, in a random order. What vet finds, make check has found before. The packages
# that take longest begin first, so the others don't have to wait for them at the end.
LONGEST := ./coreagent/internal/scenario ./coreagent/coreagenttest/internal/matrix ./tracing/rdb ./internal/console/pages ./cmd/console
UNCACHED = -vet=off -shuffle=on -count=1 -timeout=30m
ALL     = $(if $(filter ./...,$(PKGS)),$(LONGEST)) $(PKGS)
GATE    := $(GO) run ./internal/testgate

# SQLite's engine is C translated to Go, which the race detector need not look into: that made
# its tests five times slower. Its checks of unsafe pointers, which only libraries have, and
# DWARF, which only debuggers read, are left out.
RACE    := -race '-gcflags=all=-d=checkptr=0 -dwarf=false' '-gcflags=modernc.org/...=-race=false -dwarf=false'

# What the binary says of itself. Without git, or outside a clone, the version
# is "dev".
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
COMMIT  ?= $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
PKG     := github.com/elasticjob-go/elasticjob/internal/build
LDFLAGS := -s -w -X $(PKG).version=$(VERSION) -X $(PKG).commit=$(COMMIT)
# nomsgpack leaves out a format of gin's that nobody asks for: 3 MB of the binary, and half a
# minute of a processor for whoever compiles it. Of the tags that GOFLAGS has, the last ones count.
export GOFLAGS := $(GOFLAGS) -tags=nomsgpack
BUILD   := CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=false -ldflags '$(LDFLAGS)'

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the commands
	@echo 'Usage: make <command>'
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: build ## Build the console and run the demo: http://127.0.0.1:8899 (options: ARGS="--listen 127.0.0.1:9000")
	@exec $(BIN)/console demo $(ARGS)

.PHONY: build
build: elasticjob ## Build bin/console and bin/elasticjob, static binaries
	$(BUILD) -o $(BIN)/console ./cmd/console

.PHONY: elasticjob
elasticjob: ## Build bin/elasticjob, the command line for operators and agents
	$(BUILD) -o $(BIN)/elasticjob ./cmd/elasticjob

# nethttpomithttp2 leaves out what no report of a shard needs: 0.6 MB.
.PHONY: cloudrun
cloudrun: ## Build bin/cloudrun, which runs a script as a shard of a job of ElasticJob-Cloud
	CGO_ENABLED=0 $(GO) build -tags nethttpomithttp2 -trimpath -buildvcs=false -ldflags '-s -w' -o $(BIN)/cloudrun ./cmd/cloudrun

# Compilers live for seconds: one that collects no garbage needs a fifth less of the processors.
COMPILE := GOGC=off GOMEMLIMIT=2GiB

.PHONY: test
test: ## Run every test that needs Go alone (PKGS=./lifecycle for one package)
	@GO='$(GO)' .ci/test $(PKGS)

# The build tag servers adds the tests that need ZooKeeper, MariaDB, PostgreSQL, Chromium or Python.
.PHONY: test-all
test-all: export GOFLAGS += -tags=servers,nomsgpack
test-all: ## Run every test, those against real servers and a browser too (installs or names what is missing)
	@.ci/deps
	@$(COMPILE) CGO_ENABLED=0 $(GO) list -export -test $(PKGS) >/dev/null
	@CGO_ENABLED=0 $(GATE) $(UNCACHED) -parallel=$(PARALLEL) -- $(ALL)

.PHONY: race
race: ## Run the tests of make test with the race detector, except those in which it can find nothing
	@.ci/deps race
	@$(COMPILE) $(GO) list -export -test $(RACE) $(PKGS) >/dev/null
	@$(GATE) $(RACE) $(UNCACHED) -p=2 -parallel=$(PARALLEL) -- $(ALL)

.PHONY: interop
interop: export GOFLAGS += -tags=interop,servers,nomsgpack
interop: ## Run Java and Go agents of one job together (installs or names what is missing; INTEROP_JAVA=3.0.3 INTEROP_ROLLING=30m)
	@.ci/deps interop
	$(GATE) -count=1 -parallel=6 -timeout=45m -- ./interop

# The control plane is built once and kept in the user's cache folder (KUBETEST_BIN=folder
# for programs that are there already).
.PHONY: cloud-programs
cloud-programs: ## Build the programs of the control plane for cloud-test, which does it otherwise
	$(COMPILE) $(GO) run ./internal/cloud/kubetest/build

# Its tests wait most of the time. So they have three control planes beside each other: one
# whose API server and etcd are taken away, one of the console, and one for all else.
AWAY  := ^TestCL(08|09|14)
CLOUD := $(GATE) -vet=off -count=1
.PHONY: cloud-test cloud-away cloud-played cloud-console
cloud-test cloud-away cloud-played cloud-console cloud-real: export GOFLAGS += -tags=kubernetes,servers,nomsgpack
cloud-test: cloud-programs ## Run the Kubernetes engine against a real control plane with played nodes (builds it the first time, which takes eight minutes or more)
	@.ci/deps
	@$(COMPILE) $(GO) list -export -test ./internal/cloud/kubetest ./cmd/console >/dev/null
	@$(MAKE) --no-print-directory -j3 cloud-away cloud-played cloud-console

cloud-away:
	$(CLOUD) -timeout=20m -run '$(AWAY)' -- ./internal/cloud/kubetest

cloud-played:
	$(CLOUD) -parallel=8 -timeout=20m -skip '^TestReal|$(AWAY)' -- ./internal/cloud/kubetest

cloud-console:
	$(CLOUD) -timeout=10m -run OnKubernetes -- ./cmd/console

# The cases whose pods are processes: with limits, signals, images and archives.
REAL := ^(TestReal.*|TestKubernetesConformance|TestRunEndsWell|TestLogs|TestCL(24|31|32|33|34|35|37).*|TestPodDeletedBySomebody|TestDaemonProcesses|TestDaemonDrained)$$
.PHONY: cloud-real
cloud-real: ## Run the cases of the Kubernetes engine whose pods have to be real on a real node of this machine: kubelet, containerd, runc (needs root; installs or names what is missing)
	@.ci/deps real
	KUBETEST_NODE=real $(CLOUD) -parallel=4 -timeout=45m -run '$(REAL)' -- ./internal/cloud/kubetest
	KUBETEST_NODE=real $(CLOUD) -timeout=10m -run OnKubernetes -- ./cmd/console

.PHONY: conformance
conformance: ## Print each case of docs/conformance.md with its tests (ARGS="K33 C04" for some cases)
	@$(GO) run ./internal/conformance $(ARGS)

.PHONY: check
check: lint prose ## Everything about the sources: lint, gofmt, generated files, go.mod, plain English
	@.ci/fresh

.PHONY: prose
prose: ## Count phrases that are hard to read (docs/style.md); ARGS=FOLDER lists them, ARGS=--update stores lower numbers
	@$(GO) run ./internal/prose $(ARGS)

.PHONY: hooks
hooks: ## Let git check each commit: formatting and vet of what is staged, generated files (.githooks/pre-commit)
	git config core.hooksPath .githooks

.PHONY: lint
lint: ## vet, staticcheck and the other linters of .golangci.yml (fetches the pinned version)
	@$(COMPILE) $(GO) list -modfile=.ci/lint/go.mod -export tool >/dev/null
	GOGC=200 $(GO) $(LINTER) run --allow-parallel-runners

.PHONY: generate
generate: ## Generate Go from the templ components and the catalogues of words
	$(GO) generate ./internal/i18n
	$(GO) run github.com/a-h/templ/cmd/templ generate -path web/templates

.PHONY: sim
sim: ## Simulate 2,000 fleets of seconds, 500 of hours and 500 everyday ones under random faults, with new seeds each time (SIM_SEED=n replays one, SIM_BASE=n fixes the first)
	@if [ -n "$$SIM_SEED" ]; then SIM_BUGS= $(GO) test -count=1 -timeout=20m -run 'SimFleets|SimHours|SimEveryday' -v ./coreagent/internal/fleetsim; \
	else SIM_SEEDS=$${SIM_SEEDS:-2000} SIM_HOURS=$${SIM_HOURS:-500} SIM_EVERYDAY=$${SIM_EVERYDAY:-500} SIM_BUGS= $(GO) test -count=1 -timeout=2h -run Sim -v ./coreagent/internal/fleetsim; fi

.PHONY: sim-bugs
sim-bugs: ## Show that the simulation finds each bug planted on purpose (SIM_BUGS=name tries one)
	@SIM_BUGS=$${SIM_BUGS:-1} $(GO) test -count=1 -timeout=60m -run SimFindsPlantedBugs -v ./coreagent/internal/fleetsim

.PHONY: chaos
chaos: build ## Let real processes fail for ten minutes and judge them (CHAOS_MINUTES=1 CHAOS_SEED=n CHAOS_RATE=150 CHAOS_JAVA=3.0.4)
	@.ci/deps $(if $(CHAOS_JAVA),interop)
	$(GO) build -o $(BIN)/chaos ./chaos
	$(GO) build -o $(BIN)/chaos-agent ./chaos/agent
	@$(BIN)/chaos -minutes '$(CHAOS_MINUTES)' -seed '$(CHAOS_SEED)' -rate '$(CHAOS_RATE)' -java '$(CHAOS_JAVA)' -agent $(BIN)/chaos-agent -console $(BIN)/console

.PHONY: bench-build
bench-build: build
	$(GO) build -o $(BIN)/bench ./bench
	$(GO) build -o $(BIN)/bench-agent ./bench/agent

.PHONY: bench
bench: ## Print the figures; options: ONLY=fire (late, scale, failover, reshard, restart, runs, start, record, query, snapshot, pages, commands, and cloud only if named; ONLY=runs/rate for a part), VS=java; smaller: ROWS=1000000 JOBS=1000; longer: LOAD=60s
	@$(MAKE) --no-print-directory -s bench-build
	@$(BIN)/bench -console $(BIN)/console -command $(BIN)/elasticjob -only '$(ONLY)' -vs '$(VS)' $(if $(ROWS),-rows $(ROWS)) $(if $(JOBS),-jobs $(JOBS)) $(if $(LOAD),-load $(LOAD))

.PHONY: axe
axe storybook-accept: export GOFLAGS += -tags=servers,nomsgpack
axe: ## Open every component and page in headless Chromium and run axe-core on it (needs npm; the version is pinned in .ci/axe)
	mkdir -p $(BIN)/axe && cp .ci/axe/package.json .ci/axe/package-lock.json $(BIN)/axe/
	npm --prefix $(BIN)/axe ci --ignore-scripts --no-audit --no-fund
	$(GO) test -count=1 -parallel 4 -timeout 20m -run TestEverybodyCanReadAndUse ./web/templates/storybook ./internal/console/pages -axe $(CURDIR)/$(BIN)/axe/node_modules/axe-core/axe.min.js

.PHONY: storybook-accept
storybook-accept: ## Store the pictures of the components as they are now; TestPictures compares with them
	$(GO) test -count=1 -run 'TestPictures$$' ./web/templates/storybook -accept

.PHONY: screenshot
screenshot: build ## Run the demo in headless Chromium and write docs/screenshots/
	$(GO) run ./bench/screenshot -console $(BIN)/console -out docs/screenshots

.PHONY: screenshots
screenshots: build ## Write every page in both themes, widths and languages to bin/screenshots, for review (OUT=folder ONLY=overview)
	$(GO) run ./bench/screenshot -console $(BIN)/console -all -only '$(ONLY)' -out $(or $(OUT),$(BIN)/screenshots)

.PHONY: clean
clean: ## Remove what was built; the data folder stays
	rm -rf $(BIN)
