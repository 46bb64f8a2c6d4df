for i in $(seq 12); do echo "int f$i(void) { return $i; }" > f$i.c; done
echo 'int f1(void), f12(void); int main(void) { return f1() + f12() - 13; }' > main.c
cat > Makefile <<'E'
OBJECTS = $(patsubst %.c,%.o,$(sort $(wildcard *.c)))
all: $(OBJECTS) ; cc -o all $(OBJECTS) && ar rcD lib.a $(OBJECTS)
%.o: %.c ; cc -c -o $@ $<
E
make -s -j4
./all
make -s -j4
touch -d '1 hour' f3.c
make -j4 | wc -l
