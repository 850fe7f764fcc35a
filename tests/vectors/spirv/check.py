#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py [--in DIR] [--out DIR] [--ref DIR] [--self] [case...]
Checks the results of ANY implementation of the cases in cases/*.case.
  --in   folder of NAME.bK.bin inputs               (default: in)
  --out  folder of NAME.bK.bin results to be judged (default: out, i.e. the recorded lavapipe run)
  --ref  recorded results that 'exact'/'multiset' checks compare with (default: out)
  --self also compare with the independent Python model below (used to vet the recorded run)
Only the Python standard library is used.  Exit status 0 = every check passed."""
import sys, os, struct, collections, argparse, math
ROOT = os.path.dirname(os.path.abspath(__file__))
SZ = {"u32": 4, "i32": 4, "f32": 4, "u64": 8, "i64": 8, "r32ui": 4, "r32i": 4, "r32f": 4}
ALIAS = {"r32ui": "u32", "r32i": "i32", "r32f": "f32"}

def parse(path):
    c = {"bind": {}, "check": []}
    for l in open(path):
        p = l.split()
        if not p: continue
        if p[0] == "bind":
            num, kind, t = int(p[1]), p[2], p[3]
            if kind in ("ssbo", "phys"): count, dims, fill = int(p[4]), None, p[5:]
            else: dims = [int(x) for x in p[4:7]]; count = dims[0] * dims[1] * dims[2]; fill = p[7:]
            c["bind"][num] = {"kind": kind, "type": t, "count": count, "dims": dims, "fill": " ".join(fill), "bytes": count * SZ[t]}
        elif p[0] == "check": c["check"].append({"binding": int(p[1]), "kind": p[2], **dict(x.split("=") for x in p[3:])})
        elif p[0] == "groups": c["groups"] = [int(x) for x in p[1:4]]
        else: c[p[0]] = p[1]
    return c

def load(d, name, num, t):
    """bit patterns as unsigned ints"""
    b = open(os.path.join(d, "%s.b%d.bin" % (name, num)), "rb").read()
    n = SZ[t]
    return list(struct.unpack("<%d%s" % (len(b) // n, "I" if n == 4 else "Q"), b))

def f2b(x):
    try: return struct.unpack("<I", struct.pack("<f", x))[0]
    except OverflowError: return 0x7f800000 if x > 0 else 0xff800000
def b2f(u): return struct.unpack("<f", struct.pack("<I", u))[0]
def sgn(u, w): return u - (1 << w) if u >> (w - 1) else u

def apply(op, t, old, v, c=0):
    """new value (bits) of one atomic operation"""
    w = 64 if t in ("u64", "i64") else 32; m = (1 << w) - 1
    if t == "f32":
        if op == "add": return f2b(b2f(old) + b2f(v))
        if op == "min": return v if b2f(v) < b2f(old) else old
        if op == "max": return v if b2f(v) > b2f(old) else old
        if op == "exchange": return v
    if op == "add": return (old + v) & m
    if op == "sub": return (old - v) & m
    if op == "inc": return (old + 1) & m
    if op == "dec": return (old - 1) & m
    if op == "and": return old & v
    if op == "or": return old | v
    if op == "xor": return old ^ v
    if op == "exchange": return v
    if op == "compswap": return v if old == c else old
    if op == "smin": return v if sgn(v, w) < sgn(old, w) else old
    if op in ("min", "max"):
        k = (lambda u: sgn(u, w)) if t[0] == "i" else (lambda u: u)
        return (v if k(v) < k(old) else old) if op == "min" else (v if k(v) > k(old) else old)
    raise ValueError((op, t))

def eff(chk, addr, i):
    return addr[i] if "segops" not in chk else (i // int(chk["segops"])) * int(chk["segcells"]) + addr[i]

def trail(c, chk, ind, outd):
    """Is there, for every cell, a serial order of the operations that explains every returned value and the final content?
    Every operation is an edge (returned value -> value it then wrote); a serial order is an Eulerian trail from the initial
    to the final content, so: degrees must balance and all edges must hang together with the initial value."""
    n, t, op = c["name"], chk["type"], chk["op"]; mb = int(chk["mem"])
    mt = c["bind"][mb]["type"]
    addr = load(ind, n, int(chk["addr"]), "u32"); val = load(ind, n, int(chk["val"]), t)
    cmpv = load(ind, n, int(chk["cmp"]), t) if "cmp" in chk else None
    m0 = load(ind, n, mb, mt); m1 = load(outd, n, mb, mt); old = load(outd, n, chk["binding"], t)
    per = collections.defaultdict(list)
    for i in range(len(old)): per[eff(chk, addr, i)].append(i)
    for a in range(len(m0)):
        deg = collections.Counter(); parent = {}
        def find(x):
            parent.setdefault(x, x)
            while parent[x] != x: parent[x] = parent[parent[x]]; x = parent[x]
            return x
        find(m0[a])
        for i in per.get(a, ()):
            nv = apply(op, t, old[i], val[i], cmpv[i] if cmpv else 0)
            deg[old[i]] += 1; deg[nv] -= 1
            ra, rb = find(old[i]), find(nv)
            if ra != rb: parent[ra] = rb
        deg[m0[a]] -= 1; deg[m1[a]] += 1
        bad = [k for k, v in deg.items() if v]
        if bad: return "cell %d: returned values do not chain from 0x%x to 0x%x" % (a, m0[a], m1[a])
        r = find(m0[a])
        if any(find(x) != r for x in list(parent)): return "cell %d: returned values form a chain that never touched the cell" % a
    return None

# ---- independent model for --self --------------------------------------------------------------------------------
def model(c, ind):
    n = c["name"]; B = c["bind"]
    I = {k: load(ind, n, k, v["type"]) for k, v in B.items()}
    tr = [k for k in c["check"] if k["kind"] == "trail"]
    if tr and tr[0]["op"] not in ("exchange", "compswap"):
        k = tr[0]; m = list(I[int(k["mem"])]); ad = I[int(k["addr"])]; va = I[int(k["val"])]
        for i in range(len(va)): a = eff(k, ad, i); m[a] = apply(k["op"], k["type"], m[a], va[i])
        return {int(k["mem"]): m}
    M = 0xffffffff
    if n.startswith("histogram"):
        r = [0] * 256
        for v in I[0]: r[v & 255] += 1
        return {1: r}
    if n == "reduce_tree": return {1: [sum(I[0]) & M, min(I[0]), max(I[0]), len(I[0])]}
    if n == "reduce_last_block": return {1: [sum(I[0][64 * k:64 * k + 64]) & M for k in range(32)], 2: [32, sum(I[0]) & M]}
    if n == "ticket_counter": return {0: [1000 + 2048], 1: list(range(1000, 3048))}
    if n == "ticket_lock": return {0: [64, 64, 64, 0], 1: list(range(64))}
    if n == "spin_lock_cas":
        x = 0
        for v in I[1]: x ^= v
        return {0: [0, sum(I[1]) & M, x, 0]}
    if n == "append_buffer":
        s = [v for v in I[0] if v % 3 == 0]
        return {1: [len(s)], 2: s + [0] * (2048 - len(s))}
    if n == "linked_list": return {2: [1024]}
    if n == "hash_insert_cas":
        ks = [(v & 511) + 1 for v in I[0]]; s = set(ks)
        return {1: list(s) + [0] * (1024 - len(s)), 2: [len(s), len(ks) - len(s)]}
    if n == "cas_float_max":
        r = [0xff800000] * 16
        for i, v in enumerate(I[0]): r[i & 15] = apply("max", "f32", r[i & 15], v)
        return {1: r}
    if n == "cas_float_add":
        r = [0] * 16
        for i, v in enumerate(I[0]): r[i & 15] = apply("add", "f32", r[i & 15], v)
        return {1: r}
    if n == "cas_double_add":
        r = [0.0] * 16
        for i, v in enumerate(I[0]): r[i & 15] += sgn(v, 32) * 0.5
        return {1: [struct.unpack("<Q", struct.pack("<d", x))[0] for x in r]}
    if n == "argmax_u64": return {1: [max((v << 32) | (M - i) for i, v in enumerate(I[0]))]}
    if n == "bitset_or":
        r = [0] * 64
        for v in I[0]: v &= 2047; r[v >> 5] |= 1 << (v & 31)
        return {1: r, 2: [sum(bin(x).count("1") for x in r)]}
    if n == "sssp_min":
        e = [(I[0][4 * k] & 63, I[0][4 * k + 1] & 63, (I[0][4 * k + 2] & 255) + 1) for k in range(512)]; d = [0] + [M] * 63
        for _ in range(64):
            for s, t, w in e:
                if d[s] != M: d[t] = min(d[t], d[s] + w)
        return {1: d}
    if n == "subgroup_aggregate": return {1: [sum(I[0]) & M]}
    if n == "mixed_ops_one_cell":
        o = x = 0; an = M
        for v in I[0]: o |= v & 0x11111111; x ^= v; an &= v | 0x0fffffff
        return {1: [sum(I[0]) & M, o, x, min(I[0]), max(I[0]), an]}
    if n == "scoped_add_acqrel":
        x = 0
        for v in I[0]: x ^= v
        return {1: [sum(I[0]) & M, x] + [max(I[0][64 * k:64 * k + 64]) for k in range(16)]}
    if n == "scoped_load_store": return {1: I[0], 2: I[1]}
    if n == "asm_load_store": return {2: I[1], 3: I[2]}
    if n == "litmus_mp": return {0: [1] * 512}
    if n == "f32_dot_add":
        r = [0.0] * 4
        for i in range(len(I[0])): r[i & 3] += b2f(f2b(b2f(I[0][i]) * b2f(I[1][i])))
        return {2: [f2b(x) for x in r]}
    return {}

def special(c, chk, ind, outd):
    """classify results on NaN/Inf/denormal/signed-zero operands; never fails, only reports"""
    n = c["name"]; old = load(ind, n, 2, "f32"); v = load(ind, n, 1, "f32"); res = load(outd, n, chk["binding"], "f32")
    cnt = collections.Counter(); op = chk["op"]
    isn = lambda u: (u & 0x7fffffff) > 0x7f800000
    isd = lambda u: 0 < (u & 0x7fffffff) < 0x00800000
    for a, b, r in zip(old, v, res):
        if op == "old": cnt["old value returned bit-exact" if a == r else "old value changed"] += 1; continue
        if op == "add":
            fa, fb = b2f(a), b2f(b); s = fa + fb
            e = f2b(s) if not math.isnan(s) else None
            if e is None: cnt["NaN expected, NaN stored" if isn(r) else "NaN expected, other stored"] += 1
            elif r == e: cnt["IEEE RNE bit-exact" + (" (denormal operand or result kept)" if isd(a) or isd(b) or isd(e) else "")] += 1
            elif isd(a) or isd(b) or isd(e): cnt["denormal flushed"] += 1
            else: cnt["differs from IEEE"] += 1
        else:
            lt = (lambda x, y: x < y) if op == "min" else (lambda x, y: x > y)
            na, nb = isn(a), isn(b)
            if na and nb: cnt["both NaN -> " + ("NaN" if isn(r) else "other")] += 1
            elif na or nb:
                x = b if na else a; kind = "sNaN" if not ((a if na else b) & 0x00400000) else "qNaN"
                side = "memory" if na else "operand"
                cnt["%s in %s -> %s" % (kind, side, "the number" if r == x else "NaN" if isn(r) else "other")] += 1
            else:
                fa, fb = b2f(a), b2f(b); e = a if lt(fa, fb) else b
                if fa == fb and a != b: cnt["-0/+0 tie -> %s" % ("memory kept" if r == a else "operand stored")] += 1
                else: cnt["IEEE exact" if r == e else "differs"] += 1
    return dict(cnt)

def main():
    ap = argparse.ArgumentParser(); ap.add_argument("--in", dest="ind", default=os.path.join(ROOT, "in")); ap.add_argument("--out", default=os.path.join(ROOT, "out"))
    ap.add_argument("--ref", default=os.path.join(ROOT, "out")); ap.add_argument("--self", action="store_true"); ap.add_argument("case", nargs="*"); a = ap.parse_args()
    names = a.case or sorted(f[:-5] for f in os.listdir(os.path.join(ROOT, "cases")) if f.endswith(".case"))
    fails = checks = missing = 0
    for n in names:
        c = parse(os.path.join(ROOT, "cases", n + ".case")); mod = model(c, a.ind) if a.self else {}
        for k in c["check"]:
            b = k["binding"]; t = c["bind"][b]["type"]; e = None
            try: got = load(a.out, n, b, t)
            except FileNotFoundError: missing += 1; print("MISSING %s b%d" % (n, b)); continue
            checks += 1
            if k["kind"] in ("exact", "multiset"):
                key = sorted if k["kind"] == "multiset" else list
                if key(got) != key(load(a.ref, n, b, t)): e = "differs from the recorded result"
                if a.self:
                    if b in mod:
                        if key(got) != key(mod[b]): e = "differs from the model"
                    else: print("note: no model for %s b%d" % (n, b))
            elif k["kind"] == "tol":
                want = mod.get(b) or load(a.ref, n, b, t)
                d = max(abs(b2f(x) - b2f(y)) for x, y in zip(got, want))
                if not d <= float(k["abs"]): e = "max difference %g" % d
            elif k["kind"] == "trail": e = trail(c, k, a.ind, a.out)
            elif k["kind"] == "lists":
                heads = load(a.out, n, int(k["heads"]), "u32"); data = load(a.ind, n, int(k["keys"]), "u32"); nb = int(k["buckets"])
                want = collections.defaultdict(list)
                for v in data: want[v % nb].append(v)
                for i, h in enumerate(heads):
                    l = []
                    while h != 0xffffffff and len(l) <= len(data): l.append(got[2 * h]); h = got[2 * h + 1]
                    if sorted(l) != sorted(want[i]): e = "bucket %d wrong" % i; break
            elif k["kind"] == "pairs":
                al = k["allowed"].split(","); cnt = collections.Counter("%d%d" % (got[2 * i], got[2 * i + 1]) for i in range(len(got) // 2))
                if any(x not in al for x in cnt): e = "forbidden outcome %s" % dict(cnt)
                else: print("info %s %s" % (n, dict(cnt)))
            elif k["kind"] == "special": print("info %s b%d %s" % (n, b, special(c, k, a.ind, a.out)))
            if e: fails += 1; print("FAIL %s b%d %s: %s" % (n, b, k["kind"], e))
    print("%d cases, %d checks, %d failed, %d missing" % (len(names), checks, fails, missing))
    sys.exit(1 if fails or missing else 0)
if __name__ == "__main__": main()
