/** A pack's check in Python 3 without other packages; openssl checks the signature. */
export const verifyPy = String.raw`#!/usr/bin/env python3
"""Checks this custody pack: python3 verify.py FINGERPRINT [COPY-OF-A-CLIP | FOLDER-OF-COPIES]...

FINGERPRINT: the fingerprint of the desk's key. Get it from the desk, not from this pack.
Prints one sentence per difference. Exits with 0 if nothing differs, otherwise with 1.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Python looks for modules beside the script first, where whoever changed the pack may have put some
sys.path = [each for each in sys.path if os.path.realpath(each) != os.path.realpath(HERE)]

import base64
import hashlib
import json
import shutil
import subprocess

UNLISTED = {"manifest.json", "manifest.sig"}
differences = []


def say(text):
    differences.append(text)
    # A name may contain terminal control characters
    shown = "".join(each if each.isprintable() else "\\u%04x" % ord(each) for each in text)
    # The encoding of a Windows console or file may lack some letters
    letters = sys.stdout.encoding or "utf-8"
    print(shown.encode(letters, "backslashreplace").decode(letters))


def say_unread(error):
    say("%s cannot be read: %s." % (error.filename, error.strerror))


def is_regular(path):
    return os.path.isfile(path) and not os.path.islink(path)


def files_below(top):
    """Everything that is not a folder, links to folders too."""
    for folder, folders, names in os.walk(top, onerror=say_unread):
        for each in names + [one for one in folders if os.path.islink(os.path.join(folder, one))]:
            yield os.path.join(folder, each)


def sum_of(path):
    """None if it cannot be read, which is reported."""
    if not is_regular(path):
        # A pipe would be waited for
        return say("%s is neither a regular file nor a folder." % os.path.basename(path))
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            for block in iter(lambda: file.read(1 << 20), b""):
                digest.update(block)
    except OSError as error:
        error.filename = path
        return say_unread(error)
    return digest.hexdigest()


def read(name):
    with open(os.path.join(HERE, name), "rb") as file:
        return file.read()


def check_signature(wanted):
    # One key and nothing else: openssl skips what is around a key, and could read another one than is hashed here
    try:
        first, *lines, last, end = read("key.pem").decode("ascii").split("\n")
        if (first, last, end) != ("-----BEGIN PUBLIC KEY-----", "-----END PUBLIC KEY-----", ""):
            raise ValueError
        der = base64.b64decode("".join(lines), validate=True)
    except ValueError:
        return say("key.pem was changed: it does not contain exactly one key.")
    key = hashlib.sha256(der).hexdigest()
    openssl = shutil.which("openssl")
    # Windows looks in the current folder, which may be the pack, before anywhere else
    if openssl is None or not os.path.isabs(openssl):
        say("openssl is not installed, so the signature was not checked.")
    else:
        command = [openssl, "dgst", "-sha256", "-verify", "key.pem", "-signature", "manifest.sig", "manifest.json"]
        if subprocess.run(command, cwd=HERE, capture_output=True).returncode != 0:
            say("The signature does not match: manifest.json, manifest.sig or key.pem was changed.")
    if not wanted:
        say("No fingerprint was given, so it is not known whose signature this is. Ask the desk for the fingerprint of its key and compare it with %s." % key)
    elif key != wanted:
        say("The pack is not signed with the key you gave: the fingerprint of its key is %s." % key)


def check_files(manifest):
    listed = manifest["files"]
    for name, facts in sorted(listed.items()):
        path = os.path.join(HERE, *name.split("/"))
        if not is_regular(path):
            say("%s is missing." % name)
        elif os.path.getsize(path) != facts["sizeBytes"] or sum_of(path) not in (facts["sha256"], None):
            say("%s is not the file that was packed: its SHA-256 differs." % name)
    for each in files_below(HERE):
        name = os.path.relpath(each, HERE).replace(os.sep, "/")
        if name not in listed and name not in UNLISTED:
            say("%s is in the folder but is not part of the pack." % name)


def check_chain(manifest):
    last = None
    rows = {}
    # As bytes: text would also be split at other characters, which names may contain
    lines = [each.decode("utf-8") for each in read("chain.txt").splitlines()]
    for line in lines:
        number, before, own, digest, text = line.split("\t", 4)
        if text != "-":
            if hashlib.sha256(text.encode("utf-8")).hexdigest() != digest:
                say("Row %s of the chain was changed." % number)
            rows[int(number)] = json.loads(text)
        start = "" if before == "-" else before
        if hashlib.sha256((start + digest).encode("ascii")).hexdigest() != own:
            say("Row %s of the chain does not follow from the one before." % number)
        if last is not None and before != last and not ('"chain.anchored"' in text and last in text):
            say("Rows of the chain before row %s are missing." % number)
        last = own
    if last != manifest["chain"]["head"]["hash"] or len(lines) != manifest["chain"]["lines"]:
        say("The end or the length of chain.txt differs from the manifest.")
    for clip in manifest["clips"]:
        sent = clip["sent"]
        if sent is None:
            continue
        row = rows.get(sent["row"])
        facts = json.loads(row[4]) if row else {}
        wanted = (clip["id"], clip["sha256"]["sent"], clip["sizeBytes"], sent["storageKey"])
        if tuple(facts.get(name) for name in ("clipId", "sha256", "sizeBytes", "storageKey")) != wanted:
            say("Clip %d: the manifest does not agree with row %d of the chain." % (clip["number"], sent["row"]))


def check_copies(manifest, given):
    clips = [clip for clip in manifest["clips"] if clip["sent"] is not None]
    by_sum = {}
    names = set()
    for clip in clips:
        own = {clip["sent"]["name"], clip["path"].split("/")[-1]}
        by_sum.setdefault(clip["sha256"]["sent"], set()).update(own)
        names |= own
    copies = []
    has_folder = False
    for each in given:
        if os.path.isdir(each) and not os.path.islink(each):
            has_folder = True
            copies += files_below(each)
        elif os.path.lexists(each):
            copies.append(each)
        else:
            say("%s does not exist." % each)
    seen = set()
    for copy in copies:
        name = os.path.basename(copy)
        own = sum_of(copy)
        if own is None:
            seen.update(each for each, known in by_sum.items() if name in known)
            continue
        seen.add(own)
        if own in by_sum:
            if name not in by_sum[own]:
                say("%s has the same bytes as a clip that was sent, but a different name." % name)
        elif name in names:
            say("%s is not the clip that was sent: its SHA-256 is %s." % (name, own))
        else:
            say("%s is not among the clips that were sent: its SHA-256 is %s." % (name, own))
    if has_folder:
        for clip in clips:
            if clip["sha256"]["sent"] not in seen:
                say("No copy of the clip %s was given." % clip["sent"]["name"])


def attempt(check, *given):
    try:
        return check(*given)
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        say("The pack cannot be read: %s" % error)


def main():
    wanted = sys.argv[1].replace(" ", "").replace(":", "").lower() if len(sys.argv) > 1 else ""
    attempt(check_signature, wanted)
    manifest = attempt(lambda: json.loads(read("manifest.json").decode("utf-8")))
    if manifest is not None:
        attempt(check_files, manifest)
        attempt(check_chain, manifest)
        attempt(check_copies, manifest, sys.argv[2:])
    if not differences:
        print("OK: the signature, all files, all copies given and the chain match.")
    return 1 if differences else 0


sys.exit(main())
`;
