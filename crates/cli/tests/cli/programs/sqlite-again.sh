python3 - <<'P'
import sqlite3
for mode in 'wal', 'truncate', 'persist', 'delete':
    db = sqlite3.connect('a.db', isolation_level=None)
    db.execute('pragma journal_mode=' + mode)
    db.execute('begin')
    db.execute('insert into t select b, a from t')
    db.execute('rollback')
    db.execute('update t set b = b + 1')
    print(db.execute('select count(*), sum(b) from t').fetchall())
    db.close()
P
ls
