//! What calls in program text do, in any language: lists of names, and of parts of a text with `|` between them.
//!
//! Rules look for parts of a text, which needs no reader of a language; what a call starts is read from tokens.

/// Calls whose argument a shell reads, or whose arguments are a program and its words.
pub(crate) const RUN: &str = "system popen popen2 popen3 popen4 exec execSync execFile execFileSync spawn spawnSync \
    shell_exec passthru proc_open pcntl_exec getoutput getstatusoutput check_call check_output Popen startfile \
    create_subprocess_shell create_subprocess_exec execl execle execlp execlpe execv execve execvp execvpe spawnl \
    spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe posix_spawn posix_spawnp capture2 capture2e capture3 \
    pipeline pipeline_start execute system2 shell Command execa execaSync execaCommand $ cmd sh callCommand \
    readProcess callProcess rawSystem doShellScript runCommand ProcessBuilder open3 open2 fish bash async_popen run \
    call command script";

/// Names that start something only where the code names what they belong to, or is for such a program.
pub(crate) const GUARDED: &[(&str, &str)] = &[
    ("run", "subprocess|child_process|Deno|julia|sp.run|Bun|IPC::Run|plumbum|invoke|raku"),
    ("call", "subprocess|sp.call"),
    ("cmd", "plumbum|System|os:cmd|os.cmd"),
    ("command", "Sys."),
    ("sh", "import sh|FileUtils|rake"),
    ("shell", "elixir|gdb|raku"),
    ("Command", "Deno|Process"),
    ("bash", "import sh|from sh"),
    ("fish", "import sh"),
    ("$", "Bun|zx"),
    ("script", "do shell script"),
];

/// Calls that remove a tree.
pub(crate) const REMOVE: &str = "rmtree remove_tree rm_rf rm_r rimraf rimrafSync removeSync emptyDirSync emptyDir \
    remove_dir_all remove_entry remove_entry_secure removeDirectoryRecursive removePathForcibly deleteRecursively \
    deleteDir removeAll";

/// Those that may also remove one file.
pub(crate) const REMOVE_RECURSIVE: &str = "rm rmSync rmdirSync unlink remove rmdir removedirs remove_dir rm_f";

/// Calls that get a text from another machine.
pub(crate) const FETCHES: &str = "urlopen|urlretrieve|requests.get|httpx.get|http.get|https.get|fetch(|LWP::|Net::HTTP|\
    open-uri|URI.open|HTTP::Tiny|socket.http|file_get_contents(\"http|file_get_contents('http|get(\"http";

/// Calls that may get something from another machine, whatever it is.
pub(crate) const RECEIVES: &str = "requests.|httpx|socket|IO::Socket|http.client|aiohttp|curl_exec|net.connect|\
    TCPSocket|/inet/tcp|fsockopen|XMLHttpRequest|axios";

/// Calls that decode.
pub(crate) const DECODES: &str = "b64decode|b32decode|b16decode|unhexlify|fromhex|decompress|decode_base64|decodebytes|\
    unpack|atob|Buffer.from|base64_decode|gzinflate|gzuncompress|str_rot13|codecs.|decode64|hex2bin|a2b_|\
    convert_uudecode|Inflate|MIME::Base64";

/// Calls that run a text as a program.
pub(crate) const EVALUATES: &str =
    "exec(|eval(|eval |Function(|instance_eval|vm.run|load(|os.system(|subprocess|(eval)";

/// Calls that connect to another machine.
pub(crate) const CONNECTS: &str = "socket.socket|socket(|Socket|TCPSocket|fsockopen|pfsockopen|net.connect|net.Socket|\
    socket.tcp|createConnection|create_connection|stream_socket_client";

/// Calls and names that a shell for another machine needs.
pub(crate) const SHELLS_OUT: &str = "dup2|pty.spawn|subprocess|os.system|/bin/sh|/bin/bash|exec(|exec |exec{|\
    child_process|shell_exec|passthru|proc_open|popen|os.execute|system(|system |system$|execl|execv";

/// What stands around a path that is opened to be written.
pub(crate) const WRITES: &str = "'w|\"w|'r+|\"r+|'a|\"a|'>|\">|'+<|\"+<|writeFile|createWriteStream|O_WRONLY|O_RDWR|\
    File.write|binwrite|write_text|write_bytes|file_put_contents";

/// Calls that make a process, and loops without end.
pub(crate) const FORKS: &str = "fork(|fork |fork;|fork}|Process.fork";
pub(crate) const ENDLESS: &str = "while 1|while True|while(1|while (1|while fork|for(;;|for (;;|loop {|loop{|until 0";
