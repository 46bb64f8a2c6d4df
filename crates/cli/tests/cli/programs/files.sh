mkdir -p a/b/c
echo one > a/one
ln a/one a/two
ln -s ../one a/b/link
mkfifo a/fifo
chmod 750 a
dd if=/dev/zero of=a/sparse bs=1 count=1 seek=1M 2> /dev/null
touch -d 2001-02-03T04:05:06 a/one a/b
touch -h -d 2002-02-03T04:05:06 a/b/link
tar --sort=name -cf a.tar a
mkdir out
tar -xpf a.tar -C out
cp -a a copy
mv a moved
mv moved/one moved/b/
cp -rL copy/b plain
install -D -m 640 copy/one x/y/z
install -d q/r
ln -sf one copy/b/link
ln -f copy/two copy/three
rmdir q/r
rm -rf out/a/b/c
mv -n copy/one copy/two
mv -T plain plain2
cp -l copy/two hard
cp --preserve=all copy/three kept
truncate -s 3 copy/sparse
find . -name one | sort | xargs stat -c '%n %Y %h'
readlink copy/b/link out/a/b/link
stat -c %b out/a/sparse
rm a.tar
