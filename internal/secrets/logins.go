package secrets

import (
	"strings"
	"unicode/utf8"
)

// userWords name somebody who logs in; "root / X" gives root's password.
var userWords = []string{"root", "admin", "administrator", "administrador", "guest", "postgres", "ubuntu", "deploy", "demo", "tester", "superuser", "sysadmin", "oracle", "service", "vagrant", "user"}

// slashed takes the password of "root / X", "admin/X", "admin:X" and "admin pass X".
func (s *scan) slashed(at, end int) {
	if at > 0 && (isTokenByte(s.text[at-1]) || strings.IndexByte("./@\\", s.text[at-1]) >= 0) || end >= len(s.text) {
		return
	}
	i := s.skip(end, " \"'`*")
	if i >= len(s.text) || s.text[i] != '/' {
		return
	}
	next := s.skip(i+1, " \"'`*")
	if v := s.saidValue(next, min(len(s.text), next+40)); i > end || len(v.text) >= 8 && lowerUpperDigit(v.text) && mixed(v.text) && userName(v.text) {
		s.login(next, true)
	}
}

// login takes what looks like a password at i.
func (s *scan) login(i int, spaced bool) bool {
	v := s.saidValue(i, min(len(s.text), i+80))
	if len(v.text) >= 6 && v.plainly(password) && !strings.Contains(v.text, "/") && (spaced || mixed(v.text)) {
		s.takeSaid(v)
		return true
	}
	return false
}

// withWords stand between who logs in and with what.
var withWords = words(`with and using mit und avec et con y com e с и з та met en z i ile ve`)

// credentialWords announce a user and a password.
var credentialWords = []string{
	"smbpasswd", "auth-user-pass", "binds as", "bind as", "log into", "sign in", "einloggen", "melde dich", "connecte-toi", "connectez-vous", "inicia sesión", "accedi", "войди", "заходи", "credentials", "creds", "login", "log in", "logon", "account", "zugang", "zugangsdaten", "anmeldung", "identifiants", "identifiant", "accès", "connexion", "credenciales", "acceso", "usuario", "credenciais", "acesso", "usuário",
	"credenziali", "accesso", "utente", "логин", "доступ", "учётка", "учетка", "учётные данные", "账号", "帐号", "账户", "登录", "アカウント", "ログイン", "계정", "로그인", "아이디", "user", "username",
}

// loginPair takes the password of "credentials are bob:X", "Zugang: bob / X",
// "login bob, pw X".
func (s *scan) loginPair(_, end int) {
	stop := min(len(s.text), end+70)
	if n := strings.IndexAny(s.text[end:stop], "\n"); n >= 0 {
		stop = end + n
	}
	if end < stop && isTokenByte(s.text[end]) {
		return
	}
	i, n := end, 0
	for i < stop && n < 7 {
		for i < stop && (s.text[i] <= ' ' || strings.IndexByte("\"'`*:=(,", s.text[i]) >= 0) {
			i++
		}
		word := i
		for i < stop && s.text[i] > ' ' && strings.IndexByte("\"'`*,;()", s.text[i]) < 0 {
			_, size := utf8.DecodeRuneInString(s.text[i:])
			i += size
		}
		if i == word {
			return
		}
		n++
		w := s.text[word:i]
		if n > 1 && withWords()[w] {
			if s.login(s.skip(i, " \"'`*"), false) {
				return
			}
			continue
		}
		if user, rest, ok := strings.Cut(w, ":"); ok && len(user) > 1 && len(rest) >= 6 && !strings.ContainsAny(w, "/\\?#") && !strings.Contains(user, ".") {
			s.login(word+len(user)+1, false)
			return
		}
		if user, rest, ok := strings.Cut(w, "/"); ok && userName(user) && len(rest) >= 6 && !strings.ContainsAny(rest, "/.") {
			s.login(word+len(user)+1, false)
			return
		}
		if !strings.HasPrefix(s.text[i:], " / ") {
			continue
		}
		if userName(w) && !s.login(i+3, true) {
			if v := s.saidValue(i+3, stop); chosen(v.text) {
				s.takeSaid(v)
			}
		}
		return
	}
}

// userName says that a word may be somebody's name for a login.
func userName(w string) bool {
	return w != "" && len(w) <= 40 && strings.IndexFunc(w, func(c rune) bool { return c > 127 || !isTokenByte(byte(c)) && c != '.' && c != '@' }) < 0
}

// passKeys are names of a password that are words of their own, too.
var passKeys = []string{"pass", "pw", "psk", "requirepass", "masterauth", "rootpw", "auth_pass", "_auth", "passcode", "wpa_passphrase", "sae_password", "keypass", "storepass", "identified by", "with password", "convertto-securestring"}

// passKey takes the value of pass: X, psk="X", requirepass X.
func (s *scan) passKey(at, end int) {
	name := strings.ToLower(s.text[at:end])
	if (name == "pass" || name == "pw") && at > 0 && s.text[at-1] == ' ' && (end == len(s.text) || !isTokenByte(s.text[end])) {
		s.saidFirst(&speech{what: password}, at)
	}
	glued := name == "pass" && at > 0 && 'A' <= s.text[at-1] && s.text[at-1] <= 'Z' && s.text[at] == 'P' && end < len(s.text) && s.text[end] == '='
	if at > 0 && (isTokenByte(s.text[at-1]) || s.text[at-1] == '.' || s.text[at-1] >= 0x80) && name != "_auth" && !glued || end >= len(s.text) || isTokenByte(s.text[end]) {
		return
	}
	sure := glued || strings.Contains(name, " ") || strings.Contains(name, "-") || name == "requirepass" || name == "masterauth" || name == "rootpw"
	i, how := s.bond(at, end)
	switch {
	case how == none || how == prose && !s.value(i).striking() || how == near && !sure && !(name == "psk" && i < len(s.text) && s.text[i] == '"') && !s.userBefore(at):
		return
	}
	if name == "identified by" && s.text[at] != 'I' && (i >= len(s.text) || s.text[i] != '\'') {
		return
	}
	v := s.value(i)
	if strings.HasPrefix(v.text, "Test") || at > 1 && s.text[at-2:at] == "- " && s.text[at] == 'P' {
		return // a test's outcome
	}
	v.alone = (v.next == 0 || v.next == '\n' || v.next == '\r') && s.beginsLine(at)
	if len(v.text) < 4 || placeholder(v.text) || reference(v.text) || pathLike(v.text) || version(v.text) || sentenceWords()[strings.ToLower(v.text)] || outcomes()[strings.ToLower(v.text)] {
		return
	}
	switch {
	case !v.quoted && v.next != 0 && strings.IndexByte("([{", v.next) >= 0:
		return
	case v.plainly(password), sure && (v.quoted || v.alone && how == near), glued && len(v.text) >= 5, how != near && s.userBeside(at, v.from+len(v.text)):
		s.take(v.from, v.from+len(v.text))
	case name == "psk" && v.quoted, name == "_auth" && len(v.text) >= 12:
		s.take(v.from, v.from+len(v.text))
	}
}

var outcomes = words(`fail failed failure skip skipped passed warn warning pending ongoing through filter filters count rate tests test checks check`)

var userKeys = []string{"user", "login", "host", "email", "account", "benutzer", "utilisateur", "usuario", "логин", "smtp", "server"}

// userBeside says that the lines around a place name a user or a host, as a block
// of settings does.
func (s *scan) userBeside(from, to int) bool {
	around := strings.ToLower(s.text[max(0, from-160):from] + "\n" + s.text[to:min(len(s.text), to+120)])
	for _, w := range userKeys {
		for at := 0; ; {
			n := strings.Index(around[at:], w)
			if n < 0 {
				break
			}
			at += n + len(w)
			rest := strings.TrimLeft(around[at:], "nameid_\"' ")
			if rest != "" && (rest[0] == ':' || rest[0] == '=') {
				return true
			}
		}
	}
	return false
}

// loginBefore says that a user was just named and that a value looks like a
// password, or that both stand in a line of .netrc.
func (s *scan) loginBefore(at int, v value) bool {
	before := s.text[max(0, at-100):at]
	if machine := strings.LastIndex(before, "machine "); machine >= 0 && strings.Contains(before[machine:], "login ") {
		return len(v.text) >= 4 && !placeholder(v.text) && !reference(v.text)
	}
	return len(v.text) >= 6 && (chosen(v.text) || v.plainly(password)) && s.userBefore(at)
}

// userBefore says that a user was just named: "user admin pass X".
func (s *scan) userBefore(at int) bool {
	before := strings.ToLower(s.text[max(0, at-40):at])
	for _, w := range []string{"user", "login", "root", "admin", "account"} {
		if strings.Contains(before, w) {
			return true
		}
	}
	return false
}

// pgpass takes the last field of a line host:port:database:user:password.
func (s *scan) pgpass(_, end int) {
	i := end
	for n := range 3 {
		from := i
		for i < len(s.text) && s.text[i] > ' ' && (s.text[i] != ':' || n == 2) && strings.IndexByte("\"'`,", s.text[i]) < 0 {
			i++
		}
		if i == from || n < 2 && (i == len(s.text) || s.text[i] != ':') {
			return
		}
		if n == 2 {
			if v := (value{text: strings.TrimRight(s.text[from:i], ".;"), from: from}); len(v.text) >= 5 && !placeholder(v.text) && !reference(v.text) && !strings.Contains(v.text, "/") {
				s.takeSaid(v)
			}
		}
		i++
	}
}

// mailchimp takes a key that ends in the name of a data centre: -us14.
func (s *scan) mailchimp(at, end int) {
	if end < len(s.text) && isDigit(s.text[end]) {
		end++
	}
	if at < 32 || end < len(s.text) && isTokenByte(s.text[end]) || strings.Trim(s.text[at-32:at], "0123456789abcdef") != "" {
		return
	}
	s.take(at-32, end)
}

// loginCalls take a user and a password.
var loginCalls = []string{"networkcredential(", "auth=(", "httpbasicauth(", "basic_auth(", "basicauth(", ".login(", "passwordcredentials(", "passwordauthentication(", "basicauthentication("}

// wordCalls take a password or a key alone.
var wordCalls = []string{":auth(", ".auth(", "fernet("}

// wordCall takes the first string of such a call.
func (s *scan) wordCall(_, end int) {
	i := s.skip(end, "bur")
	if v := s.value(i); v.quoted && (v.plainly(password) || random(v.text)) {
		s.take(v.from, v.from+len(v.text))
	}
}

// unlockWords stand before a password: "it opens with …".
var unlockWords = []string{"unlocks with ", "opens with ", "unlock it with ", "unlocked with ", "decrypts with ", "entsperrt mit ", "öffnet mit ", "s'ouvre avec ", "se abre con ", "abre com ", "si apre con "}

// unlock takes what stands behind them.
func (s *scan) unlock(_, end int) { s.login(s.skip(end, "\"'`*"), false) }

// relay takes the password of a line "[host]:587 user:password".
func (s *scan) relay(_, end int) {
	stop := min(len(s.text), end+100)
	word, _, _ := strings.Cut(s.text[end:stop], "\n")
	user, rest, ok := strings.Cut(strings.TrimSpace(word), ":")
	if ok && userName(user) && len(rest) >= 4 && !strings.ContainsAny(rest, " \t/") && !placeholder(rest) && !reference(rest) {
		at := end + strings.Index(s.text[end:stop], rest)
		s.take(at, at+len(rest))
	}
}

// connectCall takes the third string of a call that opens a database.
func (s *scan) connectCall(_, end int) { s.callString(end, 2) }

// loginCall takes the second string of a call that logs in.
func (s *scan) loginCall(_, end int) { s.callString(end, 1) }

// callString takes a string of a call, by its number, if it may be a password.
func (s *scan) callString(end, nth int) {
	rest := s.text[end:min(len(s.text), end+maxValue)]
	at := 0
	for n := range nth + 1 {
		open := strings.IndexAny(rest[at:], "\"'")
		if open < 0 || strings.ContainsAny(rest[at:at+open], ")\n;$") {
			return
		}
		at += open + 1
		to := strings.IndexByte(rest[at:], rest[at-1])
		if to < 0 {
			return
		}
		if v := rest[at : at+to]; n == nth && len(v) >= 4 && !placeholder(v) && !reference(v) && (nth > 1 || strings.ContainsAny(v, "0123456789")) {
			s.take(end+at, end+at+to)
		}
		at += to + 1
	}
}

// dataSource takes the password of user:password@tcp(host).
func (s *scan) dataSource(at, _ int) {
	from := at
	for from > 0 && at-from < 100 && s.text[from-1] > ' ' && strings.IndexByte("\"'`", s.text[from-1]) < 0 {
		from--
	}
	if user, word, ok := strings.Cut(s.text[from:at], ":"); ok && userName(user) && len(word) >= 3 && !placeholder(word) && !reference(word) && user != word {
		s.take(from+len(user)+1, at)
	}
}

// sessionPair takes what a session is known by where it stands without a header.
func (s *scan) sessionPair(_, end int) {
	to := end
	for to < len(s.text) && (isTokenByte(s.text[to]) || strings.IndexByte(".%+/", s.text[to]) >= 0) {
		to++
	}
	if v := s.text[end:to]; len(v) >= 20 && random(v) && !placeholder(v) {
		s.take(end, to)
	}
}
