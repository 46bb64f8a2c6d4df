//! go, gofmt and golangci-lint.

pub(super) const TABLE: &str = "
@build = -a -n -p= -race -msan -asan -cover -covermode= -coverpkg= -v -x -trimpath -tags= -mod= -modcacherw
    -buildvcs[=] -buildmode= -installsuffix= -ldflags= -o=name -C=name -json !-exec !-toolexec !-overlay !-modfile
    !-work !-pkgdir !-gccgoflags !-gcflags !-asmflags !-pgo !-compiler !-vettool
@test = -run= -skip= -bench= -benchmem -benchtime= -count= -coverprofile=name -cpu= -failfast -fullpath -list=
    -parallel= -short -shuffle= -timeout= -vet= -fuzztime= -c !-fuzz !-cpuprofile !-memprofile !-trace !-outputdir
    !-args !-blockprofile !-mutexprofile
gofmt goimports gofumpt = dev words -l -d -w -s -e -r= -local= -extra !-cpuprofile !-memprofile !-trace
staticcheck govulncheck gotestsum errcheck revive = dev words -json -v -tests -checks= -f= -test -short

[go] = words enters:-C -C=name
build = dev words linker @build
test = dev words linker @build @test
vet = dev words linker @build
fmt = dev words -n -x -mod=
list = dev words -m -u -f= -deps -e -find -test -versions -retracted -compiled -export @build
mod tidy = dev words nothing -v -e -x -go= -compat= -diff
mod download|mod verify|mod graph|mod why = dev words text -json -x -m -vendor
doc = dev words text -all -c -cmd -short -src -u
env = safe words text shows -json -changed !-w !-u
version = safe words -m -v

[golangci-lint] = -v --color= --verbose
run = dev -v -j= -c=read -E= -D= -p= -e= --timeout= --enable= --disable= --enable-all --disable-all --enable-only=
    --fast --fast-only --config=read --no-config --out-format= --tests[=] --build-tags= --new --new-from-rev=
    --verbose --max-issues-per-linter= --max-same-issues= --concurrency= --sort-results --color= --issues-exit-code=
    --presets= --modules-download-mode= --allow-parallel-runners --show-stats --skip-dirs= --exclude= --default=
    --path-mode= !--fix !--output.*
linters|version|help|cache status|config path|config verify = dev text -v --json -c=read --config=read
fmt = dev -dv --diff -c=read --config=read -E= --enable=
";
