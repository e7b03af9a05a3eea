// The job of the benchmark as a plug-in of rc/1, on bytes as they come:
//
//     npm install && npx asc job.ts -O3 --runtime stub --use abort= --exportStart _initialize -o as.wasm

@external("recollect", "call") declare function hostCall(at: usize, n: i32): i32;
@external("recollect", "read") declare function hostRead(at: usize, n: i32): i32;

const KEEP = 12, CUT: usize = 120;
const NONE = -1;

// A growing buffer outside of the collector's reach.
class Room {
  at: usize = 0;
  size: usize = 0;
  of(n: usize): usize {
    if (n > this.size) {
      if (this.at) heap.free(this.at);
      this.at = heap.alloc(n);
      this.size = n;
    }
    return this.at;
  }
}

class Text {
  constructor(public at: usize, public n: usize) {}
}

function literal(s: string): Text {
  const b = String.UTF8.encode(s);
  const at = heap.alloc(<usize>b.byteLength);
  memory.copy(at, changetype<usize>(b), <usize>b.byteLength);
  return new Text(at, <usize>b.byteLength);
}

const words: Text[] = [literal("decided"), literal("must"), literal("bug"), literal("later")];
const sections: Text[] = [literal("decisions"), literal("rules"), literal("gotchas"), literal("open")];
const confidences: Text[] = [literal("0.9"), literal("0.8"), literal("0.7"), literal("0.6")];
const question = literal('{"method":"memory.get","params":{"sections":["facts"]}}');
const keyItems = literal("items"), keyResult = literal("result"), keyContent = literal("content"), keyEvidence = literal("evidence");
const head = literal('{"result":{"items":['), tail = literal("]}}");
const before = literal('{"section":"'), beforeContent = literal('","content":'), beforeConfidence = literal(',"confidence":');
const beforeEvidence = literal(',"evidence":['), after = literal("]}");

const request = new Room(), reply = new Room(), requestText = new Room(), replyText = new Room(), out = new Room();
const kept = new StaticArray<usize>(KEEP * 4); // content, its length, evidence, its length
const kinds = new StaticArray<i32>(KEEP);

// The scanner: where it is, where that ends, where the next decoded string goes.
let p: usize = 0, end: usize = 0, text: usize = 0;
// What it read last.
let content: usize = 0, contentN: usize = 0, evidence: usize = 0, evidenceN: usize = 0;
let to: usize = 0; // where the answer goes on

export function rc_abi_1(): void {}

export function rc_alloc(n: i32): usize { return request.of(<usize>n + 8); }

export function rc_check(n: i32): u64 {
  let count = 0;
  scan(request.at, <usize>n, requestText);
  if (enter(keyItems) && take(91)) {
    while (next()) {
      const k = kind();
      if (k == NONE || count == KEEP) continue;
      kinds[count] = k;
      cut();
      kept[count * 4] = content;
      kept[count * 4 + 1] = contentN;
      kept[count * 4 + 2] = evidence;
      kept[count * 4 + 3] = evidenceN;
      count++;
    }
  }
  const size = hostCall(question.at, <i32>question.n);
  hostRead(reply.of(<usize>size + 8), size);
  scan(reply.at, <usize>size, replyText);
  if (enter(keyResult) && enter(keyItems) && take(91)) {
    while (next()) {
      for (let i = 0; i < count; i++) {
        if (kept[i * 4 + 1] == contentN && memory.compare(kept[i * 4], content, contentN) == 0) kinds[i] = NONE;
      }
    }
  }
  const answer = out.of(64 << 10);
  to = answer;
  put(head);
  let more = false;
  for (let i = 0; i < count; i++) {
    const k = kinds[i];
    if (k == NONE) continue;
    if (more) { store<u8>(to, 44); to++; }
    more = true;
    put(before);
    put(sections[k]);
    put(beforeContent);
    quote(kept[i * 4], kept[i * 4 + 1]);
    put(beforeConfidence);
    put(confidences[k]);
    put(beforeEvidence);
    quote(kept[i * 4 + 2], kept[i * 4 + 3]);
    put(after);
  }
  put(tail);
  return <u64>answer << 32 | <u64>(to - answer);
}

function put(t: Text): void {
  memory.copy(to, t.at, t.n);
  to += t.n;
}

function quote(at: usize, n: usize): void {
  store<u8>(to++, 34);
  for (let i: usize = 0; i < n; i++) {
    const c = load<u8>(at + i);
    let e: u8 = 0;
    if (c == 34 || c == 92) e = c;
    else if (c == 10) e = 110;
    else if (c == 13) e = 114;
    else if (c == 9) e = 116;
    if (e) { store<u8>(to++, 92); store<u8>(to++, e); } else store<u8>(to++, c);
  }
  store<u8>(to++, 34);
}

function cut(): void {
  if (contentN <= CUT) return;
  contentN = CUT;
  while (contentN > 0 && (load<u8>(content + contentN) & 0xc0) == 0x80) contentN--;
}

function kind(): i32 {
  let found = NONE;
  for (let k = 3; k >= 0; k--) if (contains(words[k])) found = k;
  return found;
}

function contains(word: Text): bool {
  const first = load<u8>(word.at);
  for (let i = content, last = content + contentN; i + word.n <= last; i++) {
    if (load<u8>(i) != first) continue;
    let j: usize = 1;
    while (j < word.n && load<u8>(i + j) == load<u8>(word.at + j)) j++;
    if (j == word.n) return true;
  }
  return false;
}

function scan(at: usize, n: usize, room: Room): void {
  p = at;
  end = at + n;
  text = room.of(n + 8);
}

function take(c: u8): bool {
  while (p < end && load<u8>(p) <= 32) p++;
  if (p < end && load<u8>(p) == c) { p++; return true; }
  return false;
}

function hex4(): u32 {
  let v: u32 = 0;
  for (let i = 0; i < 4; i++) {
    const c: u32 = load<u8>(p++);
    v = v << 4 | (c <= 57 ? c - 48 : (c | 32) - 87);
  }
  return v;
}

function rune(r: u32): void {
  if (r < 0x80) { store<u8>(text++, r); return; }
  if (r < 0x800) store<u8>(text++, 0xc0 | r >> 6);
  else {
    if (r < 0x10000) store<u8>(text++, 0xe0 | r >> 12);
    else { store<u8>(text++, 0xf0 | r >> 18); store<u8>(text++, 0x80 | (r >> 12 & 63)); }
    store<u8>(text++, 0x80 | (r >> 6 & 63));
  }
  store<u8>(text++, 0x80 | (r & 63));
}

// decode reads a string at text and gives its length.
function decode(): usize {
  const from = text;
  if (!take(34)) return 0;
  while (p < end) {
    let c = load<u8>(p++);
    if (c == 34) break;
    if (c != 92) { store<u8>(text++, c); continue; }
    c = load<u8>(p++);
    if (c == 117) {
      let r = hex4();
      if (r >> 10 == 0x36 && load<u8>(p) == 92) { p += 2; r = 0x10000 + ((r & 0x3ff) << 10 | (hex4() & 0x3ff)); }
      rune(r);
      continue;
    }
    if (c == 110) c = 10;
    else if (c == 116) c = 9;
    else if (c == 114) c = 13;
    else if (c == 98) c = 8;
    else if (c == 102) c = 12;
    store<u8>(text++, c);
  }
  return text - from;
}

// key says whether the name that was read last is this one.
function key(name: Text): bool {
  const n = lastKeyN;
  return n == name.n && memory.compare(text, name.at, n) == 0;
}
let lastKeyN: usize = 0;
function readKey(): void {
  const at = text;
  lastKeyN = decode();
  text = at;
  take(58);
}

function skip(): void {
  let depth = 0;
  do {
    while (p < end && load<u8>(p) <= 32) p++;
    if (p >= end) return;
    const c = load<u8>(p);
    if (c == 34) {
      p++;
      while (p < end && load<u8>(p) != 34) p += load<u8>(p) == 92 ? 2 : 1;
      p++;
    } else if (c == 123 || c == 91) { depth++; p++; }
    else if (c == 125 || c == 93) { depth--; p++; }
    else if (c == 44 || c == 58) p++;
    else while (p < end && !stops(load<u8>(p))) p++;
  } while (depth > 0);
}

function stops(c: u8): bool { return c == 44 || c == 58 || c == 125 || c == 93 || c <= 32; }

// enter goes to the value of a key of the object that comes next.
function enter(name: Text): bool {
  if (!take(123)) return false;
  while (!take(125) && p < end) {
    readKey();
    if (key(name)) return true;
    skip();
    take(44);
  }
  return false;
}

// next reads the next item of an array that was entered.
function next(): bool {
  contentN = evidenceN = 0;
  if (!take(123)) return false;
  while (!take(125) && p < end) {
    readKey();
    if (key(keyContent)) { content = text; contentN = decode(); }
    else if (key(keyEvidence) && take(91)) {
      evidence = text;
      evidenceN = decode();
      while (!take(93) && p < end) { take(44); skip(); }
    } else skip();
    take(44);
  }
  take(44);
  return true;
}
