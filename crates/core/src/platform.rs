//! Supported platforms. On other systems the build stops here with one message: every other room depends on this one,
//! so none of them reports its own missing parts.

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
compile_error!(
    "Palanca runs on Linux (x86_64 or aarch64): its sandbox is made of Linux namespaces, Landlock and seccomp. On another \
     system, run it in a Linux virtual machine or container; `Containerfile` builds an image."
);
