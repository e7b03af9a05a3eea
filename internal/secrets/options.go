package secrets

import (
	"slices"
	"strings"
)

// tool is a program that is given secrets on its command line.
type tool struct {
	names string // of the program, separated by spaces
	under string // words of which one must be among the first, "" for none
	next  string // options whose next word is a secret, or what follows their "="
	glued string // options that a secret is written to without a space
	user  string // options whose next word is a user, a sign of split, and a secret
	split string // ":" if it is empty
	after string // words that a secret follows after a number of others,
	skip  int    // which this is
	long  bool   // such a word is only one if it looks random
	last  bool   // the last word is a secret
	nth   int    // this word is a secret, from 1
	sets  bool   // words of the form NAME=secret
}

var tools = []tool{
	{names: "docker podman nerdctl buildah skopeo oras crane helm", under: "login", next: "-p --password"},
	{names: "docker podman", under: "run exec", next: "-e --env", sets: true},
	{names: "sshpass", next: "-p", glued: "-p"},
	{names: "mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlsh mariadb mariadb-dump mariadb-admin mycli", glued: "-p"},
	{names: "redis-cli valkey-cli", next: "-a --pass"},
	{names: "mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh influx beeline rdesktop ncftpget cqlsh clickhouse-client", next: "-p --password -password"},
	{names: "http https httpie xh xhs", next: "", user: "-a --auth"},
	{names: "curl", user: "-u --user -U --proxy-user"},
	{names: "openssl", next: "-K -k"},
	{names: "keytool jarsigner apksigner", next: "-storepass -keypass -srcstorepass -deststorepass -srckeypass -destkeypass -new"},
	{names: "ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapwhoami", next: "-w -s"},
	{names: "az", under: "login", next: "-p --password"},
	{names: "aws", under: "configure", after: "aws_secret_access_key aws_session_token"},
	{names: "smbclient rpcclient net smbget", user: "-U --user", split: "%"},
	{names: "sqlcmd bcp isql tsql", next: "-P"},
	{names: "zip unzip ipmitool mosquitto_pub mosquitto_sub ncftpput", next: "-P"},
	{names: "7z 7za 7zr rar unrar", glued: "-p -hp"},
	{names: "gpg gpg2", next: "--passphrase"},
	{names: "ssh-keygen", next: "-N -P"},
	{names: "snmpwalk snmpget snmpset snmpbulkwalk snmptrap", next: "-A -X -c"},
	{names: "xfreerdp xfreerdp3 wlfreerdp mstsc", glued: "/p:"},
	{names: "lftp", user: "-u", split: ","},
	{names: "nmcli", next: "password"},
	{names: "wpa_passphrase", nth: 2},
	{names: "htpasswd", under: "-b -bc -cb -nb -nbB -bB -bn -Bb -nbm", last: true},
	{names: "net", under: "user", after: "user", skip: 1},
	{names: "net", under: "use", after: "use", skip: 2},
	{names: "nuget dotnet", next: "-ApiKey --api-key -k", after: "push", skip: 1, long: true},
	{names: "poetry", under: "config", after: "http-basic.*", skip: 1},
	{names: "poetry", under: "config", after: "pypi-token.*"},
	{names: "sudo kinit cryptsetup gpg chpasswd passwd gh docker vault", next: "<<<"},
	{names: "rabbitmqctl", after: "add_user change_password authenticate_user", skip: 1},
	{names: "mc", under: "alias config", after: "set add", skip: 3},
	{names: "npm pnpm yarn", under: "config set", after: "_authToken _auth _password"},
	{names: "kubectl oc", under: "secret", next: "--from-literal --docker-password", sets: true},
	{names: "gh glab", under: "secret variable", next: "-b --body -v --value"},
	{names: "vault bao", under: "login", last: true},
	{names: "mysqladmin", after: "password"},
	{names: "bitwarden bw", under: "unlock login", last: true},
	{names: "cargo doctl", under: "login init", last: true},
	{names: "kadmin", next: "-w"},
	{names: "ansible-vault", after: "encrypt_string"},
	{names: "twine", next: "-p --password"},
	{names: "createuser dropuser", next: "--pwprompt="},
	{names: "svn", next: "--password"},
}

// maxCommand is how much of a command line is looked at, in bytes.
const maxCommand = 700

// maxLines is how many command lines are read that begin within maxCommand bytes:
// a text of nothing but names of tools is not gone through again and again.
const maxLines = 48

// command takes the secrets of a known tool's command line.
func (s *scan) command(t *tool, at, end int) {
	if at > 0 && (isTokenByte(s.text[at-1]) || s.text[at-1] == '.') || end >= len(s.text) || s.text[end] != ' ' {
		return
	}
	words := s.shellWords(end)
	if t.under != "" && !slices.ContainsFunc(words[:min(len(words), 4)], func(w shellWord) bool { return listed(t.under, w.text) }) {
		return
	}
	for i, w := range words {
		next := shellWord{}
		if i+1 < len(words) {
			next = words[i+1]
		}
		option, value, is := strings.Cut(w.text, "=")
		given := shellWord{value, w.from + len(option) + 1}
		if !is || w.quoted(s.text) {
			option, given = w.text, next
		}
		switch {
		case listed(t.next, option):
			if t.sets {
				s.setting(given)
			} else if !strings.HasPrefix(given.text, "-") {
				s.argument(given)
			}
		case listed(t.user, option):
			sign := t.split
			if sign == "" {
				sign = ":"
			}
			if n := strings.Index(given.text, sign); n >= 0 {
				s.argument(given.cut(n + 1))
			}
		case listed(t.after, strings.TrimLeft(w.text[strings.LastIndexByte(w.text, ':')+1:], "/")):
			if i+1+t.skip < len(words) && (!t.long || random(words[i+1+t.skip].text) && !strings.Contains(words[i+1+t.skip].text, ".")) {
				s.argument(words[i+1+t.skip])
			}
		}
		for option := range strings.FieldsSeq(t.glued) {
			if rest, ok := strings.CutPrefix(w.text, option); ok && rest != "" {
				s.glued(w.cut(len(option)))
			}
		}
	}
	if t.nth > 0 && t.nth <= len(words) {
		s.argument(words[t.nth-1])
	}
	if n := len(words); t.last && n >= 2 && strings.ContainsAny(words[n-1].text, "0123456789") {
		s.argument(words[n-1])
	}
}

func listed(list, word string) bool {
	if word == "" {
		return false
	}
	for w := range strings.FieldsSeq(list) {
		if first, ok := strings.CutSuffix(w, "*"); w == word || ok && strings.HasPrefix(word, first) {
			return true
		}
	}
	return false
}

// argument takes a word of a command line that is a secret.
func (s *scan) argument(w shellWord) {
	v := strings.TrimRight(w.text, ".,;:)")
	l := strings.ToLower(v)
	if len(v) < 4 || l == "public" || l == "private" || placeholder(v) || reference(v) || strings.ContainsAny(v, "<>") || sentenceWords()[l] || pathLike(v) && wordy(v) {
		return
	}
	s.take(w.from, w.from+len(v))
}

// glued takes what is written to an option, unless it is another word for one.
func (s *scan) glued(w shellWord) {
	if lower, upper, digits, others := counts(w.text); digits == 0 && others == 0 && (lower == 0 || upper == 0) {
		return
	}
	s.argument(w)
}

// setting takes the value of NAME=value if the name promises a secret.
func (s *scan) setting(w shellWord) {
	name, value, ok := strings.Cut(w.text, "=")
	if !ok || promised(name) == nothing || len(value) < 4 || strings.EqualFold(value, "postgres") || wordy(value) && strings.HasPrefix(strings.ToLower(name), strings.ToLower(value)) {
		return
	}
	s.argument(w.cut(len(name) + 1))
}

// shellWord is a word of a command line without its quotes, and where it begins.
type shellWord struct {
	text string
	from int
}

func (w shellWord) cut(n int) shellWord {
	rest := strings.TrimLeft(w.text[n:], `'"`)
	from := w.from + len(w.text) - len(rest)
	return shellWord{strings.TrimRight(rest, `'"`), from}
}

func (w shellWord) quoted(text string) bool {
	return w.from > 0 && strings.IndexByte(`'"`, text[w.from-1]) >= 0
}

// shellWords gives the words of the command line from a place on, up to a line
// break that no backslash stands before, a pipe, or what follows a command. A
// word may hold what stands in quotes, as in -p'a b'.
func (s *scan) shellWords(from int) []shellWord {
	if from >= s.read {
		s.read, s.lines = from+maxCommand, 0
	}
	if s.lines++; s.lines > maxLines {
		return nil
	}
	var words []shellWord
	stop := min(len(s.text), from+maxCommand)
	for i := from; i < stop; {
		c := s.text[i]
		switch {
		case c <= ' ' && c != '\n', c == 0x7f:
			i++
			continue
		case c == '\\' && i+1 < stop && (s.text[i+1] == '\n' || s.text[i+1] == '\r'):
			i += 2
			continue
		case c == '\n', c == '|', c == ';', c == '`', c == ')', c == '&':
			return words
		}
		begin, quote := i, byte(0)
		for ; i < stop; i++ {
			c := s.text[i]
			if quote != 0 {
				if c == quote {
					quote = 0
				} else if c == '\n' {
					break
				}
				continue
			}
			if c == '\'' || c == '"' {
				quote = c
				continue
			}
			if c <= ' ' || c == '`' || c == ';' || c == '|' {
				break
			}
		}
		end := i
		if q := s.text[begin]; end-begin >= 2 && (q == '"' || q == '\'') && s.text[end-1] == q {
			begin, end = begin+1, end-1
		}
		if text := s.text[begin:end]; text != "" {
			words = append(words, shellWord{text, begin})
		}
	}
	return words
}

// userOptions and passOptions are how programs name a user and a password on
// their command line, whichever program it is.
const (
	userOptions = "-u -U -user --user -username --username -login --login -usr"
	passOptions = "-p -P -pw -pass -password -passwd"
)

// optionPair takes the password of a command line that gives a user and a
// password, by a program that may be any.
func (s *scan) optionPair(_, end int) {
	words := s.shellWords(end)
	for i := 1; i+1 < len(words) && i < 8; i++ {
		if listed(passOptions, words[i].text) && chosen(words[i+1].text) {
			s.argument(words[i+1])
		}
	}
}

// passFirst is optionPair for a password that stands before the user.
func (s *scan) passFirst(_, end int) {
	words := s.shellWords(end)
	if len(words) < 3 || !chosen(words[0].text) {
		return
	}
	if slices.ContainsFunc(words[1:min(len(words), 6)], func(w shellWord) bool { return listed(userOptions, w.text) }) {
		s.argument(words[0])
	}
}

// chosen says that a word looks like a password that a person chose.
func chosen(t string) bool {
	v := value{text: t}
	return len(t) >= 6 && t[0] != '-' && (v.plainly(password) || lowerUpperDigit(t) && v.plain())
}

// readers are programs that take a secret from their input.
var readers = []string{"sudo -S", "sudo -kS", "chpasswd", "--password-stdin", "--passphrase-fd", "--with-token", "kinit", "cryptsetup", "passwd --stdin", "vault login", "smbpasswd", "gpg --import", "secret set", "ssh-add"}

// piped takes what an echo gives to a program that reads a secret, or to a
// variable whose name promises one.
func (s *scan) piped(at, end int) {
	if at > 3 && s.text[at-3:at] == "=$(" {
		from, to := s.name(at-3, at-3)
		if words := s.shellWords(end); promised(s.text[from:to]) != nothing && len(words) > 0 {
			s.argument(words[len(words)-1])
		}
		return
	}
	line := s.text[end:min(len(s.text), end+maxCommand)]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	said, rest, ok := strings.Cut(line, "|")
	if !ok || !slices.ContainsFunc(readers, func(r string) bool { return strings.Contains(rest, r) }) {
		return
	}
	words := s.shellWords(end)
	if len(words) == 0 || len(said) == 0 {
		return
	}
	last := words[len(words)-1]
	last.text = strings.TrimSuffix(last.text, `\n`)
	if n := strings.IndexByte(last.text, ':'); n > 0 && strings.Contains(rest, "chpasswd") {
		last = last.cut(n + 1)
	}
	s.argument(last)
}

// passArgument takes the password of openssl's pass:… and of what took it over.
func (s *scan) passArgument(at, end int) {
	if at == 0 || strings.IndexByte(" \"'=", s.text[at-1]) < 0 || !strings.Contains(s.text[max(0, at-24):at], "-") {
		return
	}
	if words := s.shellWords(end); len(words) > 0 && words[0].from == end {
		s.argument(words[0])
	}
}

// oracle takes the password of user/password@service.
func (s *scan) oracle(_, end int) {
	for _, w := range s.shellWords(end) {
		user, rest, ok := strings.Cut(w.text, "/")
		if n := strings.LastIndexByte(rest, '@'); ok && n > 0 && user != "" && !strings.Contains(user, ":") {
			s.argument(shellWord{rest[:n], w.from + len(user) + 1})
		}
	}
}
