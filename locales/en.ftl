# Every sentence that people and models read. One section a room; the same keys and variables in every language.

## The gate

tool-not-found = Tool not found: '{ $tool }'. Use one of these: { $near }
arguments-invalid = Invalid arguments: { $reasons }
guardrail = Guardrail:
hook-blocked = Blocked by hook: { $reason }
confirm-no-terminal = No terminal to confirm '{ $tool }': confirmation needs an interactive terminal. Use --mode yolo or --dry-run, or set `mode: yolo` in the configuration.
confirm-declined = Action declined by the user. Do not repeat it; ask what to do instead, or go another way.
confirm-aborted = Aborted by the user.
confirm-question = Run '{ $tool }' with args={ $arguments }? [y/n/a]
confirm-again = Please answer y (yes), n (no) or a (abort everything).
dry-run = [DRY-RUN] Would run: { $tool }({ $arguments })
call-parked = The call waits for an answer to question { $question }.
output-cut = [... { $omitted } of { $whole } bytes left out ...]
tool-failed = { $reason }
tool-panicked = The tool '{ $tool }' broke inside and was stopped. This is a fault of the tool, not of the call; other calls still work.
tool-cancelled = The tool '{ $tool }' was cancelled.
tool-timeout = The tool '{ $tool }' was stopped: it took longer than { $seconds } seconds. Ask for less at once, or split the work.
repair-alias = Note: the argument '{ $from }' was read as '{ $to }'; use '{ $to }'.
repair-type = Note: the argument '{ $name }' was turned into { $wanted }; send { $wanted }.
repair-null = Note: the argument '{ $name }' was null and was left out; leave it out.
repair-milliseconds = Note: the argument '{ $name }' is in seconds; the value was read as milliseconds.

## Files

file-outside = Path '{ $path }' escapes the workspace. Use a path inside it.
file-invalid-path = Path '{ $path }' cannot be used: { $detail }
file-not-found = '{ $path }' does not exist.
file-exists = '{ $path }' already exists.
file-secret = '{ $path }' holds secrets ({ $detail }): it is never read, written or shown. Go on without it.
file-protected = '{ $path }' is protected from changes ({ $detail }). Change something else, or ask the operator to.
file-read-only-root = '{ $path }' is in a read-only root. Write inside the workspace.
file-special = '{ $path }' is a FIFO, a device or a socket. Only regular files can be used.
file-is-directory = '{ $path }' is a directory, and a file is needed.
file-not-a-directory = '{ $path }' is not a directory.
file-changed = '{ $path }' changed since it was read. Read it again and repeat the change.
file-not-granted = '{ $path }' is outside what this call said it would touch.
file-too-large = '{ $path }' is too large: { $detail }
file-permission-denied = The system does not allow this on '{ $path }': { $detail }
file-disk-full = No space left for '{ $path }'. Nothing was changed; free some space and try again.
file-io = The system reported a failure on '{ $path }': { $detail }
