export GIT_AUTHOR_DATE=2026-01-02T00:00:00Z GIT_COMMITTER_DATE=2026-01-02T00:00:00Z GIT_CONFIG_GLOBAL=/dev/null
cd r
echo more >> f1
git commit -qam more
git checkout -q side
git rebase -q main
git checkout -q main
git mv f2 e2
rm f3
git add -A
git commit -q --amend --no-edit
git worktree add -q ../w2 side
git worktree move ../w2 ../w3
git worktree remove ../w3
git config user.email y@x.example
git remote rename origin other
git branch -m side aside
echo loose > loose
git add loose
git stash -q
git reset -q --hard HEAD~1
git reflog expire --expire=now --all
git gc -q --prune=now
git fsck
cd ..
mv r moved
git -C moved log --all --format='%T %s' | sort
git -C moved status --short
rm -rf c
