python3 -c 'import setuptools, wheel' 2> /dev/null || exit 77
mkdir p
echo x=1 > p/__init__.py
cat > setup.py <<'E'
from setuptools import setup
setup(name="p", version="1", packages=["p"])
E
python3 -m pip wheel -q --no-index --no-deps --no-build-isolation --no-cache-dir . -w out > /dev/null 2>&1
ls out
python3 setup.py -q build
find build -name '*.py'
