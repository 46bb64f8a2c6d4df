seq 100 > f
ln f g
sed -i s/5/five/ f
md5sum g
perl -pi -e s/7/seven/ f
perl -pi.bak -e s/9/nine/ f
md5sum f f.bak
sed -i.orig 1d f
sort -o f f
echo new > f.tmp
mv f.tmp f
printf 'a\nb\n' | tee f > h
cat f >> h
dd if=h of=f conv=notrunc 2> /dev/null
cp f F
chmod 640 F
cp -f g F
split -l 30 g part.
shred -u part.aa
csplit -s g 50
rm "$(mktemp -p . made.XXXXXX)"
seq 20 > v
vim -N -u NONE -es -c 'set backup backupcopy=no' -c '%s/1/one/' -c wq v
printf '2d\nw\nq\n' | ed -s v
vim -N -u NONE -es -c 'set backupcopy=yes undofile undodir=.' -c '%s/2/two/' -c wq v
rm -f .*un~
ls -A
md5sum v
