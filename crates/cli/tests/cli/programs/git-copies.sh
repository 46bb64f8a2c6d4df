cp -r r one
cp -a r two
tar -cf r.tar r
mkdir three
tar -xf r.tar -C three
rm r.tar
python3 -c 'import shutil; shutil.copytree("r", "four", symlinks=True)'
for copy in one two three/r four; do
    git -C $copy status --short
    git -C $copy config user.email
    git -C $copy log -1 --format=%T
done
stat -c '%a %y' r/.git/config two/.git/config four/.git/config | sort -u | wc -l
