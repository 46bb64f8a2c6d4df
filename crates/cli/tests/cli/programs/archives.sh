mkdir -p d/e
seq 1000 > d/e/f
chmod 755 d/e/f
ln -s f d/e/l
zip -qry a.zip d
mkdir o
unzip -q a.zip -d o
md5sum < o/d/e/f
readlink o/d/e/l
gzip -k d/e/f
gunzip -c d/e/f.gz | md5sum
xz -k d/e/f
rm a.zip d/e/f.gz
