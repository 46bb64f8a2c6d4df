export GIT_AUTHOR_DATE=2026-01-01T00:00:00Z GIT_COMMITTER_DATE=2026-01-01T00:00:00Z GIT_CONFIG_GLOBAL=/dev/null
git init -q -b main r
cd r
git config user.name n
git config user.email e@x.example
git config pack.threads 1
for i in $(seq 40); do echo $i > f$i; done
mkdir -p d/e
echo deep > d/e/f
ln -s d/e/f link
chmod 755 f3
git add -A
git commit -qm one
git checkout -q -b side
echo s > s
git add s
git commit -qm side
git checkout -q main
echo m > m
git rm -q f7
git mv f8 g8
git add m
git commit -qm main
git rebase -q main side
git checkout -q main
git merge -q --no-ff --no-edit side
git tag t
git tag -a -m annotated a
git worktree add -q ../w -b work
(cd ../w && echo w > w && git add w && git commit -qm work)
git worktree list | wc -l
git worktree remove ../w
git cherry-pick work > /dev/null
echo dirty >> f1
git stash -q
git stash pop -q
git checkout -q f1
git rm -rq d
git reset -q --hard
git clean -fdxq
git gc -q
git repack -adq
git clone -q . ../c
git remote add origin ../c
git fetch -q origin
git branch -q -u origin/main
git notes add -m note
git archive -o ../a.tar HEAD
git branch -q -D work
git log --all --format='%T %s' | sort
git fsck
git status --short
git for-each-ref
