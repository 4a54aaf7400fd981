#!/usr/bin/env python3
"""Score a season a second time, in the plainest way: python3 rescore.py BUNDLE

Written from the description of the formats and of the rules, not from the Go program: standard library and the openssl command only. It prints one JSON
document with the freeze, and for every participant and task the status, the verdict, the missing facts and the cause of every assertion. It explains nothing,
it is slow, and it trusts the bundle's own trust folder: its only use is to disagree.
"""
import base64, binascii, datetime, functools, hashlib, json, os, re, shutil, subprocess, sys, tempfile

UTC = datetime.timezone.utc
GRACE = datetime.timedelta(minutes=15)
IDENTITY = ["agent_identity", "agent_identity_verified", "did_resolution_status", "identity_consistent"]
COMMITTED = ["request_hash", "response_hash", "transaction_id", "timestamp", "buyer_fingerprint", "seller"]
INVALID, PENDING, INCOMPLETE, VALID = "invalid", "pending", "incomplete", "valid"


class Fails(Exception):
    """Something is looked at and does not hold."""


class Missing(Exception):
    """A file or trust material that an answer needs is not there."""


def need(condition, what):
    if not condition:
        raise Fails(what)


# JSON, hashes, pointers

def sha(b):
    return hashlib.sha256(b).digest()


def canonical(v):
    return json.dumps(v, sort_keys=True, separators=(",", ":")).encode()


def same(a, b):
    """Typed equality: 1, 1.0, True and "1" are four values."""
    return canonical(a) == canonical(b)


def once(pairs):
    out = dict(pairs)
    need(len(out) == len(pairs), "a name twice")
    return out


def finite(text):
    value = float(text)
    need(value not in (float("inf"), float("-inf")), "overflow")
    return value


def refuse(text):
    raise Fails(text)


def strict(b):
    """The document of strict JSON: no name twice, no half of a surrogate pair, no NaN, no byte-order mark."""
    try:
        need(not b.startswith(b"\xef\xbb\xbf"), "byte-order mark")
        doc = json.loads(b.decode("utf-8"), object_pairs_hook=once, parse_float=finite, parse_constant=refuse)
        json.dumps(doc, ensure_ascii=False).encode("utf-8")
        return doc
    except (ValueError, RecursionError) as e:
        raise Fails(str(e))


def pointer(text):
    need(isinstance(text, str) and (text == "" or text[0] == "/"), "pointer")
    tokens = text.split("/")[1:]
    for t in tokens:
        need(not re.search(r"~(?![01])", t), "escape")
    return [t.replace("~1", "/").replace("~0", "~") for t in tokens]


INDEX = re.compile(r"(0|[1-9][0-9]*)\Z")


def lookup(v, text):
    for t in pointer(text):
        if isinstance(v, dict):
            need(t in v, "member")
            v = v[t]
        else:
            need(isinstance(v, list) and INDEX.match(t) and int(t) < len(v), "index")
            v = v[int(t)]
    return v


def every(v, text):
    """The values at a pointer in which <n> stands for any index."""
    head, mark, rest = text.partition("/<n>")
    try:
        v = lookup(v, head)
    except Fails:
        return []
    if not mark:
        return [v]
    return [x for e in v for x in every(e, rest)] if isinstance(v, list) else []


def digest(text, prefix="sha256:"):
    need(isinstance(text, str) and re.fullmatch(re.escape(prefix) + "[0-9a-f]{64}", text), "digest")
    return bytes.fromhex(text[len(prefix):])


def b64url(text, size):
    need(isinstance(text, str) and text.startswith("ed25519:"), "prefix")
    raw = text[8:]
    need(re.fullmatch(r"[A-Za-z0-9_-]*", raw) and len(raw) % 4 != 1, "base64url")
    b = base64.urlsafe_b64decode(raw + "=" * (-len(raw) % 4))
    need(len(b) == size and base64.urlsafe_b64encode(b).decode().rstrip("=") == raw, "size or spelling")
    return b


def b64(text):
    need(isinstance(text, str), "base64")
    try:
        b = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Fails("base64")
    need(base64.b64encode(b).decode() == text, "spelling")
    return b


def moment(text):
    return None if text is None else datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


# Merkle trees (RFC 6962)

def leaf(b):
    return sha(b"\x00" + b)


def node(l, r):
    return sha(b"\x01" + l + r)


def root(leaves):
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return node(root(leaves[:k]), root(leaves[k:]))


def climb(h, index, size, path):
    need(size > 0 and index < size, "index")
    path = list(path)
    def up(h, index, size):
        if size == 1:
            return h
        k = 1
        while k * 2 < size:
            k *= 2
        if index < k:
            h = up(h, index, k)
            need(path, "path too short")
            return node(h, path.pop(0))
        h = up(h, index - k, size - k)
        need(path, "path too short")
        return node(path.pop(0), h)
    h = up(h, index, size)
    need(not path, "path too long")
    return h


# openssl

OPENSSL = shutil.which("openssl")
TEMP = tempfile.TemporaryDirectory(prefix="rescore-")


def keep(b):
    """The name of a file with these bytes."""
    name = os.path.join(TEMP.name, hashlib.sha256(b).hexdigest())
    if not os.path.exists(name):
        with open(name, "wb") as f:
            f.write(b)
    return name


def openssl(*args):
    return subprocess.run([OPENSSL, *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)


def pem_of(der, kind="PUBLIC KEY"):
    return ("-----BEGIN %s-----\n%s-----END %s-----\n" % (kind, base64.encodebytes(der).decode(), kind)).encode()


@functools.lru_cache(None)
def ed25519(key, signature, message):
    spki = bytes.fromhex("302a300506032b6570032100") + key  # RFC 8410
    return openssl("pkeyutl", "-verify", "-pubin", "-inkey", keep(pem_of(spki)), "-rawin", "-in", keep(message), "-sigfile", keep(signature)).returncode == 0


@functools.lru_cache(None)
def ecdsa(pem, signature, message):
    return openssl("dgst", "-sha256", "-verify", keep(pem), "-signature", keep(signature), keep(message)).returncode == 0


@functools.lru_cache(None)
def spki(pem):
    out = openssl("pkey", "-pubin", "-in", keep(pem), "-outform", "DER")
    need(out.returncode == 0, "public key")
    return out.stdout


# Timestamp tokens (RFC 3161): openssl verifies; what it does not look at is looked at here.

def der(b):
    """The elements of DER bytes: tag and content, and the whole element."""
    i, out = 0, []
    while i < len(b):
        start, tag, n, i = i, b[i], b[i + 1], i + 2
        if n & 0x80:
            k = n & 0x7f
            need(1 <= k <= 4, "length")
            n, i = int.from_bytes(b[i:i + k], "big"), i + k
        need(i + n <= len(b), "length")
        out.append((tag, b[i:i + n], b[start:i + n]))
        i += n
    return out


SHA2 = {bytes.fromhex("608648016503040201"), bytes.fromhex("608648016503040202"), bytes.fromhex("608648016503040203")}
TSTINFO, SIGNEDDATA = bytes.fromhex("2a864886f70d0109100104"), bytes.fromhex("2a864886f70d010702")
CONTENT_TYPE = bytes.fromhex("2a864886f70d010903")


def oid(b):
    out, n = [str(min(b[0] // 40, 2)), str(b[0] - 40 * min(b[0] // 40, 2))], 0
    for x in b[1:]:
        n = n << 7 | x & 0x7f
        if not x & 0x80:
            out.append(str(n))
            n = 0
    return ".".join(out)


def token_time(raw):
    m = re.fullmatch(r"(\d{14})(?:\.(\d+))?Z", raw.decode("ascii"))
    need(m, "genTime")
    t = datetime.datetime.strptime(m[1], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    return t + datetime.timedelta(microseconds=int((m[2] or "0").ljust(6, "0")[:6]))


@functools.lru_cache(None)
def token(response, artifact, folder):
    """The time of a token that holds."""
    try:
        return token_of(response, artifact, folder)
    except (IndexError, UnicodeDecodeError):
        raise Fails("token")


def token_of(response, artifact, folder):
    outer = der(response)
    need(len(outer) == 1 and outer[0][0] == 0x30, "one response")
    parts = der(outer[0][1])
    need(parts[0][0] == 0x30 and der(parts[0][1])[0][1] in (b"\x00", b"\x01") and len(parts) == 2, "granted, with a token")
    info = der(parts[1][1])
    need(info[0][1] == SIGNEDDATA, "signed data")
    signed = der(der(info[1][1])[0][1])
    content = der(signed[2][1])
    need(content[0][1] == TSTINFO, "content type")
    tst = der(der(der(der(content[1][1])[0][1])[0][2])[0][1])
    need(tst[0][1] == b"\x01", "version")
    imprint = der(tst[2][1])
    need(der(imprint[0][1])[0][1] in SHA2, "imprint algorithm")
    for tag, extensions, _ in tst[5:]:
        if tag == 0xa1:
            for _, e, _ in der(extensions):
                need(der(e)[1][:2] != (0x01, b"\xff"), "critical extension")
    signers = der(signed[-1][1])
    need(len(signers) == 1, "one signer")
    signer = der(signers[0][1])
    need(der(signer[2][1])[0][1] in SHA2 and signer[3][0] == 0xa0, "digest, attributes")
    for _, a, _ in der(signer[3][1]):
        if der(a)[0][1] == CONTENT_TYPE:
            need(der(der(a)[1][1])[0][1] == TSTINFO, "signed content type")
    at = token_time(tst[4][1])
    with open(os.path.join(folder, "policy.txt")) as f:
        need(oid(tst[1][1]) in f.read().split(), "policy")
    others = [os.path.join(folder, n) for n in sorted(os.listdir(folder)) if n.endswith(".pem") and not n.startswith("root")]
    args = ["ts", "-verify", "-in", keep(response), "-data", keep(artifact), "-CAfile", os.path.join(folder, "root.pem"), "-attime", str(int(at.timestamp()))]
    if others:
        args += ["-untrusted", keep(b"".join(open(n, "rb").read() for n in others))]
    need(openssl(*args).returncode == 0, "openssl ts")
    return at


# Trust material and bundle

def read(*name):
    try:
        with open(os.path.join(BUNDLE, *name), "rb") as f:
            return f.read()
    except (FileNotFoundError, NotADirectoryError):
        raise Missing("/".join(name))


def under(folder):
    for place, _, names in sorted(os.walk(os.path.join(BUNDLE, folder))):
        for name in sorted(names):
            yield os.path.relpath(os.path.join(place, name), BUNDLE)


def windows(keys):
    return [(k, moment(k.get("valid_from")), moment(k.get("retired_at"))) for k in keys]


def within(at, start, end):
    return (start is None or at >= start) and (end is None or at <= end + GRACE)


class Trust:
    def __init__(self):
        keys = strict(read("trust", "issuer", "published_keys.json"))
        self.issuer, self.rekor = windows(keys["keys"]), windows(keys["rekor_keys"])
        self.submitters = [(spki(k["public_pem"].encode()), a, b) for k, a, b in self.rekor]
        self.logs = {}
        for name in os.listdir(os.path.join(BUNDLE, "trust", "rekor")):
            if name.endswith(".pem"):
                pem = read("trust", "rekor", name)
                shards = {}
                try:
                    for s in strict(read("trust", "rekor", name[:-4] + ".json"))["shards"]:
                        shards[s["tree_id"]] = int(s["offset"])
                except Missing:
                    pass
                self.logs[sha(spki(pem)).hex()] = (name[:-4], pem, shards)


# Log entries

def entry_holds(uuid, entry, artifact, trust):
    """The submitter's key (DER) of an entry that holds for these bytes."""
    try:
        proof = entry["verification"]["inclusionProof"]
        body, set_, logid, index = b64(entry["body"]), b64(entry["verification"]["signedEntryTimestamp"]), entry["logID"], entry["logIndex"]
        local, size, hashes, checkpoint, time = proof["logIndex"], proof["treeSize"], proof["hashes"], proof["checkpoint"], entry["integratedTime"]
    except (KeyError, TypeError):
        raise Fails("shape")
    need(all(type(n) is int and n >= 0 for n in (index, local, size, time)) and isinstance(checkpoint, str), "shape")
    need(logid in trust.logs, "log id")
    name, pem, shards = trust.logs[logid]
    promise = canonical({"body": entry["body"], "integratedTime": time, "logID": logid, "logIndex": index})
    need(ecdsa(pem, set_, promise), "signed entry timestamp")
    h = leaf(body)
    need(re.fullmatch("([0-9a-f]{16})?[0-9a-f]{64}", uuid) and uuid[-64:] == h.hex(), "uuid")
    reached = climb(h, local, size, [digest(x, "") for x in hashes])
    need(digest(proof["rootHash"], "") == reached, "root")
    note, _, signatures = checkpoint.partition("\n\n")
    lines = (note + "\n").split("\n")
    need(len(lines) >= 4 and lines[0].startswith(name + " - "), "origin")
    tree = lines[0][len(name) + 3:]
    need(re.fullmatch("[1-9][0-9]*", tree) and (len(uuid) == 64 or int(uuid[:16], 16) == int(tree)), "tree")
    need(lines[1] == str(size) and b64(lines[2]) == reached, "checkpoint")
    need(any(signed_by(line, name, pem, (note + "\n").encode()) for line in signatures.split("\n")), "checkpoint signature")
    need(index >= local and (tree not in shards or index - local == shards[tree]), "offset")
    doc = strict(body)
    need(doc.get("kind") == "hashedrekord" and doc.get("apiVersion") == "0.0.1", "kind")
    spec = doc["spec"]
    need(spec["data"]["hash"] == {"algorithm": "sha256", "value": sha(artifact).hex()}, "artifact")
    submitter = b64(spec["signature"]["publicKey"]["content"])
    need(ecdsa(submitter, b64(spec["signature"]["content"]), artifact), "submitter's signature")
    return spki(submitter)


def signed_by(line, name, pem, note):
    m = re.fullmatch("\u2014 (\\S+) (\\S+)", line)
    if not m or m[1] != name:
        return False
    raw = b64(m[2])
    return raw[:4] == sha(spki(pem))[:4] and ecdsa(pem, raw[4:], note)


# Proofs

def version(view):
    text = view.get("spec_version")
    if text is None:
        return (1, 0)
    need(isinstance(text, str) and re.fullmatch(r"[0-9]+(\.[0-9]+)*", text), "spec_version")
    return tuple(int(x) for x in text.split("."))


def opens(commitments, field, nonce, value):
    need(field in commitments and sha(field.encode() + b"\x00" + digest(nonce, "") + canonical(value)) == digest(commitments[field]), field)


def collect(found, step):
    """Run a step; note what it found, and give its value."""
    try:
        return step()
    except Fails as e:
        found["fails"].append(str(e))
    except Missing as e:
        found["missing"].append(str(e))


def judge(view, pairs, season, trust, entries):
    """The outcome of one view for one submission, its identity, the opened hashes and the token time. season: (opening, close) or None."""
    found = {"fails": [], "missing": [], "pending": False, "v": None}
    v = collect(found, lambda: version(view))
    if v and v[0] > 3:
        return {"outcome": INCOMPLETE}
    chain = collect(found, lambda: digest(view["hashes"]["chain"] if isinstance(view.get("hashes"), dict) else None))
    commitments = {}
    if v and v >= (3, 0):
        collect(found, lambda: commitments.update(chain_holds(view, v, chain)))
    else:
        found["fails"].append("no commitments")
    hashes = collect(found, lambda: opened(commitments, pairs))
    anchored = collect(found, lambda: batch(view, chain, found))
    at = None
    if not found["pending"] and anchored:
        at = collect(found, lambda: stamp(view, anchored))
        collect(found, lambda: logged(view, anchored, at, trust, entries))
    if at and season:
        collect(found, lambda: need(season[0] <= at <= season[1], "outside the season"))
    collect(found, lambda: issuer(view, chain, at, trust))
    outcome = INVALID if found["fails"] else PENDING if found["pending"] else INCOMPLETE if found["missing"] else VALID
    return {"outcome": outcome, "hashes": hashes, "time": at, "did": bound_did(view, v, commitments), "fails": found["fails"]}


def chain_holds(view, v, chain):
    c = view.get("commitments")
    need(isinstance(c, dict), "commitments")
    need(all(f in c for f in COMMITTED + (IDENTITY if v >= (3, 1) else [])), "a commitment is missing")
    need(c and root([leaf(digest(c[f])) for f in sorted(c)]) == chain, "chain hash")
    return c


def opened(commitments, pairs):
    for f in ("request_hash", "response_hash"):
        opens(commitments, f, pairs[f]["nonce"], pairs[f]["value"])
    return pairs["request_hash"]["value"], pairs["response_hash"]["value"]


def batch(view, chain, found):
    b = view.get("batch_anchor")
    if b is None:
        return chain
    need(isinstance(b, dict) and b.get("status") in ("anchored", "pending"), "batch status")
    if b["status"] == "pending":
        found["pending"] = True
        return None
    index, size, path = b.get("leaf_index"), b.get("tree_size"), b.get("audit_path")
    need(type(index) is int and type(size) is int and index >= 0 and isinstance(path, list) and chain, "batch")
    need(climb(leaf(chain), index, size, [digest(x, "") for x in path]) == digest(b.get("root")), "batch root")
    return digest(b["root"])


def stamp(view, anchored):
    t = view.get("timestamp_authority") or {}
    need(t.get("tsr_base64") and t.get("provider") in ("freetsa.org", "digicert.com", "sectigo.com"), "token")
    folder = os.path.join(BUNDLE, "trust", "tsa", t["provider"])
    if not os.path.isdir(folder):
        raise Missing("authority")
    return token(b64(t["tsr_base64"]), anchored, folder)


def logged(view, anchored, at, trust, entries):
    uuid = (view.get("transparency_log") or {}).get("uuid")
    need(isinstance(uuid, str) and re.fullmatch("([0-9a-f]{16})?[0-9a-f]{64}", uuid), "uuid")
    mine = [(u, e) for u, e in entries if u[-64:] == uuid[-64:] and (len(u) == 64 or len(uuid) == 64 or u == uuid)]
    if not mine:
        raise Missing("log entry")
    why = None
    for u, e in mine:
        try:
            need(e is not None, "null entry")
            key = entry_holds(u if len(u) == 80 else uuid, e, anchored.hex().encode(), trust)
            window = [(a, b) for k, a, b in trust.submitters if k == key]
            need(window and (at is None or any(within(at, a, b) for a, b in window)), "submission key")
            return
        except Fails as e:
            why = e
    raise why


def issuer(view, chain, at, trust):
    signature, key = b64url(view.get("arkforge_signature"), 64), b64url(view.get("arkforge_pubkey"), 32)
    kid = view.get("arkforge_kid")
    named = [w for w in trust.issuer if w[0]["public"] == view["arkforge_pubkey"] and (kid is None or w[0]["kid"] == kid)]
    need(named and chain, "key")
    need(at is None or any(within(at, a, b) for _, a, b in named), "key window")
    need(ed25519(key, signature, chain.hex().encode()), "signature")


def bound_did(view, v, commitments):
    """The DID that the view proves to be bound, or None."""
    try:
        need(v and v >= (3, 1), "version")
        d = view["disclosed"]
        for f in IDENTITY:
            opens(commitments, f, d[f]["nonce"], d[f]["value"])
        need(d["agent_identity_verified"]["value"] is True and d["did_resolution_status"]["value"] == "bound", "bound")
        return d["agent_identity"]["value"]
    except (Fails, KeyError, TypeError):
        return None


def best(id, pairs, season, trust, views, entries):
    """Several views of one proof: the proof takes the best. None where the bundle has no view of it at all."""
    mine = views.get(id)
    if mine is None:
        return {"outcome": INCOMPLETE}
    results = []
    for view in mine:
        if view is None:
            results.append((9, {"outcome": INVALID}))
            continue
        r = judge(view, pairs, season, trust, entries)
        b = view.get("batch_anchor")
        waits = isinstance(b, dict) and b.get("status") == "pending"
        order = {VALID: 0, PENDING: 4, INCOMPLETE: 5 if waits else 1, INVALID: 6 if waits else 2}[r["outcome"]]
        results.append((order, r))
    return min(results, key=lambda x: x[0])[1]


def load_views():
    views = {}
    def add(id, view):
        if view is None or isinstance(view, dict) and view.get("proof_id") == id:
            views.setdefault(id, []).append(view)
    for name in under("proofs"):
        try:
            doc = strict(read(name))
        except Fails:
            continue
        if isinstance(doc, dict) and "proofs" in doc and "proof_id" not in doc:
            for id, view in doc["proofs"].items():
                add(id, view)
        elif isinstance(doc, dict):
            stem = os.path.basename(name)[:-5]
            add(stem if PROOF.match(stem) else doc.get("proof_id"), doc)
    return views


def load_entries():
    out = []
    for name in under("rekor"):
        try:
            doc = strict(read(name))
        except Fails:
            continue
        for part in doc if isinstance(doc, list) else [doc]:
            out += list(part.items())
    return out


# Corpus

class Corpus:
    def __init__(self, name):
        m = strict(read(name))
        self.base, self.collections, self.bodies, self.requests = m["base_url"], m["collections"], {}, {}
        for r in m["resources"]:
            b = read("corpus", r["file"])
            need(sha(b).hex() == r["sha256"], "corpus differs: " + r["file"])
            self.bodies[r["resource"]] = json.loads(b)
            self.requests[r["resource"]] = self.request(r["url"], r["method"], r["payload"])
        self.system = {sha(canonical(json.loads(read("corpus", s["file"])))).hex() for s in m["system"]}

    @staticmethod
    def request(url, method, payload):
        return sha(canonical({"target": url, "method": method, "payload": payload, "amount": 0.0, "currency": "eur"})).hex()

    def collection(self, resource):
        fits = [c for c in self.collections if resource.startswith(c["prefix"]) and len(resource) > len(c["prefix"])]
        return max(fits, key=lambda c: len(c["prefix"]), default=None)

    def body(self, resource):
        if resource in self.bodies:
            return self.bodies[resource]
        c = self.collection(resource)
        return c and json.loads(json.dumps(c["absent_body"]).replace("{resource}", json.dumps(resource)[1:-1]))

    def request_hash(self, resource):
        if resource in self.requests:
            return self.requests[resource]
        c = self.collection(resource)
        return c and self.request(self.base + resource, c["method"], c["payload"])


# The task's graph

VARIABLE = re.compile(r"\{([^{}]*)\}")


def filled(template, values):
    """The template with its variables filled in; None where one is lacking."""
    if any(name not in values for name in VARIABLE.findall(template)):
        return None
    return VARIABLE.sub(lambda m: values[m[1]], template)


def pattern(template, subject):
    out, last = "", 0
    for m in re.finditer(r"\{([^{}]*)\}|\*", template):
        out += re.escape(template[last:m.start()]) + (re.escape(subject[m[1]]) if m[1] in subject else "[^/]+")
        last = m.end()
    return re.compile(out + re.escape(template[last:]) + r"\Z")


def applies(rule, subject):
    """Whether the subject has every variable of a rule, those of "from" apart."""
    texts = [rule.get("start", ""), rule.get("to", ""), rule.get("match_any", {}).get("in", "")] + [t for t in rule.get("match", {}).values() if isinstance(t, str)]
    return all(filled(t, {**subject, "value": ""}) is not None for t in texts)


def graph(scale, subject, corpus):
    """resource → the set of rules that reach it."""
    reached, todo = {}, []
    rules = [(n, rule) for n, rule in enumerate(scale["graph"]) if applies(rule, subject)]
    def reach(resource, n):
        if corpus.body(resource) is not None and n not in reached.setdefault(resource, set()):
            if not reached[resource]:
                todo.append(resource)
            reached[resource].add(n)
    for n, rule in rules:
        if "start" in rule:
            r = filled(rule["start"], subject)
            if r:
                reach(r, n)
    while todo:
        resource = todo.pop()
        for n, rule in rules:
            if "from" in rule and pattern(rule["from"], subject).match(resource):
                for value in every(corpus.body(resource), rule["pointer"]):
                    target = filled(rule["to"], {**subject, "value": value}) if isinstance(value, str) else None
                    if target:
                        reach(target, n)
    return reached


def concerned(scale, subject, corpus, reached, resource):
    """The prefixes of pointers into the entries of a shared list that concern the subject."""
    out = []
    for n in reached[resource]:
        rule = scale["graph"][n]
        if "entries" not in rule:
            continue
        for i, entry in enumerate(every(corpus.body(resource), rule["entries"] + "/<n>")):
            if fits(rule, entry, subject, corpus, reached):
                out.append("%s/%d/" % (rule["entries"], i))
    return out


def at_or(v, text):
    try:
        return canonical(lookup(v, text))
    except Fails:
        return None


def fits(rule, entry, subject, corpus, reached):
    if "match" in rule:
        wanted = {p: filled(t, subject) if isinstance(t, str) else t for p, t in rule["match"].items()}
        return all(at_or(entry, p) == canonical(w) for p, w in wanted.items())
    m = rule["match_any"]
    for resource in reached:
        if pattern(m["in"], subject).match(resource):
            for element in every(corpus.body(resource), m["each"]):
                if all(at_or(entry, a) is not None and at_or(entry, a) == at_or(element, b) for a, b in m["equal"].items()):
                    return True
    return False


def admissible(scale, resource, field):
    fits = [p for p in scale["fields"] if resource.startswith(p)]
    if not fits:
        return False
    return any(re.fullmatch(re.escape(f).replace("<n>", "(0|[1-9][0-9]*)"), field) for f in scale["fields"][max(fits, key=len)])


# Entry (§4)

PROOF = re.compile(r"prf_[0-9]{8}_[0-9]{6}_[0-9a-f]{6}\Z")


def members(o, required, optional=()):
    need(isinstance(o, dict) and set(required) <= set(o) <= set(required) | set(optional), "members")
    return o


def enter(b, place, did, scale, task):
    s = members(strict(b), ["season", "track", "task_id", "agent_did", "verdict", "assertions", "disclosures"], ["narrative"])
    need(type(s["season"]) is int and all(isinstance(s[k], str) for k in ("track", "task_id", "agent_did", "verdict")), "types")
    need(isinstance(s.get("narrative", ""), str), "narrative")
    need((s["season"], s["track"], s["task_id"], s["agent_did"]) == (*place, did), "place")
    verdicts = scale["verdicts"]
    need(s["verdict"] in verdicts if isinstance(verdicts, list) else s["verdict"] and "/" not in s["verdict"], "verdict")
    need(isinstance(s["assertions"], list) and len(s["assertions"]) <= task["max_assertions"], "assertions")
    ids, triples, cited = [], [], set()
    for a in s["assertions"]:
        members(a, ["id", "claim", "proof_ids"])
        c = members(a["claim"], ["resource", "field", "value"])
        need(all(isinstance(x, str) for x in (a["id"], c["resource"], c["field"])), "types")
        need(c["resource"].startswith("/") and not c["resource"].startswith("//") and "#" not in c["resource"], "resource")
        need(c["field"] != "" and pointer(c["field"]), "field")
        p = a["proof_ids"]
        need(isinstance(p, list) and p and all(isinstance(x, str) and PROOF.match(x) for x in p) and len(set(p)) == len(p), "proof ids")
        ids.append(a["id"])
        triples.append(canonical([c["resource"], c["field"], c["value"]]))
        cited |= set(p)
    need(len(set(ids)) == len(ids) and len(set(triples)) == len(triples), "twice")
    need(isinstance(s["disclosures"], dict) and set(s["disclosures"]) == cited, "disclosures")
    for d in s["disclosures"].values():
        for f in ("request_hash", "response_hash"):
            pair = members(members(d, ["request_hash", "response_hash"])[f], ["nonce", "value"])
            digest(pair["nonce"], "")
            digest(pair["value"], "")
    return s


# Scores (§4.1, §5.7)

CAUSES = ["preuve_invalide", "identite_non_liee", "ressource_non_correspondante", "valeur_non_correspondante"]


def support(a, results, did, corpus):
    """The cause for which an assertion is not supported, or None."""
    causes, claim = [], a["claim"]
    body = corpus.body(claim["resource"])
    for id in a["proof_ids"]:
        r = results[id]
        if r["outcome"] != VALID:
            causes.append(CAUSES[0])
        elif r["did"] is None or r["did"] != did:
            causes.append(CAUSES[1])
        elif r["hashes"][0] != corpus.request_hash(claim["resource"]):
            causes.append(CAUSES[2])
        elif r["hashes"][1] in corpus.system:
            causes.append("defaut_instrument")
        elif r["hashes"][1] != sha(canonical(body)).hex() or at_or(body, claim["field"]) != canonical(claim["value"]):
            causes.append(CAUSES[3])
    for cause in CAUSES:
        if cause in causes:
            return cause
    return "defaut_instrument" if causes else None


def score(s, task, scale, key, corpus, results, did):
    outcomes = {r["outcome"] for r in results.values()}
    if INCOMPLETE in outcomes:
        return {"status": "incomplete"}
    if PENDING in outcomes:
        return {"status": "en_attente"}
    reached = graph(scale, task["subject"], corpus)
    shared = lambda r: any("entries" in scale["graph"][n] for n in reached[r])
    causes = {a["id"]: support(a, results, did, corpus) for a in s["assertions"]}
    out = {"assertions": causes}
    for a in s["assertions"]:
        r, f = a["claim"]["resource"], a["claim"]["field"]
        if r not in reached or not admissible(scale, r, f) or shared(r) and not any(f.startswith(p) for p in concerned(scale, task["subject"], corpus, reached, r)):
            return {"status": "rejetee_cloture", **out}
    kept = [a for a in s["assertions"] if causes[a["id"]] != "defaut_instrument"]
    own = [a for a in kept if not shared(a["claim"]["resource"])]
    if len(kept) < task["min_assertions"] or len(own) < (task["min_assertions"] + 1) // 2:
        return {"status": "non_rendue", **out}
    carried = {canonical([a["claim"]["resource"], a["claim"]["field"], a["claim"]["value"]]) for a in kept if causes[a["id"]] is None}
    def carries(form):
        return all(canonical([c["resource"], c["field"], c["value"]]) in carried for c in form)
    missing = [f["id"] for f in key["facts"] if not any(carries(form) for form in f["forms"])]
    return {"status": "rendue", "verdict_exact": s["verdict"] == key["verdict"], "grounded": not missing, "missing_facts": missing,
            "asserted": len(kept), "unsupported": sum(causes[a["id"]] is not None for a in kept), **out}


# Freeze (§8)

def frozen(season, trust, views, entries):
    """Whether everything that must be bound is, and the reason where not."""
    bound = set()
    for f in strict(read(season["freeze"]))["freezes"]:
        r = best(f["proof_id"], f["disclosures"], None, trust, views, entries)
        if r["outcome"] != VALID:
            return "proof " + f["proof_id"] + ": " + r["outcome"]
        if sha(canonical(f["request"])).hex() != r["hashes"][0]:
            return "request of " + f["proof_id"]
        if f["status"] == "current" and r["time"] > moment(season["opens_at"]):
            return "after the opening"
        for b in f["bindings"]:
            salt = bytes.fromhex(b["salt"]) if "salt" in b else b""
            if at_or(f["request"], b["pointer"]) != canonical(sha(salt + read(b["file"])).hex()):
                return "binding of " + b["file"]
            if f["status"] == "current" and (salt or b["file"] not in [t["key"] for t in season["tracks"]]):
                bound.add(b["file"])
    for name in [season["manifest"]] + [t[k] for t in season["tracks"] for k in ("bareme", "text", "key")]:
        if name not in bound:
            return "not bound: " + name
    return None


def percent(results, tasks):
    """The two columns, as counts; None where withheld or without an object."""
    if any(r["status"] in ("incomplete", "en_attente") for r in results.values()):
        return None, None
    rendered = [r for r in results.values() if r["status"] == "rendue"]
    unsupported, asserted = sum(r["unsupported"] for r in rendered), sum(r["asserted"] for r in rendered)
    exact = sum(r["verdict_exact"] and r["grounded"] for r in rendered)
    return [unsupported, asserted] if asserted else None, [exact, len(tasks)]


def participant(p, track, scale, key, season, trust, views, entries, corpus):
    results = {}
    for task in scale["tasks"]:
        try:
            b = read("submissions", p["id"], track, task["task_id"] + ".json")
        except Missing:
            continue
        try:
            s = enter(b, (season["season"], track, task["task_id"]), p["did"], scale, task)
        except Fails:
            results[task["task_id"]] = {"status": "rejetee_entree"}
            continue
        window = moment(season["opens_at"]), moment(season["closes_at"])
        judged = {id: best(id, pairs, window, trust, views, entries) for id, pairs in s["disclosures"].items()}
        results[task["task_id"]] = score(s, task, scale, key[task["task_id"]], corpus, judged, p["did"])
    if not results:
        return None
    overclaim, success = percent(results, scale["tasks"])
    return {"tasks": results, "overclaim": overclaim, "success": success}


def main():
    season = strict(read("season.json"))
    trust, views, entries = Trust(), load_views(), load_entries()
    out = {"freeze": frozen(season, trust, views, entries), "tracks": {}}
    if out["freeze"] is None:
        corpus = Corpus(season["manifest"])
        enrolled = strict(read(season["enrolments"]))["participants"]
        for t in season["tracks"]:
            scale = strict(read(t["bareme"]))
            key = {k["task_id"]: k for k in strict(read(t["key"]))["tasks"]}
            rows = {p["id"]: participant(p, t["id"], scale, key, season, trust, views, entries, corpus) for p in enrolled}
            out["tracks"][t["id"]] = {id: row for id, row in rows.items() if row}
    json.dump(out, sys.stdout, indent=1, sort_keys=True)
    print()


if __name__ == "__main__":
    BUNDLE = sys.argv[1]
    main()
