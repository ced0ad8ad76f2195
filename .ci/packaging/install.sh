#!/bin/sh
# Installs agenda from the unpacked archive in which this script is, or removes it again.
#
#   ./install.sh [--prefix FOLDER]                 default: ~/.local, for root /usr/local
#   ./install.sh --uninstall [--prefix FOLDER]
#
# DESTDIR, if set, is put before every path that is written.
set -eu

usage() {
  echo "usage: install.sh [--uninstall] [--prefix FOLDER]" >&2
  exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
action=install
if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=$HOME/.local; fi
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) [ $# -ge 2 ] || usage; prefix=$2; shift ;;
    --prefix=*) prefix=${1#--prefix=} ;;
    --uninstall) action=uninstall ;;
    --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) usage ;;
  esac
  shift
done
case $prefix in
  /*) ;;
  *) echo "install.sh: --prefix: expected an absolute path, got \"$prefix\"" >&2; exit 2 ;;
esac

root=${DESTDIR:-}$prefix
list=share/agenda/installed-files

# Removes the files of an earlier installation, and then the folders that this leaves empty.
remove_installed() {
  while read -r file; do
    rm -f "$root/$file"
    folder=$(dirname "$file")
    while [ "$folder" != . ]; do
      rmdir "$root/$folder" 2>/dev/null || break
      folder=$(dirname "$folder")
    done
  done < "$1"
}

if [ -f "$root/$list" ]; then
  files=$(mktemp)
  cp "$root/$list" "$files"
  remove_installed "$files"
  rm "$files"
elif [ "$action" = uninstall ]; then
  echo "install.sh: agenda is not installed in $prefix" >&2
  exit 1
fi
if [ "$action" = uninstall ]; then
  echo "agenda was removed from $prefix"
  exit 0
fi

cd "$here/tree"
find . -type f | sed 's,^\./,,' | LC_ALL=C sort | while read -r file; do
  mkdir -p "$root/$(dirname "$file")"
  case $file in
    bin/*) install -m 755 "$file" "$root/$file" ;;
    *.service)
      sed "s,^ExecStart=.*/agenda ,ExecStart=$prefix/bin/agenda ," "$file" > "$root/$file"
      chmod 644 "$root/$file"
      ;;
    *) install -m 644 "$file" "$root/$file" ;;
  esac
done
mkdir -p "$root/share/agenda"
{ find . -type f | sed 's,^\./,,'; echo "$list"; } | LC_ALL=C sort > "$root/$list"

echo "agenda was installed in $prefix"
case :$PATH: in
  *":$prefix/bin:"*) ;;
  *) echo "Add $prefix/bin to PATH to run it." ;;
esac
