mkdir -p a/b
seq 99 > a/f
ln a/f a/g
ln -s f a/l
rsync -aH a/ c/
echo x > a/f
rsync -a --delete a/ c/
rsync -a --inplace a/ c/
