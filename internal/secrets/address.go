package secrets

import "strings"

// address takes the password of a URL, or the token that stands there instead.
// Passwords hold what they should not: a slash, an at sign, a number sign.
func (s *scan) address(at, end int) {
	if at == 0 || !isLetter(s.text[at-1]) && !isDigit(s.text[at-1]) {
		return
	}
	stop := end
	for stop < len(s.text) && stop-end < 512 && strings.IndexByte("\\\"'`<>()[]{}|", s.text[stop]) < 0 && s.text[stop] > ' ' {
		stop++
	}
	sign := s.atSign(end, stop)
	if sign < 0 {
		return
	}
	user, word, has := strings.Cut(s.text[end:end+sign], ":")
	switch {
	case strings.ContainsAny(user, "/?#,"):
	case has && word != "" && !placeholder(word) && !reference(word) && (user != word || !wordy(word)):
		s.take(end+len(user)+1, end+sign)
	case !has && len(user) >= 16 && random(user):
		s.take(end, end+sign)
	}
}

// atSign gives where the at sign stands that ends user and password in
// text[from:to], -1 if there is none: the last before a slash, or the first
// behind one if what stands between is no port and a host follows.
func (s *scan) atSign(from, to int) int {
	all := s.text[from:to]
	first := strings.IndexAny(all, "/?#,")
	if first < 0 {
		return strings.LastIndexByte(all, '@')
	}
	if sign := strings.LastIndexByte(all[:first], '@'); sign >= 0 {
		return sign
	}
	user, word, has := strings.Cut(all[:first], ":")
	sign := strings.IndexByte(all[first:], '@')
	if !has || user == "" && word == "" || sign < 0 || word != "" && len(word) <= 5 && strings.Trim(word, "0123456789") == "" {
		return -1
	}
	sign += first
	for next := strings.IndexByte(all[sign+1:], '@'); next >= 0 && next < 24 && strings.IndexAny(all[sign+1:sign+1+next], "/?") < 0; next = strings.IndexByte(all[sign+1:], '@') {
		sign += 1 + next
	}
	host := all[sign+1:]
	n := strings.IndexFunc(host, func(c rune) bool { return c > 127 || !isTokenByte(byte(c)) && c != '.' })
	if host == "" || n == 0 || n > 0 && strings.IndexByte(":/?,;.!)", host[n]) < 0 {
		return -1
	}
	return sign
}

// queryNames are parameters of URLs whose values are secrets.
var queryNames = []string{
	"sig", "signature", "x-amz-signature", "x-goog-signature", "x-amz-security-token", "code", "key", "apikey", "api_key", "api-key", "auth", "token", "access_token", "refresh_token", "id_token",
	"secret", "client_secret", "pass", "pwd", "password", "passwd", "hash", "hmac", "sas", "jwt", "session", "sessionid", "sid", "ticket", "otp", "invite", "se_token", "auth_token", "authkey", "appkey", "subscription-key", "private_token", "policy",
}

// query takes the value of a parameter behind ? & # or ;.
func (s *scan) query(at, end int) {
	if at == 0 || strings.IndexByte("?&#;", s.text[at-1]) < 0 && !(strings.IndexByte(" ,", s.text[at-1]) >= 0 && s.text[at] == 'S') {
		return
	}
	to := end
	for to < len(s.text) && (isTokenByte(s.text[to]) || strings.IndexByte(".~%+/=!*:@$^", s.text[to]) >= 0) {
		to++
	}
	v := strings.TrimRight(s.text[end:to], ".:!*")
	if len(v) < 5 || placeholder(v) || reference(v) {
		return
	}
	name := strings.ToLower(s.text[at:end])
	if what := promised(strings.TrimSuffix(name, "=")); what == password {
		if strings.ContainsAny(v, "0123456789") || s.text[at-1] != '?' || len(v) >= 8 {
			s.take(end, end+len(v))
		}
		return
	}
	least := 16
	if strings.IndexByte(" ,", s.text[at-1]) >= 0 || strings.HasPrefix(name, "hash") || strings.HasPrefix(name, "policy") || strings.HasPrefix(name, "session") {
		least = 40
	}
	if len(v) >= least && random(v) {
		s.take(end, end+len(v))
	}
}

// hooks are addresses whose last parts are a secret.
var hooks = []string{"hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/", ".webhook.office.com/", "hooks.zapier.com/hooks/catch/", "maker.ifttt.com/trigger/", "chat.googleapis.com/v1/spaces/", "outlook.office.com/webhook/", "hc-ping.com/", "hook.eu1.make.com/", "hook.us1.make.com/", "open.feishu.cn/open-apis/bot/v2/hook/", "events.pagerduty.com/integration/"}

// hook takes the path of such an address.
func (s *scan) hook(_, end int) {
	to := end
	for to < len(s.text) && (isRunByte(s.text[to]) || strings.IndexByte("?&", s.text[to]) >= 0) {
		to++
	}
	for to > end && strings.IndexByte(".:?", s.text[to-1]) >= 0 {
		to--
	}
	if v := s.text[end:to]; len(v) >= 16 && strings.ContainsAny(v, "0123456789") && !placeholder(v) && (random(v) || mixed(v)) {
		s.take(end, to)
	}
}

// telegram takes the token of a bot: its number, a colon, and 35 signs.
func (s *scan) telegram(at, _ int) {
	from, to := at, at+1
	for from > 0 && isDigit(s.text[from-1]) {
		from--
	}
	for to < len(s.text) && isTokenByte(s.text[to]) {
		to++
	}
	if at-from >= 8 && at-from <= 12 && to-at >= 33 && to-at <= 40 && s.text[at+1] == 'A' {
		s.take(from, to)
	}
}

// cookie takes the values of cookies that look made by a machine, and those of
// sessions.
func (s *scan) cookie(_, end int) {
	stop := min(len(s.text), end+2000)
	if n := strings.IndexAny(s.text[end:stop], "\n\"'`"); n >= 0 {
		stop = end + n
	}
	at := end
	for part := range strings.SplitSeq(s.text[end:stop], ";") {
		name, v, ok := strings.Cut(part, "=")
		v, _, _ = strings.Cut(v, " ")
		from := at + len(name) + 1
		at += len(part) + 1
		bare := strings.TrimSpace(name)
		if n := strings.LastIndexByte(bare, ' '); n >= 0 {
			bare = bare[n+1:]
		}
		if !ok || len(v) < 6 || placeholder(v) || reference(v) {
			continue
		}
		switch l := strings.ToLower(bare); {
		case random(v), strings.Contains(l, "sess"), strings.Contains(l, "sid"), strings.Contains(l, "token"), strings.Contains(l, "auth"), strings.Contains(l, "jwt"), strings.Contains(l, "remember"):
			if strings.ContainsAny(v, "0123456789") {
				s.take(from, from+len(strings.TrimRight(v, ".,")))
			}
		}
	}
}
