package secrets

import (
	"slices"
	"strings"
)

// placeNames are what a code opens, or beginnings of their names; codeNames are
// how the code is called.
var (
	placeNames = []string{
		"door", "gate", "alarm", "safe", "entrance", "garage", "locker", "lobby", "vault", "keypad", "lockbox", "bike lock", "padlock", "elevator", "front desk", "server room", "building",
		"türe", "tür ", "haustür", "tresor", "garagentor", "eingang", "schließfach", "zahlenschloss", "schranke",
		"porte", "portail", "coffre", "alarme", "immeuble", "entrée", "cadenas", "interphone", "puerta", "alarma", "caja fuerte", "portón", "candado", "cofre", "portão", "porta", "cadeado",
		"cancello", "allarme", "cassaforte", "lucchetto", "двер", "сейф", "домофон", "подъезд", "сигнализаци", "ворот", "шлагбаум", "drzwi", "sejf", "brama", "bramy", "deur", "kluis", "poort", "kapı", "kasa", "kasanın",
		"门禁", "保险箱", "保险柜", "金庫", "玄関", "금고", "현관", "출입문",
	}
	codeNames  = []string{"code", "código", "codice", "código", "код", "kod", "combination", "combo", "kombination", "combinaison", "combinación", "combinação", "combinazione", "комбинац", "kombinac", "zahlen", "pin", "пин", "digit", "密码", "番号", "번호", "şifre"}
	pressWords = words(`press enter dial type use punch key in tippe drücke wähle tapez tapes composez marca pulsa digite digita inserisci набери введи нажми toets wpisz tuşla`)
)

// How far around a place its code is looked for, in bytes.
const placeReach = 64

// placeCode takes the number that opens a place: "the code of the gate is …",
// "press … at the gate, that's the code".
func (s *scan) placeCode(at, end int) {
	from, to := max(0, at-placeReach), min(len(s.text), end+placeReach)
	if n := strings.LastIndexByte(s.text[from:at], '\n'); n >= 0 {
		from += n + 1
	}
	if n := strings.IndexByte(s.text[end:to], '\n'); n >= 0 {
		to = end + n
	}
	line := strings.ToLower(s.text[from:to])
	if len(line) != to-from || !strings.ContainsAny(line, "0123456789") || at > 0 && isTokenByte(s.text[at-1]) {
		return
	}
	for _, name := range codeNames {
		n := strings.Index(line, name)
		if n < 0 || !names(line, n, n+len(name), at-from, end-from) {
			continue
		}
		s.openingNumber(from, max(from+n+len(name), end), to)
		return
	}
}

// otherCodes stand before the code of something else.
var otherCodes = words(`with status error exit exits return response result source zip area country status-code fehler mit erreur avec`)

// names says that a code's name, line[n:to], and a place's belong together: the
// place stands right before it, or not far behind it.
func names(line string, n, to, place, end int) bool {
	if before := strings.Fields(line[:n]); len(before) > 0 && otherCodes()[before[len(before)-1]] {
		return false
	}
	if place >= to {
		return place-to <= 26
	}
	return n < place || n-end <= 12
}

// openingNumber takes the number that a place's code is: bound right behind what
// names them, at behind, or before it where a verb or its own signs say so.
func (s *scan) openingNumber(from, behind, to int) {
	for i := from; i < to; {
		next := i
		for next < to && s.text[next] > ' ' {
			next++
		}
		written := strings.TrimLeft(strings.TrimRight(s.text[i:next], ".,;:!?)\"'`"), "(\"'`")
		v := s.dialled(value{text: written, from: i + strings.Index(s.text[i:next], written)}, i, to)
		signs := strings.ContainsAny(written, "#*")
		if opens(v.text) {
			before := strings.Fields(strings.ToLower(s.text[from:i]))
			verb := len(before) > 0 && pressWords()[before[len(before)-1]]
			gap := ""
			if i >= behind {
				gap = strings.Trim(s.text[behind:i], " :=-—–\"'`*")
			}
			if signs || verb || i >= behind && len(gap) <= 14 && strings.Count(gap, " ") <= 1 {
				s.takeSaid(v)
				return
			}
		}
		i = next + 1
	}
}

// opens says that a text may be typed to open something: four to ten digits, with
// signs and single letters of a keypad beside them.
func opens(t string) bool {
	_, upper, digits, _ := counts(t)
	return digits >= 4 && digits <= 10 && upper <= 2 && !date(t) && strings.Trim(t, "0123456789#*- ABCDEFG") == ""
}

// spareNames are what people call codes that let them in once, without another
// device.
var spareNames = []string{
	"recovery codes", "backup codes", "one-time codes", "scratch codes", "emergency codes", "2fa codes", "wiederherstellungscodes", "backup-codes", "ersatzcodes", "notfallcodes",
	"codes de secours", "codes de récupération", "códigos de recuperación", "códigos de respaldo", "códigos de recuperação", "códigos de reserva", "codici di recupero", "codici di backup",
	"резервные коды", "коды восстановления", "резервні коди", "恢复码", "恢復碼", "备用码", "备份码", "リカバリーコード", "バックアップコード", "복구 코드", "백업 코드", "herstelcodes", "kody zapasowe", "kody odzyskiwania", "kurtarma kodları", "yedek kodlar",
}

// spares takes the codes that are listed behind their name.
func (s *scan) spares(_, end int) {
	at, said, from, to := end, 0, 0, 0
	for n := 0; n < 40 && at < len(s.text); n++ {
		word := at
		for word < len(s.text) && word-at < 24 && strings.IndexByte(" \t\r\n,;:*-.\"'`()[]|", s.text[word]) >= 0 {
			word++
		}
		stop := word
		for stop < len(s.text) && (isTokenByte(s.text[stop]) || stop+1 < len(s.text) && s.text[stop] == ' ' && isDigit(s.text[stop+1]) && stop-word == 4) {
			stop++
		}
		code := s.text[word:stop]
		at = stop
		number := strings.Trim(code, "0123456789") == ""
		switch {
		case code == "":
			at = len(s.text)
		case number && len(code) <= 2: // of the list
		case len(code) >= 6 && len(code) <= 29 && strings.ContainsAny(code, "0123456789") && (number || coupled(code) || strings.Trim(code, "0123456789 ") == "" || random(code) || mixed(code)):
			s.take(word, stop)
			said++
		case said > 0 && coupled(code+"0") || said > 0 && stop-word == to-from && code == strings.ToLower(code) && strings.Count(code, "-") == 1:
			s.take(word, stop)
		case said == 0 && n < 5: // "for the bot are"
		default:
			return
		}
		from, to = word, stop
	}
}

// wireless takes the password of a code to scan, WIFI:S:name;P:password;;, and of
// "the guests' wifi, key …".
func (s *scan) wireless(_, end int) {
	stop := min(len(s.text), end+80)
	if n := strings.IndexByte(s.text[end:stop], '\n'); n >= 0 {
		stop = end + n
	}
	line := s.text[end:stop]
	if strings.HasPrefix(line, ":") {
		if _, rest, ok := strings.Cut(line, "P:"); ok {
			word, _, _ := strings.Cut(rest, ";")
			at := stop - len(rest)
			if len(word) >= 8 && !placeholder(word) && !reference(word) {
				s.take(at, at+len(word))
			}
		}
	}
	if word := strings.IndexByte(line, ' '); word >= 0 && word < 8 {
		before := strings.ToLower(s.text[max(0, end-48):end])
		v := s.saidValue(s.skip(end+word, " :\"'`*"), stop)
		if len(v.text) >= 8 && v.plainly(password) && slices.ContainsFunc([]string{"passw", "парол", "mot de passe", "clave", "contraseña", "senha", "hasło", "şifre", "wachtwoord", "ключ"}, func(w string) bool { return strings.Contains(before, w) }) {
			s.takeSaid(v)
			return
		}
	}
	low := strings.ToLower(line)
	for _, name := range []string{"key", "pass", "pw", "psk", "code", "schlüssel", "clé", "clave", "senha", "ключ", "wachtwoord", "hasło", "şifre", "/"} {
		n := strings.Index(low, name)
		if n < 0 || len(low) != len(line) || n > 0 && isTokenByte(line[n-1]) {
			continue
		}
		at := s.skip(end+n+len(name), " :=\"'`*")
		if at == end+n+len(name) || at >= stop {
			continue
		}
		if v := s.saidValue(at, stop); len(v.text) >= 8 && chosen(v.text) {
			s.takeSaid(v)
			return
		}
	}
}

// directive is a line of a program's settings that gives a secret without a sign.
type directive struct {
	names string // with semicolons between them
	skip  string // words that may stand before the secret
}

var directives = []directive{
	{names: "bindpw;bind_pw;rootpw;rootbindpw;vncpasswd;vnc-password;requirepass;masterauth;sasl_passwd;auth_password"},
	{names: "rocommunity;rwcommunity;rocommunity6;rwcommunity6;snmp-server community;trap-community;authcommunity;set community"},
	{names: "crypto isakmp key;crypto ikev2 key;tacacs-server key;radius-server key;pre-shared-key;ikev2-preshared;key-string;wpa-psk ascii;secret-key", skip: "0 5 6 7 8 9 ascii ascii-text hex local remote plain-text"},
	{names: "enable secret;enable password;privilege 15 secret;privilege 15 password;privilege 1 secret;neighbor password;line password", skip: "0 5 7 8 9 level 15"},
}

// set takes the word that such a line gives.
func (s *scan) set(d *directive, at, end int) {
	if at > 0 && isTokenByte(s.text[at-1]) || end >= len(s.text) || strings.IndexByte(" \t:=", s.text[end]) < 0 {
		return
	}
	for _, w := range s.shellWords(s.skip(end, " \t:=")) {
		if listed(d.skip, w.text) {
			continue
		}
		digit := strings.ContainsAny(w.text, "0123456789")
		alone := w.from+len(w.text) >= len(s.text) || s.text[w.from+len(w.text)] == '\n'
		if s.beginsLine(at) && (digit || alone) || digit && len(w.text) >= 6 {
			s.argument(w)
		}
		return
	}
}

// sent takes what a script types where a program asks for a password.
func (s *scan) sent(at, end int) {
	if !strings.Contains(strings.ToLower(s.text[max(0, at-80):at]), "assw") && !strings.Contains(strings.ToLower(s.text[max(0, at-80):at]), "assphr") {
		return
	}
	n := strings.IndexAny(s.text[end:min(len(s.text), end+80)], "\"'\\\n\r")
	if n >= 6 && chosen(s.text[end:end+n]) && !placeholder(s.text[end:end+n]) && !reference(s.text[end:end+n]) {
		s.take(end, end+n)
	}
}

// pushKey takes a server's key of Firebase, of which eleven signs stand before
// the colon.
func (s *scan) pushKey(at, end int) {
	to := end
	for to < len(s.text) && isTokenByte(s.text[to]) {
		to++
	}
	if to-end < 60 {
		return
	}
	from := at
	for from > 0 && at-from < 40 && isTokenByte(s.text[from-1]) {
		from--
	}
	s.take(from, to)
}

// salt takes a salt or key as content systems define it: long, of all signs.
func (s *scan) salt(_, end int) {
	rest := s.text[end:min(len(s.text), end+120)]
	open := strings.IndexAny(rest, "\"'")
	if open < 0 || open > 6 || strings.Trim(rest[:open], " ,=:>") != "" {
		return
	}
	n := strings.IndexByte(rest[open+1:], rest[open])
	if v := rest[open+1 : open+1+max(n, 0)]; len(v) >= 32 && entropy(v) > 4 && strings.ContainsAny(v, "0123456789") {
		s.take(end+open+1, end+open+1+n)
	}
}

// webKey takes the private part of a key as the web writes it.
func (s *scan) webKey(at, end int) {
	if !strings.Contains(s.text[max(0, at-600):min(len(s.text), end+600)], "\"kty\"") {
		return
	}
	if v := s.value(s.skip(end, " :")); v.quoted && len(v.text) >= 40 && random(v.text) {
		s.take(v.from, v.from+len(v.text))
	}
}

// diskKey gives where a recovery key ends that begins at from: eight groups of six
// digits. 0 if there is none.
func (s *scan) diskKey(from int) int {
	const groups, each = 8, 6
	to := from + groups*(each+1) - 1
	if to > len(s.text) || to < len(s.text) && isTokenByte(s.text[to]) {
		return 0
	}
	for i := range to - from {
		if c := s.text[from+i]; i%(each+1) == each && c != '-' || i%(each+1) != each && !isDigit(c) {
			return 0
		}
	}
	return to
}

// codes adds the words that codes and settings without a sign stand behind.
func (r *rules) codes() {
	for _, list := range []struct {
		words []string
		check check
	}{
		{placeNames, (*scan).placeCode}, {spareNames, (*scan).spares}, {[]string{"wifi", "wi-fi", "wlan", "ssid", "вайфа"}, (*scan).wireless},
		{[]string{`send "`, `send \"`, `sendline("`, `sendline('`, `send -- "`}, (*scan).sent}, {[]string{":apa91b"}, (*scan).pushKey}, {[]string{`"d":`}, (*scan).webKey},
		{[]string{"_salt'", "_salt\"", "auth_key'", "logged_in_key'", "nonce_key'", "secure_auth_key'"}, (*scan).salt},
	} {
		for _, word := range list.words {
			r.words.add(word, list.check)
		}
	}
	for i := range directives {
		for name := range strings.SplitSeq(directives[i].names, ";") {
			r.words.add(name, func(s *scan, at, end int) { s.set(&directives[i], at, end) })
		}
	}
}
