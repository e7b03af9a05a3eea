package secrets

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func redactor(tb testing.TB) *Redactor {
	tb.Helper()
	r, err := New()
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// Secrets in the tests are put together, so that no scanner takes them for real.
const (
	gh   = "ghp" + "_EXAMPLEexampleEXAMPLEexample00000000"
	aws  = "wJalr" + "XUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
	akia = "AKIA" + "IOSFODNN7EXAMPLE"
	ant  = "sk-" + "ant-api03-FAKEFAKEFAKEFAKEFAKEFAKEFAKEFAKE-FAKEFAKE"
	jwt  = "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiJmYWtlIn0.ZmFrZXNpZ25hdHVyZQ"
	pem  = "-----BEGIN OPENSSH" + " PRIVATE KEY-----\nRkFLRUZBS0VGQUtFRkFLRUZBS0U=\n-----END OPENSSH" + " PRIVATE KEY-----"
	rnd  = "q7Zt2LmX9vBn4KpR8sWd"
)

func TestRedact(t *testing.T) {
	t.Parallel()
	r := redactor(t)
	tests := []struct{ in, want string }{
		// Tokens by their form.
		{"Deploy with token " + gh + " and go on.", "Deploy with token [redacted] and go on."},
		{"x=" + gh[:25] + "\n" + gh[25:] + " y", "x=[redacted] y"},
		{"the key is " + ant + ".", "the key is [redacted]."},
		{"SLACK=xoxb-" + "000000000000-FAKEFAKEFAKEFAKE", "SLACK=[redacted]"},
		{"AWS_ACCESS_KEY_ID=" + akia + "\nnext", "AWS_ACCESS_KEY_ID=[redacted]\nnext"},
		{"escaped " + jwt + " here", "escaped [redacted] here"},
		{`{"t":"` + jwt + `"}`, `{"t":"[redacted]"}`},
		{"a " + pem + "\nb", "a [redacted]\nb"},
		{strings.ReplaceAll(pem, "\n", `\n`) + `\n"`, `[redacted]\n"`},
		{"-----BEGIN RSA" + " PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n" + strings.Repeat("QUJDREVG", 8), "[redacted]"},
		{"-----BEGIN RSA" + " PRIVATE KEY-----\n" + strings.Repeat("QUJDREVGQUJDREVG\n", 8) + "QUJ=\n\nAnd then?", "[redacted]\n\nAnd then?"},
		{"x -----BEGIN PRIVATE" + " KEY-----\\nQUJDREVGQUJDREVG\\nQUJD\" and on", "x [redacted]\" and on"},
		{"-----BEGIN PRIVATE" + " KEY-----\nThanks\n", "[redacted]\nThanks\n"},
		{"use AGE-SECRET-KEY-" + "1QQPQYRSZ0Q9QQPQYRSZ0Q9QQPQYRSZ0Q9QQPQYRSZ0Q9QQPQYRSZ0Q9QQPQ (new)", "use [redacted] (new)"},
		{"discord_client_secret = '" + rnd + "abcdefg12345'", "discord_client_secret = '[redacted]'"},
		// Names with values.
		{"AWS_SECRET_ACCESS_KEY=" + aws + "\n", "AWS_SECRET_ACCESS_KEY=[redacted]\n"},
		{"PASSWORD=hunter2hunter2", "PASSWORD=[redacted]"},
		{"export DB_PASS='hunter!'", "export DB_PASS='[redacted]'"},
		{"DB_PASSWORD=orchardgate", "DB_PASSWORD=[redacted]"},
		{"The password (hunter2hunter2) works", "The password ([redacted]) works"},
		{"db:\n  user: x\n  password: hunter22\n", "db:\n  user: x\n  password: [redacted]\n"},
		{"DB_PASSWORD: hunter2", "DB_PASSWORD: [redacted]"},
		{"JWT_SECRET=supersecretvalue", "JWT_SECRET=[redacted]"},
		{"Das Passwort ist hunter2hunter2.", "Das Passwort ist [redacted]."},
		{"SENTRY_DSN=https://0123456789abcdef0123456789abcdef@o1.ingest.example.org/2", "SENTRY_DSN=https://[redacted]@o1.ingest.example.org/2"},
		{"api_key: " + rnd, "api_key: [redacted]"},
		{`"apiKey": "` + rnd + `",`, `"apiKey": "[redacted]",`},
		{`\"clientSecret\": \"` + rnd + `\"`, `\"clientSecret\": \"[redacted]\"`},
		{`config["auth_token"] = "` + rnd + `"`, `config["auth_token"] = "[redacted]"`},
		{"**Password:** hunter2hunter2", "**Password:** [redacted]"},
		{"| password | hunter2hunter2 |", "| password | [redacted] |"},
		{"mysql --password hunter2hunter2 -h x", "mysql --password [redacted] -h x"},
		{"tool --api-key=" + rnd + " run", "tool --api-key=[redacted] run"},
		{"https://x.org/?access_token=" + rnd + "&page=2", "https://x.org/?access_token=[redacted]&page=2"},
		{"<password>hunter2hunter2</password>", "<password>[redacted]</password>"},
		{"The database password is hunter2hunter2 and so on", "The database password is [redacted] and so on"},
		{"The password is `hunter2!`.", "The password is `[redacted]`."},
		{"if password == \"hunter2hunter2\" {", "if password == \"[redacted]\" {"},
		{"heroku api key: 550e8400-e29b-41d4-a716-446655440000", "heroku api key: [redacted]"},
		{"set the password to hunter2hunter2, then", "set the password to [redacted], then"},
		{`-H "Api-Token: Sk94HG7f6KB"`, `-H "Api-Token: [redacted]"`},
		{"curl \\\n  -X POST \\\n  -u dev:'pRf7vG2h1L8n' http://x", "curl \\\n  -X POST \\\n  -u dev:'[redacted]' http://x"},
		{"AZURE=QtT8Q~" + "9C-_Ij~RouHVpD2Tuf3oHWGh.DQ3kcjbAn", "AZURE=[redacted]"},
		// Headers and URLs.
		{"Authorization: Bearer " + rnd + rnd, "Authorization: Bearer [redacted]"},
		{"-H 'Authorization: Basic dXNlcjpodW50ZXIyaHVudGVyMg=='", "-H 'Authorization: Basic [redacted]'"},
		{`"authorization": "token ` + rnd + `"`, `"authorization": "token [redacted]"`},
		{"DATABASE_URL=postgres://orchard:hunter2hunter2@db.internal:5432/orchard", "DATABASE_URL=postgres://orchard:[redacted]@db.internal:5432/orchard"},
		{"git clone https://" + rnd + "@git.example.org/x.git", "git clone https://[redacted]@git.example.org/x.git"},
		{"redis://:s3cr3t@cache:6379", "redis://:[redacted]@cache:6379"},
		{"curl -s -u admin:hunter2 https://x.org", "curl -s -u admin:[redacted] https://x.org"},
	}
	for _, tt := range tests {
		got, n := r.Redact(tt.in)
		if got != tt.want || n == 0 {
			t.Errorf("%q\n gives %q\n want  %q", tt.in, got, tt.want)
		}
	}
}

func TestKept(t *testing.T) {
	t.Parallel()
	r := redactor(t)
	for _, in := range []string{
		"", "deploys go through the depot runner", "staging listens on port 8443", "PLAIN=not-a-secret",
		// Ids and hashes.
		"550e8400-e29b-41d4-a716-446655440000", "session 0000010b-1111-4222-8333-444455556666",
		"commit 3f786850e387550fdab836ed7e6dc881de23001b", "toolu_01A09q90qw90lq917835lq9 msg_01XFDUDYJgAACzvnptvVoYEL req_011CSHoEeqs5C35K2UUqR7Fy",
		`"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="`,
		"h1:hEyMJVeGlXnGsxzT2nB3DxXKPvVs0ZzfB3nCJMbYlCw=", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"[image/png, 1.2 MB]", "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
		// Code and configuration.
		"password: string", "token: Token", "apiKey: process.env.API_KEY", "const password = getPassword()", "password = req.body.password",
		"API_KEY=${API_KEY}", "API_KEY=$API_KEY", "password: <your password>", "token: {{ .Values.token }}", "api_key = \"your-api-key\"",
		"PASSWORD=changeme", "TOKEN=$(cat token.txt)", "API_TOKEN=vault.read.token", "SECRET=/run/secrets/x", "MAX_TOKENS=100000000", "PUBLIC_KEY=abcdefghijkl", "ACCESS_TOKEN=12345678", "SECRET=********", "token=xxxxxxxxxxxxxxxxxxxx", "apiKey=YOUR_API_KEY_HERE", "password: required", "f(password: input22)", "password(hash2)", "checkPassword(user12)",
		"max_tokens: 4096", "input_tokens=123456", "token_count: 12ab34cd56ef", "\"tokens\": 8421", "tokenizer: cl100k_base", "primary_key = user_id12",
		"cache_key: v2-abc123def456", "public_key: 3f786850e387550fdab836ed7e6dc881de23001b", "password_hash = bcrypt(password2)", "passwordField: 'input12'",
		"token = token2", "access_key_id: 12ab34cd56ef", "PWD=/home/dev/orchard", "secret_path: /run/secrets/db1", "TOKEN_FILE=/run/token2x9",
		"func (p *Parser) token(i int) Token { return p.tokens[i] }", "keyboard: us-intl2", "import { token } from './token2'",
		`"encryptionKey": "encryptionKey1024"`, "rsaPrivateKey = test1024Key", "const secretValue = 0x53c237_53c237", "sk-ssh-ed25519-cert-v01@openssh.com", "curl -u <user:password> https://x.org", "TOKEN_AUDIENCE=25872395-ed3a-4703-b647-22ec53f3683c", "groupname:password:GID:user_list", "static void GLC_CreateLightmapTexturesIndividual(void);",
		// Sentences.
		"Convert password to UTF-16LE", "nginx (proxy_pass to uvicorn:8000)", "GET ../etc/passwd HTTP/1.1", "hash the password with pbkdf2-sha512-v2",
		"passwords are hashed with argon2id before they are stored", "The password is bcrypt-hashed.", "the token is sha256", "each secret is rotated every 90 days",
		"the API key is read from the environment", "Bearer authentication is used", "Authorization: Bearer <token>", "Authorization: Bearer ${TOKEN}", "authorization is required for admin2",
		"they decided to key the monkey", "secret santa 2024", "the access key is in the vault", "password reset flow v2", "reset the token to null",
		"postgres://user:password@localhost/db", "https://user:${PASS}@host/", "https://example.org/a@b", "ssh://git@github.com:22/x.git", "http://localhost:8080/x?y=@z:1",
		"curl -u user:password https://x.org", "curl -u $USER:$PASS https://x.org", "sk-learn-is-a-machine-learning-library", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "hf_transfer is enabled",
		"-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----", "-----BEGIN CERTIFICATE-----", "/home/dev/token/secret/api_key/file12345.go", "node v20.11.1, token v1.2.3",
		"eyJust a word", "[redacted]", "password: [redacted]", "the key is [redacted].", "postgres://orchard:[redacted]@db/x", "PASSWORD=[redacted]",
	} {
		if got, n := r.Redact(in); got != in || n != 0 {
			t.Errorf("%q\n gives %q", in, got)
		}
	}
}

func TestRedactName(t *testing.T) {
	t.Parallel()
	r := redactor(t)
	for in, want := range map[string]string{
		"fix/token-" + gh:                                  "fix/token-[redacted]",
		"fix/the-wifi-password-is-Zk7Rt5yX9w":              "fix/the-wifi-password-is-[redacted]",
		"fix/пароль-Zk7Rt5yX9w-для-стенда":                 "fix/пароль-[redacted]-для-стенда",
		"feature/auth":                                     "feature/auth",
		"fix/password-reset-2024":                          "fix/password-reset-2024",
		"dependabot/npm_and_yarn/lodash-4.17.21":           "dependabot/npm_and_yarn/lodash-4.17.21",
		"claude/fix-token-refresh-01A09q90qw":              "claude/fix-token-refresh-01A09q90qw",
		"detached HEAD":                                    "detached HEAD",
		"release/3f786850e387550fdab836ed7e6dc881de23001b": "release/3f786850e387550fdab836ed7e6dc881de23001b",
	} {
		if got := r.RedactName(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

func TestOnlySecret(t *testing.T) {
	t.Parallel()
	r := redactor(t)
	for in, want := range map[string]bool{
		"[redacted]": true, "- [redacted]": true, "API_KEY=[redacted]": true, "token: [redacted]": true,
		"The database password is [redacted]": true, "AWS_SECRET_ACCESS_KEY=[redacted]": true, "Use token [redacted].": true,
		"[redacted], [redacted]": true, "The password is `[redacted]` and the key is [redacted].": true,
		"": false, "no mark": false, "password": false,
		"Deploy with token [redacted] and remember that deploys go through the depot runner.": false,
		"Staging listens on port 8443 and needs [redacted]":                                   false,
		"postgres://orchard:[redacted]@db.internal:5432/orchard":                              false,
		"部署令牌是 [redacted],部署通过仓库运行器":                                                          false,
	} {
		if got := r.OnlySecret(in, in); got != want {
			t.Errorf("%q: %v, want %v", in, got, want)
		}
	}
}

func TestRulesCompile(t *testing.T) {
	t.Parallel()
	r := redactor(t)
	for i := range r.known().library {
		if _, err := r.known().library[i].compile(); err != nil {
			t.Errorf("%s: %v", r.known().library[i].ID, err)
		}
	}
}

func TestInvalidBytes(t *testing.T) {
	t.Parallel()
	got, _ := redactor(t).Redact("a\xff PASSWORD=hun\xfeter2x \xed\xa0\x80")
	if !utf8.ValidString(got) || strings.Contains(got, "hun") {
		t.Errorf("%q", got)
	}
}

// Whatever stands beside what, what is redacted stays so.
func TestIdempotent(t *testing.T) {
	t.Parallel()
	r := redactor(t)
	pieces := []string{
		gh, akia, ant, jwt, pem, aws, rnd, gh[:20], pem[:50], "hunter2hunter2", Mark, "password", "PASSWORD=", "api_key: ", "token", " is ", " to ", "=", ":", "://", "@",
		"Authorization: ", "Bearer ", "Basic ", "curl -u a:", "\"", "'", "`", "\\", "\n", " ", "\t", ",", ".", "-", "_", "/", "okta", "discord_secret", "x", "é", "\xff", "9", "--token ", "|", ">", "<",
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		var text strings.Builder
		for range 1 + random.IntN(12) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		once, _ := r.Redact(text.String())
		if twice, n := r.Redact(once); twice != once || n != 0 || !utf8.ValidString(once) {
			t.Fatalf("%q\nbecame %q\nbecame %q", text.String(), once, twice)
		}
	}
}
