//! Maven and Gradle: phases and tasks by name, and only settings that name no program.

use crate::catalogue::has;

use super::super::options::Style;
use super::super::refusal::Refusal;
use super::super::row::{Answer, Family, Operands::*, Row, Seen};
use super::{all, plain_value, text_of};
use crate::verdict::Class;

/// Phases, and the goals of plug-ins that only look.
const MAVEN: &str = "validate initialize generate-sources compile process-classes test-compile test package verify \
    integration-test install clean dependency:tree dependency:list dependency:analyze checkstyle:check \
    spotless:check spotbugs:check pmd:check surefire:test failsafe:verify";

/// Programs without subcommands.
pub(in super::super) const ROWS: &[Row] = &[
    Row::dev(
        "mvn",
        "-q -B -e -X -o -U -T= -T* -P* -pl= -am -amd -N -fae -ff -fn -ntp -P= -D* -C -c -v -V -nsu --batch-mode \
         --quiet --offline --no-transfer-progress --update-snapshots --threads= --projects= --also-make \
         --also-make-dependents --errors --fail-at-end --fail-fast --fail-never --non-recursive \
         --activate-profiles= --show-version --debug --define= --strict-checksums --no-snapshot-updates -rf= \
         --resume-from= !-f !--file !-s !--settings !-gs !--global-settings !-t !--toolchains !-l !--log-file !-b \
         !--builder !-emp !--encrypt-password !-ep !-gt",
    )
    .style(Style::Words)
    .takes(Only(MAVEN))
    .check(maven),
    Row::dev(
        "gradle",
        "-q -i -d -w -s -S -m -a -P= --quiet --info --debug --warn --stacktrace --full-stacktrace --no-daemon \
         --daemon --offline --parallel --no-parallel --continue --console= --tests= -x= --exclude-task= \
         --rerun-tasks --dry-run --refresh-dependencies --build-cache --no-build-cache --configuration-cache \
         --no-configuration-cache --warning-mode= --max-workers= --profile --no-scan --configuration= --all \
         --project-prop= -P* !-I !--init-script !-b !--build-file !-c !--settings-file !-p !--project-dir !-g \
         !--gradle-user-home !--include-build !-D !-D* !--system-prop !-t !--continuous !--project-cache-dir !-F \
         !--write-locks !-M !--write-verification-metadata",
    )
    .style(Style::Words)
    .takes(Text)
    .check(gradle),
];

/// Programs with subcommands.
pub(in super::super) const FAMILIES: &[Family] = &[
    Family::new("sbt", &[&[Row::dev("test|compile|package|scalafmtCheck", "-batch").takes(Nothing)]]),
    Family::new("lein", &[&[Row::dev("test|check|compile|deps", "").takes(Text)]]),
];

/// Properties that skip, choose or only inform; others may name a program to run.
fn maven(seen: &Seen<'_>) -> Answer {
    const NAMES: &str = "skipTests skipITs skip.tests maven.test.skip test it.test groups excludedGroups style.color \
        failIfNoTests surefire.failIfNoSpecifiedTests maven.test.failure.ignore checkstyle.skip \
        maven.javadoc.skip enforcer.skip jacoco.skip spotless.check.skip revision maven.compiler.source \
        maven.compiler.target maven.compiler.release trimStackTrace surefire.useFile includes verbose";
    for word in seen.given.values("-D --define") {
        let text = text_of(Some(word));
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let plain = value.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-.,:+#*!$".contains(letter));
        if !has(NAMES, name) || !plain {
            return Err(Refusal::HarmfulOption(seen.program.to_owned(), format!("-D{text}")));
        }
    }
    Ok(Class::Dev)
}

/// Tasks by name, in any project of the build.
fn gradle(seen: &Seen<'_>) -> Answer {
    const TASKS: &str = "test build check assemble compileJava compileTestJava compileKotlin compileTestKotlin classes \
        testClasses jar clean tasks dependencies projects properties lint detekt ktlintCheck \
        spotlessCheck checkstyleMain integrationTest javadoc assembleDebug testDebugUnitTest lintDebug \
        dependencyInsight help jacocoTestReport spotbugsMain pmdMain bootJar war";
    for word in seen.given.values("-P --project-prop") {
        let text = text_of(Some(word));
        if !plain_value(&text.replacen('=', "", 1)) {
            return Err(Refusal::HarmfulOption(seen.program.to_owned(), format!("-P{text}")));
        }
    }
    all(seen, |task| has(TASKS, task.rsplit(':').next().unwrap_or(task)))
}
