# Todas las frases que leen personas y modelos. Una sección por módulo; las mismas claves y variables en cada idioma.

## The gate

tool-not-found = Tool no encontrada: '{ $tool }'. Usa una de estas: { $near }
arguments-invalid = Argumentos inválidos: { $reasons }
guardrail = Guardrail:
hook-blocked = Bloqueado por hook: { $reason }
confirm-no-terminal = No hay TTY para confirmar '{ $tool }': Modo confirm requiere TTY interactiva. En CI usa --mode yolo o --dry-run, o pon `mode: yolo` en la configuración.
confirm-declined = Acción cancelada por usuario
confirm-aborted = Abortado por usuario
confirm-question = ¿Ejecutar '{ $tool }' con args={ $arguments }? [y/n/a]
confirm-again = Responde y (sí), n (no) o a (abortar todo).
dry-run = [DRY-RUN] Se ejecutaría: { $tool }({ $arguments })
call-parked = La llamada espera respuesta a la pregunta { $question }.
output-cut = [... { $omitted } de { $whole } bytes omitidos ...]
tool-failed = { $reason }
tool-panicked = La tool '{ $tool }' falló por dentro y se detuvo. Es un fallo de la tool, no de la llamada; las demás llamadas siguen funcionando.
tool-cancelled = La tool '{ $tool }' fue cancelada.
tool-timeout = La tool '{ $tool }' se detuvo: tardó más de { $seconds } segundos. Pide menos de una vez o divide el trabajo.
repair-alias = Nota: el argumento '{ $from }' se leyó como '{ $to }'; usa '{ $to }'.
repair-type = Nota: el argumento '{ $name }' se convirtió a { $wanted }; envía { $wanted }.
repair-null = Nota: el argumento '{ $name }' era null y se omitió; no lo envíes.
repair-milliseconds = Nota: el argumento '{ $name }' va en segundos; el valor se leyó como milisegundos.

## Files

file-outside = Path '{ $path }' escapa del workspace. Usa un path dentro de él.
file-invalid-path = El path '{ $path }' no se puede usar: { $detail }
file-not-found = '{ $path }' no existe.
file-exists = '{ $path }' ya existe.
file-secret = '{ $path }' contiene secretos ({ $detail }): nunca se lee, escribe ni muestra. Continúa sin él.
file-protected = '{ $path }' está protegido contra cambios ({ $detail }). Cambia otra cosa o pídeselo al operador.
file-read-only-root = '{ $path }' está en una raíz de solo lectura. Escribe dentro del workspace.
file-special = '{ $path }' es un FIFO, un dispositivo o un socket. Solo se pueden usar archivos regulares.
file-is-directory = '{ $path }' es un directorio y hace falta un archivo.
file-not-a-directory = '{ $path }' no es un directorio.
file-changed = '{ $path }' cambió desde que se leyó. Léelo de nuevo y repite el cambio.
file-not-granted = '{ $path }' está fuera de lo que esta llamada dijo que tocaría.
file-too-large = '{ $path }' es demasiado grande: { $detail }
file-permission-denied = El sistema no permite esto en '{ $path }': { $detail }
file-disk-full = No queda espacio para '{ $path }'. No se cambió nada; libera espacio e inténtalo de nuevo.
file-io = El sistema informó de un fallo en '{ $path }': { $detail }
