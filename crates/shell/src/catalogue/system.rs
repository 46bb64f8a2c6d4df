//! Files, disks, rights, the machine, and what the shell does itself.

use super::Row;
use super::codecs::TAR;
use super::fact::{Changes::*, Fact::*};

pub(super) const ROWS: &[Row] = &[
    ("cp install", &[Changes(Last)]),
    (
        "tee rm rmdir unlink shred truncate touch mv chmod chown chgrp chattr setfacl mkfifo mknod rename \
         dos2unix unix2dos ln link",
        &[Changes(Every)],
    ),
    ("mkfs mke2fs mkdosfs mkntfs mkexfatfs mkudffs mkreiserfs mkswap cfdisk cgdisk wipefs", &[Formats, TakesImage]),
    (
        "mkfs_msdos make_reiser4 bcachefs-format newfs newfs_msdos newfs_apfs newfs_hfs fdformat blkdiscard \
         pvcreate pvremove vgcreate vgremove vgreduce lvcreate lvremove sg_format sg_sanitize flash_erase \
         flash_eraseall ubiformat nandwrite",
        &[Formats],
    ),
    ("fdisk", &[FormatsUnless("-l --list -s --getsz -x --list-details"), TakesImage]),
    ("gdisk", &[FormatsUnless("-l"), TakesImage]),
    ("sfdisk", &[FormatsUnless("-l --list -d --dump -J --json -F --list-free -s --show-size -V --verify"), TakesImage]),
    ("sgdisk", &[FormatsUnless("-p --print -i --info -v --verify -O --print-mbr"), TakesImage]),
    ("parted", &[FormatsUnless("print -l --list p free"), TakesImage]),
    ("badblocks debugfs", &[FormatsWith("-w")]),
    ("mdadm", &[FormatsWith("--create -C --zero-superblock --stop -S --build -B --fail -f --remove -r")]),
    (
        "cryptsetup",
        &[FormatsWith("luksFormat erase luksErase reencrypt luksKillSlot luksRemoveKey format convert"), TakesImage],
    ),
    ("zpool", &[FormatsWith("create destroy labelclear remove replace split")]),
    ("zfs", &[FormatsWith("destroy")]),
    (
        "hdparm",
        &[FormatsWith(
            "--security-erase --security-erase-enhanced --write-sector --repair-sector \
             --make-bad-sector --trim-sector-ranges --trim-sector-ranges-stdin --fwdownload \
             --security-set-pass --sanitize-block-erase --sanitize-crypto-scramble \
             --sanitize-overwrite",
        )],
    ),
    ("nvme", &[FormatsWith("format sanitize write write-zeroes write-uncor delete-ns dsm fw-download")]),
    ("dmsetup", &[FormatsWith("remove_all wipe_table remove load create")]),
    ("diskutil", &[FormatsWith("eraseDisk eraseVolume partitionDisk zeroDisk secureErase randomDisk reformat apfs")]),
    ("lvm", &[FormatsWith("pvcreate pvremove vgremove lvremove vgreduce vgcreate")]),
    ("bcachefs", &[FormatsWith("format"), TakesImage]),
    (
        "sudo sudo-rs sudoedit sudoreplay su su-rs su-exec doas pkexec runuser run0 gksu gksudo kdesu kdesudo ksu \
         dzdo pfexec pbrun calife super gosu visudo vigr",
        &[Raises],
    ),
    ("which", &[LooksUp]),
    ("sg", &[RaisesWith("root 0 wheel sudo")]),
    ("machinectl", &[RaisesWith("shell login")]),
    ("shutdown reboot halt poweroff openrc-shutdown rc-shutdown", &[Power]),
    ("init telinit", &[PowerWith("0 1 6 s S single")]),
    ("kexec", &[PowerWith("-e -f --exec")]),
    ("rtcwake", &[PowerWith("off -moff --mode=off")]),
    ("gnome-session-quit", &[PowerWith("--power-off --reboot")]),
    ("systemctl", &[RunsAnything, Version("")]),
    ("tmux", &[RunsAnything, Version("-V")]),
    (
        "parallel crontab launchctl ssh-keygen eval source . exec trap alias export declare typeset local \
         readonly set shopt hash enable builtin command bind complete coproc",
        &[RunsAnything],
    ),
    (
        "gtar bsdtar star",
        &[
            DecodesWith(TAR),
            ExecutesFed(
                "--to-command --use-compress-program -I --rsh-command --info-script --new-volume-script -F --rmt-command",
            ),
        ],
    ),
    ("gsort", &[ExecutesWords("--compress-program")]),
    ("ripgrep", &[ExecutesWords("--pre --hostname-bin")]),
    ("man", &[ExecutesText("-P --pager -H --html")]),
    ("tcpdump", &[ExecutesText("-z")]),
    ("fc", &[ExecutesText("-e")]),
    ("gsplit", &[ExecutesText("--filter")]),
    ("sk", &[ExecutesText("--preview -c --cmd")]),
    ("mariadb", &[ExecutesText("--pager")]),
    ("bazelisk", &[ExecutesText("--run_under")]),
    ("dpkg", &[ExecutesText("--pre-invoke --post-invoke")]),
    ("feh", &[ExecutesText("-A --action")]),
    ("repo execlineb", &[ExecutesText("-c")]),
    ("sbatch", &[ExecutesText("--wrap")]),
    ("fly", &[ExecutesText("-C --command")]),
    ("borg", &[ExecutesText("--rsh --remote-path")]),
    ("restic", &[ExecutesText("--password-command --stdin-from-command")]),
    (
        "certbot",
        &[ExecutesText("--pre-hook --post-hook --deploy-hook --renew-hook --manual-auth-hook --manual-cleanup-hook")],
    ),
    ("openvpn", &[ExecutesText("--up --down --route-up --tls-verify")]),
    ("pppd", &[ExecutesText("pty connect")]),
    ("wpa_cli dhclient udhcpc", &[ExecutesText("-a -sf -s")]),
];
