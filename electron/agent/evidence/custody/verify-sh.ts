/** The check of a pack for any POSIX shell with openssl and sha256sum or shasum. Dollars stand without braces here. */
export const verifySh = String.raw`#!/bin/sh
# Checks this custody pack: sh verify.sh FINGERPRINT [COPY-OF-A-CLIP | FOLDER-OF-COPIES]...
# FINGERPRINT: of the desk's key, which the desk gave you separately from this pack.
# One sentence per difference; ends with 0 when nothing differs, else with 1.
LC_ALL=C
export LC_ALL
here=$(dirname "$0")
wanted=
if [ $# -gt 0 ]; then wanted=$(printf '%s' "$1" | tr -d ' :' | tr 'A-F' 'a-f'); shift; fi
differs=0
say() { printf '%s\n' "$1"; differs=1; }
if command -v sha256sum >/dev/null 2>&1; then sha256() { sha256sum; }; else sha256() { shasum -a 256; }; fi
sum() { sha256 | { read -r hash rest; printf '%s' "$hash"; }; }
tab=$(printf '\t')

clips=$here/clips.txt
seen=
check_copy() {
  hash=$(sum <"$1")
  name=$(basename "$1")
  seen="$seen $hash"
  found=$(NAME=$name awk -F '\t' -v hash="$hash" '
    $1 == hash { bytes = 1; if ($4 == "-") any = 1 }
    $3 == ENVIRON["NAME"] || $4 == ENVIRON["NAME"] { known = 1; if ($1 == hash) same = 1 }
    END { print (same || (any && !known) ? "same" : (bytes ? "bytes" : (known ? "known" : "none"))) }' "$clips")
  case $found in
  same) ;;
  bytes) say "$name has the bytes of a clip in this pack with a different name." ;;
  known) say "$name is not the clip that was sent: its SHA-256 is $hash." ;;
  *) say "$name is not a clip of this pack: its SHA-256 is $hash." ;;
  esac
}
folder=
for given in "$@"; do
  if [ -d "$given" ]; then
    folder=yes
    copies=$(find "$given" -type f)
    while IFS= read -r copy; do [ -z "$copy" ] || check_copy "$copy"; done <<END
$copies
END
  elif [ -f "$given" ]; then check_copy "$given"
  else say "$given is not there."; fi
done
if [ -n "$folder" ]; then
  while IFS="$tab" read -r hash size stored name; do
    case $seen in *"$hash"*) ;; *) say "No copy of the clip $stored was given." ;; esac
  done <"$clips"
fi

cd "$here" || exit 1
if ! command -v openssl >/dev/null 2>&1; then say 'openssl is not there, so the signature was not checked.'
else
  openssl dgst -sha256 -verify key.pem -signature manifest.sig manifest.json >/dev/null 2>&1 ||
    say 'The signature does not match: manifest.json, manifest.sig or key.pem was changed.'
  key=$(openssl pkey -pubin -in key.pem -outform DER 2>/dev/null | sum)
  if [ -z "$wanted" ]; then say "No fingerprint was given, so it is not known whose signature this is. Ask the desk whether its key is $key."
  elif [ "$key" != "$wanted" ]; then say "The pack is signed with a different key than the one you gave: its fingerprint is $key."; fi
fi

sums=$(sum <SHA256SUMS)
grep -F -q "\"SHA256SUMS\":{\"sha256\":\"$sums\"" manifest.json 2>/dev/null || say 'SHA256SUMS is not the file that was packed.'
while read -r hash name; do
  if [ -L "$name" ] || [ ! -f "$name" ]; then say "$name is missing."
  elif [ "$(sum <"$name")" != "$hash" ]; then say "$name is not the file that was packed: its SHA-256 differs."; fi
done <SHA256SUMS
if [ -e timestamp.tsr ] || [ -L timestamp.tsr ]; then
  stamp=$(sum <timestamp.tsr)
  [ ! -L timestamp.tsr ] && grep -F -q "\"timestamp.tsr\":{\"sha256\":\"$stamp\"" manifest.json 2>/dev/null || say 'timestamp.tsr is not the file that was packed: its SHA-256 differs.'
elif grep -F -q '"timestamp.tsr":{' manifest.json 2>/dev/null; then say 'timestamp.tsr is missing.'; fi
more=$(find . ! -type d | cut -c3- | awk '
  BEGIN {
    while ((getline line <"SHA256SUMS") > 0) listed[substr(line, 67)] = 1
    listed["manifest.json"] = listed["manifest.sig"] = listed["SHA256SUMS"] = listed["timestamp.tsr"] = 1
  }
  !($0 in listed)')
while IFS= read -r name; do
  [ -z "$name" ] || say "$name is in the folder but was not packed."
done <<END
$more
END

last=
while IFS="$tab" read -r row before hash digest text; do
  [ "$text" = - ] || [ "$(printf '%s' "$text" | sum)" = "$digest" ] || say "Row $row of the chain was changed."
  if [ "$before" = - ]; then start=; else start=$before; fi
  [ "$(printf '%s%s' "$start" "$digest" | sum)" = "$hash" ] || say "Row $row of the chain does not follow from the one before."
  if [ -n "$last" ] && [ "$before" != "$last" ]; then
    case $text in *'"chain.anchored"'*"$last"*) ;; *) say "Rows of the chain before row $row are missing." ;; esac
  fi
  last=$hash
done <chain.txt
grep -F -q "\"head\":{\"hash\":\"$last\"" manifest.json 2>/dev/null || say 'chain.txt does not end with the row that the manifest names.'

[ $differs = 1 ] || echo 'All well: the signature, every file, every copy given and the chain agree.'
exit $differs
`;
