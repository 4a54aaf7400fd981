# proveit. `make demo` replays a season, `make test` runs every test, `make ci` is what .ci/run calls.
# It needs Go 1.26 or later. Tools are pinned in tools.mod and built by the go command; nothing else is installed.

GO       ?= go
FUZZTIME ?= 1m
SEED     ?= 1
DOCUMENTS ?= 200000
SEASONS  ?= 100,1000,10000

TOOL     = $(GO) tool -modfile=tools.mod
BUILD    = CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=false -ldflags='-s -w -buildid='
PLATFORMS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

# Packages that start goroutines or guard something against them, found by their sources.
CONCURRENT = $(shell grep -rlE --include='*.go' --exclude='*_test.go' '^[[:space:]]*go [a-zA-Z]|"sync"|"sync/atomic"' canon cmd manifest verify | xargs -n1 dirname | sort -u | sed 's|^|./|')

# Packages whose tests write files of testdata with -update, and the tests that do.
WRITERS  = $(shell grep -rlE --include='*_test.go' 'flag.Bool..update"' canon cmd manifest verify | xargs -n1 dirname | sort -u | sed 's|^|./|')
WRITING  = HaveNotDrifted|Sample|ExampleBundle|SuiteIsGenerated

.NOTPARALLEL:
.PHONY: build demo test ci fmt check-fmt vet staticcheck lint race fuzz fuzz-short differential exam bench testdata drift dist reproducible clean

build:
	$(BUILD) -o bin/proveit ./cmd/proveit

# The main job on real cryptography: the season in testdata, with no service and no network.
demo: build
	bin/proveit season replay testdata/season

test:
	$(GO) test ./...

# The tests come last, so that the output ends with their lines.
ci: check-fmt vet staticcheck drift race fuzz-short test

fmt:
	gofmt -w canon cmd manifest verify

check-fmt:
	@unformatted=$$(gofmt -l canon cmd manifest verify); \
	if [ -n "$$unformatted" ]; then echo "not as gofmt writes it (run make fmt):"; echo "$$unformatted"; exit 1; fi

vet:
	$(GO) vet ./...

staticcheck:
	$(TOOL) staticcheck ./...

lint: check-fmt vet staticcheck

# The race detector needs a C compiler. The exam and the commands of explanations change evidence, not the order of work: they run without it.
race:
	CGO_ENABLED=1 $(GO) test -race -short -skip '^TestExam|^TestExplain(Commands|FromAnArchive)$$' $(CONCURRENT)

# Every fuzz target for FUZZTIME each; the script finds the targets by itself.
fuzz:
	GO=$(GO) .ci/fuzz $(FUZZTIME)

fuzz-short:
	GO=$(GO) .ci/fuzz 2s

# Canonical text and refusals against the python3 of this machine.
differential:
	$(GO) test ./canon -count=1 -run '^TestDifferential$$' -v -differential $(DOCUMENTS) -seed $(SEED)

# Changes valid evidence one thing at a time, at length; each change must be refused by the check that is meant for it. Then each check is
# taken out of a copy of the sources in turn, and the exam must notice.
exam:
	GO=$(GO) PROVEIT_EXAM=long .ci/exam
	GO=$(GO) .ci/weaken

# Each step by itself, then whole processes over minted seasons, as a table, as lines for benchstat, and as bench.json.
bench: build
	$(GO) test -run '^$$' -bench . -benchmem ./...
	$(GO) run ./cmd/internal/bench -participants $(SEASONS) -json bench.json

# Writes again every committed file that the program or its tests make.
testdata: build
	$(GO) test $(WRITERS) -count=1 -run '$(WRITING)' -update

# What is committed under testdata is what the sources make: regenerated, nothing differs.
drift:
	@before=$$(mktemp -d) && trap 'rm -rf "$$before"' EXIT && cp -R testdata "$$before" && \
	$(MAKE) --no-print-directory testdata && diff -r "$$before/testdata" testdata && echo "testdata has not drifted"

# Static binaries, shell completions, manual pages, and their digests. The same sources give the same bytes on any machine.
dist: build
	rm -rf dist && mkdir -p dist/completions dist/man
	@for p in $(PLATFORMS); do \
		os=$${p%/*}; arch=$${p#*/}; name=proveit_$${os}_$${arch}; [ $$os != windows ] || name=$$name.exe; \
		echo "dist/$$name"; GOOS=$$os GOARCH=$$arch $(BUILD) -o dist/$$name ./cmd/proveit || exit 1; \
	done
	@for shell in bash zsh fish powershell; do bin/proveit completion $$shell > dist/completions/proveit.$$shell || exit 1; done
	$(GO) test ./cmd/internal/cli -count=1 -run '^TestManPages$$' -man "$(CURDIR)/dist/man"
	cd dist && find . -type f ! -name SHA256SUMS | LC_ALL=C sort | xargs sha256sum > SHA256SUMS

# Builds again from a copy of the sources at another path and compares the digests with those of dist.
reproducible: dist
	@copy=$$(mktemp -d) && trap 'rm -rf "$$copy"' EXIT && cp -R canon cmd manifest verify go.mod go.sum tools.mod tools.sum Makefile "$$copy" && \
	$(MAKE) --no-print-directory -C "$$copy" dist > /dev/null && cmp dist/SHA256SUMS "$$copy/dist/SHA256SUMS" && echo "two builds, the same bytes"

clean:
	rm -rf bin dist
