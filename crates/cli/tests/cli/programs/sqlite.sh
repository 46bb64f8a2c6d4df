cat > job.py <<'E'
import multiprocessing, sqlite3
def work(n):
    db = sqlite3.connect('a.db', timeout=60, isolation_level=None)
    for i in range(60):
        db.execute('begin immediate')
        db.execute('insert into t values (?, ?)', (n, i))
        db.execute('commit')
if __name__ == '__main__':
    db = sqlite3.connect('a.db')
    db.execute('pragma journal_mode=wal')
    db.execute('create table t (a, b)')
    db.commit()
    db.close()
    with multiprocessing.Pool(4) as pool:
        pool.map(work, range(4))
    db = sqlite3.connect('a.db')
    print(db.execute('select count(*), sum(b) from t').fetchall(), db.execute('pragma integrity_check').fetchall())
    db.execute('delete from t where a = 1')
    db.commit()
    db.execute('vacuum')
    print(db.execute('pragma journal_mode=delete').fetchall())
E
python3 job.py
ls
