mkfifo p
seq 5 > p &
cat p
wait
for i in 1 2 3 4 5 6; do (flock 9; n=$(cat n 2> /dev/null || echo 0); echo $((n + 1)) > n) 9> lock & done
wait
cat n
exec 3<> p
echo both >&3
read x <&3
echo $x
echo errors > /dev/stderr
echo nothing > /dev/null
echo out >> /dev/fd/1 || true
(set -C; echo x > n) 2> /dev/null || echo kept
echo here | tee /dev/stderr | cat > piped
