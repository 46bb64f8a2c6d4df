echo 'int f3(void) { return 33; }' > f3.c
make -s -j4
rm -f f5.o lib.a
make -j4 | wc -l
cp -p f6.o f7.o
touch f7.c
make -j2 | wc -l
mkdir old
mv all lib.a old
make -s
