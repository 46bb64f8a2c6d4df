cat > job.py <<'E'
import json, mmap, multiprocessing, os, pathlib, shutil, socket, tempfile
def make(n):
    pathlib.Path(f'made{n}').write_text(str(n))
    return n
if __name__ == '__main__':
    print(sum(multiprocessing.Pool(4).map(make, range(20))))
    os.makedirs('a/b')
    shutil.copytree('a', 'c')
    shutil.move('c', 'a/c')
    os.replace('made1', 'a/b/x')
    shutil.copy2('made2', 'a')
    with open('m', 'wb+') as m:
        m.truncate(8192)
        v = mmap.mmap(m.fileno(), 8192)
        v[5:9] = b'mmap'
        v.flush()
    s = socket.socket(socket.AF_UNIX)
    s.bind('sock')
    s.listen()
    os.unlink('sock')
    with tempfile.TemporaryDirectory(dir='.') as d, tempfile.NamedTemporaryFile(dir='.') as n, tempfile.TemporaryFile(dir='.') as t:
        n.write(b'x')
        t.write(b'x')
        open(d + '/y', 'w').close()
    fd = os.open('.', os.O_RDONLY)
    os.mkdir('rel', dir_fd=fd)
    os.rename('made3', 'rel/r', src_dir_fd=fd, dst_dir_fd=fd)
    os.link('made4', 'l4')
    os.symlink('l4', 's4')
    os.utime('made5', (1, 2))
    os.chmod('made5', 0o600)
    print(os.stat('made5').st_mtime)
    os.truncate('made6', 0)
    os.posix_fallocate(os.open('made7', os.O_RDWR), 0, 100)
    os.sendfile(os.open('big', os.O_RDWR | os.O_CREAT), os.open('job.py', os.O_RDONLY), 0, 10)
    try:
        os.setxattr('made8', 'user.x', b'y')
        print(os.getxattr('made8', 'user.x'))
    except OSError as e:
        print(e)
    shutil.rmtree('a/b')
    print(sorted(os.listdir('.')))
E
python3 job.py
