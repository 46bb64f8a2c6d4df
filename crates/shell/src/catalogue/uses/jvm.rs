//! Maven, Gradle and their kin: only settings that name no program.

pub(super) const TABLE: &str = "
mvn = dev words text maven -q -B -e -X -o -U -T= -T* -P* -pl= -am -amd -N -fae -ff -fn -ntp -P= -D* -C -c -v -V -nsu
    --batch-mode --quiet --offline --no-transfer-progress --update-snapshots --threads= --projects= --also-make
    --also-make-dependents --errors --fail-at-end --fail-fast --fail-never --non-recursive --activate-profiles=
    --show-version --debug --define= --strict-checksums --no-snapshot-updates -rf= --resume-from= !-f !--file !-s
    !--settings !-gs !--global-settings !-t !--toolchains !-l !--log-file !-b !--builder !-emp !--encrypt-password
    !-ep !-gt
gradle = dev words text gradle -q -i -d -w -s -S -m -a -P= --quiet --info --debug --warn --stacktrace
    --full-stacktrace --no-daemon --daemon --offline --parallel --no-parallel --continue --console= --tests= -x=
    --exclude-task= --rerun-tasks --dry-run --refresh-dependencies --build-cache --no-build-cache
    --configuration-cache --no-configuration-cache --warning-mode= --max-workers= --profile --no-scan --configuration=
    --all --project-prop= -P* !-I !--init-script !-b !--build-file !-c !--settings-file !-p !--project-dir !-g
    !--gradle-user-home !--include-build !-D !-D* !--system-prop !-t !--continuous !--project-cache-dir !-F
    !--write-locks !-M !--write-verification-metadata

[sbt] =
test|compile|package|scalafmtCheck = dev nothing -batch

[lein] =
test|check|compile|deps = dev text
";
