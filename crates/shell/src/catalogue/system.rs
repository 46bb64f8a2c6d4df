//! Files, disks, rights, the machine, and what the shell does itself.

use super::Row;
use super::fact::{Changes::*, Fact::*};

pub(super) const ROWS: &[Row] = &[
    ("cp install", &[Changes(Last)]),
    (
        "tee rm rmdir unlink shred truncate touch mv chmod chown chgrp chattr setfacl mkfifo mknod rename dos2unix \
         unix2dos ln link",
        &[Changes(Every)],
    ),
    (
        "mkfs mke2fs mkdosfs mkntfs mkexfatfs mkudffs mkreiserfs mkswap mkfs_msdos make_reiser4 bcachefs-format newfs \
         newfs_msdos newfs_apfs newfs_hfs fdformat cfdisk cgdisk wipefs blkdiscard pvcreate pvremove vgcreate vgremove \
         vgreduce lvcreate lvremove sg_format sg_sanitize flash_erase flash_eraseall ubiformat nandwrite",
        &[Formats],
    ),
    (
        "sudo sudo-rs sudoedit sudoreplay su su-rs su-exec doas pkexec runuser run0 gksu gksudo kdesu kdesudo ksu dzdo \
         pfexec pbrun calife super gosu visudo vigr",
        &[Raises],
    ),
    ("shutdown reboot halt poweroff openrc-shutdown rc-shutdown", &[Power]),
    ("systemctl", &[RunsAnything, Version("")]),
    ("tmux", &[RunsAnything, Version("-V")]),
    (
        "parallel crontab launchctl ssh-keygen eval source . exec trap alias export declare typeset local readonly set \
         shopt hash enable builtin command bind complete coproc",
        &[RunsAnything],
    ),
];
