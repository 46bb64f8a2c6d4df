mv moved there
sed -i s/n/N/ kept
echo more >> copy/three
truncate -s 9 copy/sparse
ln -f kept hard
rm -rf out plain2
mkdir out
cp -a there out/
mv out/there/b/one out/
rm -r x
echo x > x
chmod 700 copy
chmod 600 hard
rm copy/fifo copy/b/link
mkdir copy/b/link
touch there/new
touch -d 2003-03-03 kept
find . -type f | sort | xargs md5sum | md5sum
