export npm_config_cache="$PWD/.cache" npm_config_update_notifier=false
mkdir -p pkg/lib
echo '{"name":"pkg","version":"1.0.0","bin":{"hi":"lib/hi.js"},"scripts":{"postinstall":"echo made > made"}}' > pkg/package.json
printf '#!/usr/bin/env node\nconsole.log("hi")\n' > pkg/lib/hi.js
(cd pkg && npm pack --silent > /dev/null)
mv pkg/*.tgz pkg.tgz
echo '{"name":"a","version":"1.0.0"}' > package.json
npm install --offline --no-audit --no-fund ./pkg.tgz > /dev/null
./node_modules/.bin/hi
cat node_modules/pkg/made
rm -rf .cache
