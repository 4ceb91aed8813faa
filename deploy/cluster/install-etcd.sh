#!/bin/sh
# Installs etcd from Debian's packages, as `npm run cluster:install`. Says what it does. The service
# that the package brings is neither started nor enabled: `npm run cluster` starts nodes of its own.
set -eu

if command -v etcd > /dev/null; then
  echo "etcd is installed: $(etcd --version | head -n 1)"
  exit 0
fi
if ! command -v apt-get > /dev/null; then
  echo 'This script needs apt-get (Debian, Ubuntu). Elsewhere install etcd 3.4 or later yourself:' >&2
  echo 'the programs etcd and etcdctl must be on the PATH.' >&2
  exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
  echo 'Run this as root: apt-get installs the packages etcd-server and etcd-client.' >&2
  exit 1
fi

# The package's scripts ask this program whether they may start a service. 101 means no.
policy=/usr/sbin/policy-rc.d
made=no
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' > "$policy"
  chmod 755 "$policy"
  made=yes
fi
trap '[ "$made" = no ] || rm -f "$policy"' EXIT

echo 'Installs the Debian packages etcd-server and etcd-client; starts no service.'
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
  etcd-server etcd-client > /dev/null
if command -v systemctl > /dev/null && systemctl is-enabled --quiet etcd 2> /dev/null; then
  systemctl disable --quiet etcd
  echo 'Disabled the service etcd of the package.'
fi
echo "Installed: $(etcd --version | head -n 1)"
