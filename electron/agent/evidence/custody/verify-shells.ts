/** A pack's check for Windows PowerShell 5.1, using only what Windows includes. Dollars have no braces here. */
export const verifyPs1 = String.raw`# Checks this custody pack: powershell -ExecutionPolicy Bypass -File verify.ps1 FINGERPRINT [COPY | FOLDER]...
# FINGERPRINT: the fingerprint of the desk's key. Get it from the desk, not from this pack.
# Prints one sentence per difference. Exits with 0 if nothing differs, otherwise with 1.
param([string]$Fingerprint = '', [Parameter(ValueFromRemainingArguments = $true)][string[]]$Copies = @())
$ErrorActionPreference = 'Stop'
$here = $PSScriptRoot
$script:differs = $false
function Say([string]$text) { Write-Output ($text -replace '[\p{Cc}\p{Cf}]', '?'); $script:differs = $true }
function Hex([byte[]]$bytes) { return ([BitConverter]::ToString($bytes) -replace '-', '').ToLowerInvariant() }
function Sum([byte[]]$bytes) { return Hex ([Security.Cryptography.SHA256]::Create().ComputeHash($bytes)) }
function SumOf([string]$path) { return (Get-FileHash -LiteralPath $path -Algorithm SHA256).Hash.ToLowerInvariant() }
function SumOfText([string]$text) { return Sum ([Text.Encoding]::UTF8.GetBytes($text)) }
function Read([string]$name) { return [IO.File]::ReadAllBytes((Join-Path $here $name)) }

# The two numbers of a DER signature, 32 bytes each
function Numbers([byte[]]$der) {
  $at = 2
  foreach ($part in 1, 2) {
    if ($der[$at] -ne 2) { throw 'manifest.sig is not a signature' }
    $length = $der[$at + 1]
    $number = @($der[($at + 2)..($at + 1 + $length)])
    while ($number.Length -gt 32) { $number = @($number[1..($number.Length - 1)]) }
    while ($number.Length -lt 32) { $number = @(0) + $number }
    $number
    $at += 2 + $length
  }
}

function CheckSignature {
  $pem = [Text.Encoding]::ASCII.GetString((Read 'key.pem'))
  $der = [Convert]::FromBase64String(($pem -replace '-----[A-Z ]+-----', '' -replace '\s', ''))
  $key = Sum $der
  # The last 64 bytes of a P-256 key are its point
  if ($der.Length -ne 91) { throw 'key.pem is not a P-256 key' }
  [byte[]]$blob = @(0x45, 0x43, 0x53, 0x31, 0x20, 0, 0, 0) + $der[27..90]
  $format = [Security.Cryptography.CngKeyBlobFormat]::EccPublicBlob
  $ecdsa = New-Object Security.Cryptography.ECDsaCng ([Security.Cryptography.CngKey]::Import($blob, $format))
  $ecdsa.HashAlgorithm = [Security.Cryptography.CngAlgorithm]::Sha256
  [byte[]]$signature = Numbers (Read 'manifest.sig')
  if (-not $ecdsa.VerifyData((Read 'manifest.json'), $signature)) {
    Say 'The signature does not match: manifest.json, manifest.sig or key.pem was changed.'
  }
  $wanted = ($Fingerprint -replace '[ :]', '').ToLowerInvariant()
  if ($wanted -eq '') { Say "No fingerprint was given, so it is not known whose signature this is. Ask the desk for the fingerprint of its key and compare it with $key." }
  elseif ($wanted -cne $key) { Say "The pack is not signed with the key you gave: the fingerprint of its key is $key." }
}

function CheckFiles {
  $manifest = [Text.Encoding]::UTF8.GetString((Read 'manifest.json'))
  $sums = SumOf (Join-Path $here 'SHA256SUMS')
  $said = '"SHA256SUMS":{"sha256":"' + $sums + '"'
  if (-not $manifest.Contains($said)) { Say 'SHA256SUMS is not the file that was packed: its SHA-256 differs.' }
  $listed = @('manifest.json', 'manifest.sig', 'SHA256SUMS', 'timestamp.tsr')
  $stamp = Join-Path $here 'timestamp.tsr'
  if (Test-Path -LiteralPath $stamp -PathType Leaf) {
    $said = '"timestamp.tsr":{"sha256":"' + (SumOf $stamp) + '"'
    if (-not $manifest.Contains($said)) { Say 'timestamp.tsr is not the file that was packed: its SHA-256 differs.' }
  }
  elseif ($manifest.Contains('"timestamp.tsr":{')) { Say 'timestamp.tsr is missing.' }
  foreach ($line in [IO.File]::ReadAllLines((Join-Path $here 'SHA256SUMS'))) {
    $name = $line.Substring(66)
    $listed += $name
    $path = Join-Path $here $name
    if (-not (Test-Path -LiteralPath $path -PathType Leaf)) { Say "$name is missing." }
    else {
      try { $own = SumOf $path } catch { Say "$name cannot be read."; continue }
      if ($own -cne $line.Substring(0, 64)) { Say "$name is not the file that was packed: its SHA-256 differs." }
    }
  }
  foreach ($file in Get-ChildItem -LiteralPath $here -Recurse -File -Force) {
    $name = $file.FullName.Substring($here.Length + 1).Replace('\', '/')
    if ($listed -cnotcontains $name) { Say "$name is in the folder but is not part of the pack." }
  }
}

function CheckChain {
  $last = ''
  foreach ($line in [IO.File]::ReadAllLines((Join-Path $here 'chain.txt'))) {
    $row, $before, $own, $digest, $text = $line.Split([char[]]@([char]9), 5)
    if ($text -cne '-' -and (SumOfText $text) -cne $digest) { Say "Row $row of the chain was changed." }
    $start = $before -replace '^-$', ''
    if ((SumOfText ($start + $digest)) -cne $own) { Say "Row $row of the chain does not follow from the one before." }
    if ($last -ne '' -and $before -cne $last -and -not ($text.Contains('"chain.anchored"') -and $text.Contains($last))) {
      Say "Rows of the chain before row $row are missing."
    }
    $last = $own
  }
  $said = '"head":{"hash":"' + $last + '"'
  if (-not [Text.Encoding]::UTF8.GetString((Read 'manifest.json')).Contains($said)) {
    Say 'The end or the length of chain.txt differs from the manifest.'
  }
}

function CheckCopies {
  $clips = @([IO.File]::ReadAllLines((Join-Path $here 'clips.txt')) | ForEach-Object { , $_.Split([char]9) })
  $seen = @()
  foreach ($given in $Copies) {
    if (-not (Test-Path -LiteralPath $given)) { Say "$given does not exist."; continue }
    foreach ($copy in Get-ChildItem -LiteralPath $given -Recurse -File -Force) {
      $named = @($clips | Where-Object { $_[2] -ceq $copy.Name -or $_[3] -ceq $copy.Name })
      try { $own = SumOf $copy.FullName } catch { Say "$($copy.Name) cannot be read."; foreach ($clip in $named) { $seen += $clip[0] }; continue }
      $seen += $own
      $same = @($clips | Where-Object { $_[0] -ceq $own })
      if ($same.Count -gt 0) {
        $fitting = @($same | Where-Object { $_[2] -ceq $copy.Name -or $_[3] -ceq $copy.Name -or ($_[3] -ceq '-' -and $named.Count -eq 0) })
        if ($fitting.Count -eq 0) { Say "$($copy.Name) has the same bytes as a clip that was sent, but a different name." }
      }
      elseif ($named.Count -gt 0) { Say "$($copy.Name) is not the clip that was sent: its SHA-256 is $own." }
      else { Say "$($copy.Name) is not among the clips that were sent: its SHA-256 is $own." }
    }
    if (Test-Path -LiteralPath $given -PathType Container) {
      foreach ($clip in $clips) { if ($seen -cnotcontains $clip[0]) { Say "No copy of the clip $($clip[2]) was given." } }
    }
  }
}

foreach ($check in 'CheckSignature', 'CheckFiles', 'CheckChain', 'CheckCopies') {
  try { & $check } catch { Say "The pack cannot be read: $($_.Exception.Message)" }
}
if ($script:differs) { exit 1 }
Write-Output 'OK: the signature, all files, all copies given and the chain match.'
exit 0
`;

/** A pack's check for any POSIX shell with openssl and sha256sum or shasum. Dollars have no braces here. */
export const verifySh = String.raw`#!/bin/sh
# Checks this custody pack: sh verify.sh FINGERPRINT [COPY-OF-A-CLIP | FOLDER-OF-COPIES]...
# FINGERPRINT: the fingerprint of the desk's key. Get it from the desk, not from this pack.
# Prints one sentence per difference. Exits with 0 if nothing differs, otherwise with 1.
LC_ALL=C
export LC_ALL
here=$(dirname "$0")
wanted=
if [ $# -gt 0 ]; then wanted=$(printf '%s' "$1" | tr -d ' :' | tr 'A-F' 'a-f'); shift; fi
differs=0
# A name may contain terminal control characters, also as two bytes of UTF-8, or marks that turn or hide text
steering="$(printf '\302')[$(printf '\200')-$(printf '\237\255')]"
mark="$(printf '\330\234')"
marks="$(printf '\342\200')[$(printf '\213')-$(printf '\217')$(printf '\250')-$(printf '\256')]"
more_marks="$(printf '\342\201')[$(printf '\240')-$(printf '\257')]"
say() {
  printf '%s\n' "$1" | tr '\001-\011\013-\037\177' '[?*]' |
    sed -e "s/$steering/?/g" -e "s/$mark/?/g" -e "s/$marks/?/g" -e "s/$more_marks/?/g"
  differs=1
}
if command -v sha256sum >/dev/null 2>&1; then sha256() { sha256sum; }; else sha256() { shasum -a 256; }; fi
sum() { sha256 | { read -r hash rest; printf '%s' "$hash"; }; }
tab=$(printf '\t')

clips=$here/clips.txt
seen=
check_copy() {
  name=$(basename "$1")
  if [ -L "$1" ] || [ ! -f "$1" ]; then
    say "$name is neither a regular file nor a folder."
    return
  fi
  if [ ! -r "$1" ]; then
    say "$name cannot be read."
    seen="$seen $(NAME=$name awk -F '\t' '$3 == ENVIRON["NAME"] || $4 == ENVIRON["NAME"] { print $1 }' "$clips")"
    return
  fi
  hash=$(sum <"$1")
  seen="$seen $hash"
  found=$(NAME=$name awk -F '\t' -v hash="$hash" '
    $1 == hash { bytes = 1; if ($4 == "-") any = 1 }
    $3 == ENVIRON["NAME"] || $4 == ENVIRON["NAME"] { known = 1; if ($1 == hash) same = 1 }
    END { print (same || (any && !known) ? "same" : (bytes ? "bytes" : (known ? "known" : "none"))) }' "$clips")
  case $found in
  same) ;;
  bytes) say "$name has the same bytes as a clip that was sent, but a different name." ;;
  known) say "$name is not the clip that was sent: its SHA-256 is $hash." ;;
  *) say "$name is not among the clips that were sent: its SHA-256 is $hash." ;;
  esac
}
folder=
for given in "$@"; do
  if [ -d "$given" ] && [ ! -L "$given" ]; then
    folder=yes
    copies=$(find "$given" ! -type d) || say "A folder in $given cannot be read."
    while IFS= read -r copy; do [ -z "$copy" ] || check_copy "$copy"; done <<END
$copies
END
  elif [ -e "$given" ] || [ -L "$given" ]; then check_copy "$given"
  else say "$given does not exist."; fi
done
if [ -n "$folder" ]; then
  while IFS="$tab" read -r hash size stored name; do
    case $seen in *"$hash"*) ;; *) say "No copy of the clip $stored was given." ;; esac
  done <"$clips"
fi

cd "$here" || exit 1
if ! command -v openssl >/dev/null 2>&1; then say 'openssl is not installed, so the signature was not checked.'
else
  openssl dgst -sha256 -verify key.pem -signature manifest.sig manifest.json >/dev/null 2>&1 ||
    say 'The signature does not match: manifest.json, manifest.sig or key.pem was changed.'
  key=$(openssl pkey -pubin -in key.pem -outform DER 2>/dev/null | sum)
  if [ -z "$wanted" ]; then say "No fingerprint was given, so it is not known whose signature this is. Ask the desk for the fingerprint of its key and compare it with $key."
  elif [ "$key" != "$wanted" ]; then say "The pack is not signed with the key you gave: the fingerprint of its key is $key."; fi
fi

[ -r SHA256SUMS ] || say 'SHA256SUMS is missing or cannot be read.'
sums=$(sum <SHA256SUMS)
grep -F -q "\"SHA256SUMS\":{\"sha256\":\"$sums\"" manifest.json 2>/dev/null || say 'SHA256SUMS is not the file that was packed: its SHA-256 differs.'
while read -r hash name; do
  if [ -L "$name" ] || [ ! -f "$name" ]; then say "$name is missing."
  elif [ ! -r "$name" ]; then say "$name cannot be read."
  elif [ "$(sum <"$name")" != "$hash" ]; then say "$name is not the file that was packed: its SHA-256 differs."; fi
done <SHA256SUMS
if [ -e timestamp.tsr ] || [ -L timestamp.tsr ]; then
  stamp=$(sum <timestamp.tsr)
  [ ! -L timestamp.tsr ] && grep -F -q "\"timestamp.tsr\":{\"sha256\":\"$stamp\"" manifest.json 2>/dev/null || say 'timestamp.tsr is not the file that was packed: its SHA-256 differs.'
elif grep -F -q '"timestamp.tsr":{' manifest.json 2>/dev/null; then say 'timestamp.tsr is missing.'; fi
all=$(find . ! -type d) || say 'A folder in the pack cannot be read.'
more=$(printf '%s\n' "$all" | cut -c3- | awk '
  BEGIN {
    while ((getline line <"SHA256SUMS") > 0) listed[substr(line, 67)] = 1
    listed["manifest.json"] = listed["manifest.sig"] = listed["SHA256SUMS"] = listed["timestamp.tsr"] = 1
  }
  !($0 in listed)')
while IFS= read -r name; do
  [ -z "$name" ] || say "$name is in the folder but is not part of the pack."
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
grep -F -q "\"head\":{\"hash\":\"$last\"" manifest.json 2>/dev/null || say 'The end or the length of chain.txt differs from the manifest.'

[ $differs = 1 ] || echo 'OK: the signature, all files, all copies given and the chain match.'
exit $differs
`;
