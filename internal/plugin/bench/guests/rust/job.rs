// The job of the benchmark as a plug-in of rc/1, with the standard library only:
//
//     rustc --target wasm32-unknown-unknown -O -C panic=abort -C strip=symbols --crate-type cdylib -o rust.wasm job.rs

#[link(wasm_import_module = "recollect")]
extern "C" {
    fn call(at: *const u8, n: i32) -> i32;
    fn read(at: *mut u8, n: i32) -> i32;
}

static mut REQUEST: Vec<u8> = Vec::new();
static mut ANSWER: Vec<u8> = Vec::new();

#[no_mangle]
pub extern "C" fn rc_abi_1() {}

#[no_mangle]
pub unsafe extern "C" fn rc_alloc(n: i32) -> *mut u8 {
    REQUEST = Vec::with_capacity(n as usize + 1);
    REQUEST.as_mut_ptr()
}

#[no_mangle]
pub unsafe extern "C" fn rc_check(n: i32) -> i64 {
    REQUEST.set_len(n as usize);
    ANSWER = job(&REQUEST).unwrap_or_default();
    ((ANSWER.as_ptr() as u64) << 32 | ANSWER.len() as u64) as i64
}

fn ask(question: &str) -> Vec<u8> {
    unsafe {
        let n = call(question.as_ptr(), question.len() as i32);
        let mut reply = vec![0; n as usize];
        read(reply.as_mut_ptr(), n);
        reply
    }
}

const KEEP: usize = 12;
const CUT: usize = 120;

const KINDS: [(&str, &str, &str); 4] = [
    ("decided", "decisions", "0.9"),
    ("must", "rules", "0.8"),
    ("bug", "gotchas", "0.7"),
    ("later", "open", "0.6"),
];

struct Item {
    kind: usize,
    content: String,
    evidence: String,
}

fn job(request: &[u8]) -> Option<Vec<u8>> {
    let mut kept: Vec<Item> = Vec::new();
    let mut s = Scanner { b: request, at: 0 };
    if s.enter("items")? {
        s.items(|content, evidence| {
            let mut kind = None;
            for (k, (word, _, _)) in KINDS.iter().enumerate().rev() {
                if content.contains(word) {
                    kind = Some(k);
                }
            }
            if let (Some(kind), true) = (kind, kept.len() < KEEP) {
                kept.push(Item { kind, content: cut(content), evidence });
            }
        })?;
    }
    let reply = ask(r#"{"method":"memory.get","params":{"sections":["facts"]}}"#);
    let mut s = Scanner { b: &reply, at: 0 };
    if s.enter("result")? && s.enter("items")? {
        s.items(|content, _| kept.retain(|it| it.content != content))?;
    }
    let mut out = String::from("{\"result\":{\"items\":[");
    for (i, it) in kept.iter().enumerate() {
        let (_, section, confidence) = KINDS[it.kind];
        if i > 0 {
            out.push(',');
        }
        out.push_str("{\"section\":\"");
        out.push_str(section);
        out.push_str("\",\"content\":");
        quote(&mut out, &it.content);
        out.push_str(",\"confidence\":");
        out.push_str(confidence);
        out.push_str(",\"evidence\":[");
        quote(&mut out, &it.evidence);
        out.push_str("]}");
    }
    out.push_str("]}}");
    Some(out.into_bytes())
}

fn cut(mut s: String) -> String {
    if s.len() > CUT {
        let mut n = CUT;
        while !s.is_char_boundary(n) {
            n -= 1;
        }
        s.truncate(n);
    }
    s
}

fn quote(out: &mut String, s: &str) {
    out.push('"');
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
}

struct Scanner<'a> {
    b: &'a [u8],
    at: usize,
}

// None is the end of what could be read.
impl Scanner<'_> {
    fn peek(&mut self) -> Option<u8> {
        while matches!(self.b.get(self.at)?, b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
        Some(self.b[self.at])
    }

    fn take(&mut self, c: u8) -> Option<bool> {
        let is = self.peek()? == c;
        self.at += is as usize;
        Some(is)
    }

    fn string(&mut self) -> Option<String> {
        if !self.take(b'"')? {
            return None;
        }
        let mut out: Vec<u8> = Vec::new();
        loop {
            let from = self.at;
            while !matches!(self.b.get(self.at)?, b'"' | b'\\') {
                self.at += 1;
            }
            out.extend_from_slice(&self.b[from..self.at]);
            self.at += 1;
            if self.b[self.at - 1] == b'"' {
                return String::from_utf8(out).ok();
            }
            let c = *self.b.get(self.at)?;
            self.at += 1;
            match c {
                b'n' => out.push(b'\n'),
                b't' => out.push(b'\t'),
                b'r' => out.push(b'\r'),
                b'b' => out.push(8),
                b'f' => out.push(12),
                b'u' => {
                    let mut r = self.hex()?;
                    if r >> 10 == 0x36 && self.b.get(self.at) == Some(&b'\\') {
                        self.at += 2;
                        r = 0x10000 + ((r & 0x3ff) << 10 | (self.hex()? & 0x3ff));
                    }
                    let c = char::from_u32(r).unwrap_or('\u{fffd}');
                    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                c => out.push(c),
            }
        }
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = std::str::from_utf8(self.b.get(self.at..self.at + 4)?).ok()?;
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    // skip leaves a value of any kind behind.
    fn skip(&mut self) -> Option<()> {
        let mut depth = 0;
        loop {
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    while *self.b.get(self.at)? != b'"' {
                        self.at += 1 + (self.b[self.at] == b'\\') as usize;
                    }
                    self.at += 1;
                }
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth -= 1;
                    self.at += 1;
                }
                b',' | b':' => self.at += 1,
                _ => {
                    while !matches!(self.b.get(self.at)?, b',' | b':' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t') {
                        self.at += 1;
                    }
                }
            }
            if depth == 0 {
                return Some(());
            }
        }
    }

    // enter goes to the value of a key of the object that comes next.
    fn enter(&mut self, name: &str) -> Option<bool> {
        if !self.take(b'{')? {
            return Some(false);
        }
        while !self.take(b'}')? {
            let key = self.string()?;
            self.take(b':')?;
            if key == name {
                return Some(true);
            }
            self.skip()?;
            self.take(b',')?;
        }
        Some(false)
    }

    fn items(&mut self, mut each: impl FnMut(String, String)) -> Option<()> {
        if !self.take(b'[')? {
            return Some(());
        }
        while self.take(b'{')? {
            let (mut content, mut evidence) = (String::new(), String::new());
            while !self.take(b'}')? {
                let key = self.string()?;
                self.take(b':')?;
                match key.as_str() {
                    "content" => content = self.string()?,
                    "evidence" if self.take(b'[')? => {
                        evidence = self.string()?;
                        while !self.take(b']')? {
                            self.take(b',')?;
                            self.skip()?;
                        }
                    }
                    _ => self.skip()?,
                }
                self.take(b',')?;
            }
            self.take(b',')?;
            each(content, evidence);
        }
        Some(())
    }
}
