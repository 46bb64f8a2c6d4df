test "$(id -u)" != 0 || exit 77
initdb -D data -A trust --no-sync > /dev/null
mkdir s
pg_ctl -D data -o "-k $PWD/s -c listen_addresses= -c fsync=off" -l log -w start > /dev/null
pgbench -q -h "$PWD/s" -i postgres > /dev/null 2>&1
pgbench -h "$PWD/s" -c 4 -t 50 postgres 2> /dev/null | grep -c 'processed: 200/200'
pg_ctl -D data -m fast stop > /dev/null
ls
