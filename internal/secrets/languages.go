package secrets

// language holds how people of one language name a secret, and the words that
// may stand between the name and the secret, all in lower case, with a semicolon
// behind each but the last.
type language struct {
	code      string
	passwords string // anything may be one
	keys      string // made by a machine
	pins      string // digits
	is        string
}

// languages are those that the extractor reads, and a few beside them.
var languages = []language{
	{
		code:      "en",
		passwords: "password;passphrase;passcode;passwd;pwd;pass phrase;wifi key;wi-fi key;wlan key;network key;psk;pre-shared key;preshared key;radius secret;community string;snmp community;snmpv2 community;snmpv2c community;snmpv3 community;vpn key;tunnel key;bind password;unlock key;pass-phrase;pw",
		keys:      "api key;api token;api secret;key for;key of;2fa seed;2fa secret;2fa key;mfa seed;mfa secret;totp seed;totp key;otp seed;otp secret;authenticator key;authenticator secret;authenticator seed;authenticator setup key;pagerduty key;datadog key;twilio key;mailgun key;stripe key;sendgrid key;openai key;anthropic key;newrelic key;algolia key;mapbox key;segment key;master.key;production.key;credentials key;server key;access token;access key;auth token;auth key;secret key;master key;bot token;signing key;encryption key;client secret;webhook secret;license key;deploy key;service key;private key;shared key;shared secret;token;secret;bearer;credential",
		pins:      "pin;pin code;door code;alarm code;access code;safe code;vault code;unlock code;gate code;entry code;lock code;security code;passcode;cvv;cvc;otp;one-time code;verification code;backup code;recovery code;2fa code;puk;combination;keypad code;lockbox code;building code;garage code;office code",
		is:        "is now;is still;is;was;equals;must be;should be;has to be;needs to be;will be;shall be;becomes;to be;stays;remains;reads;set to;changed to;to;are;it's;it’s;it is;would be;contains;holds;goes",
	},
	{
		code:      "de",
		passwords: "passwort;kennwort;passphrase;losungswort;wlan-schlüssel;wlan-passwort;pw",
		keys:      "api-schlüssel;api-key;zugangsschlüssel;geheimschlüssel;schlüssel;zugriffstoken;zugangstoken;token;geheimnis",
		pins:      "pin;pin-code;türcode;zugangscode;geheimzahl;sicherheitscode;zahlencode;alarmcode",
		is:        "ist jetzt;ist nun;ist;lautet jetzt;lautet;heißt;heisst;wird;war;bleibt;sei;muss;soll;auf;zu;bleibt bei",
	},
	{
		code:      "fr",
		passwords: "mot de passe;mots de passe;mdp;phrase secrète;phrase de passe;clé wifi;clé wi-fi",
		keys:      "clé api;clé d'api;clé d’api;clé secrète;clé d'accès;clé d’accès;clé privée;clé de l'api;clé;jeton d'accès;jeton d’accès;jeton;secret",
		pins:      "code pin;code d'accès;code secret;code de la porte;digicode;code d'entrée;code de l'alarme",
		is:        "est maintenant;est désormais;est;était;sera;devient;reste;c'est;doit être;vaut;en;à;par",
	},
	{
		code:      "es",
		passwords: "contraseña;contrasena;clave de acceso;clave del wifi;clave wifi;palabra clave;frase de paso;clave",
		keys:      "clave api;clave de api;clave de la api;clave secreta;clave privada;llave;token;secreto",
		pins:      "código pin;código de acceso;código de la puerta;código de seguridad;pin;clave de la alarma",
		is:        "es ahora;ahora es;es;era;será;debe ser;queda;sigue siendo;pasa a ser;a;por",
	},
	{
		code:      "pt",
		passwords: "senha;palavra-passe;palavra passe;palavra chave;senha do wifi",
		keys:      "chave da api;chave de api;chave api;chave secreta;chave de acesso;chave privada;chave;token;segredo",
		pins:      "código pin;código de acesso;código da porta;código de segurança;pin",
		is:        "é agora;agora é;é;era;será;deve ser;fica;passa a ser;continua sendo;para;por",
	},
	{
		code:      "it",
		passwords: "password;parola d'ordine;parola d’ordine;parola chiave;chiave wifi;chiave del wifi;frase segreta",
		keys:      "chiave api;chiave dell'api;chiave segreta;chiave di accesso;chiave privata;chiave;token;segreto",
		pins:      "codice pin;codice di accesso;codice della porta;codice segreto;pin",
		is:        "è ora;ora è;è;era;sarà;deve essere;diventa;resta;rimane;in;a",
	},
	{
		code:      "ru",
		passwords: "пароль;пароля;паролем;пассворд;кодовая фраза;парольная фраза;кодовое слово;ключ от вайфая;ключ wifi",
		keys:      "ключ api;api-ключ;api ключ;ключ доступа;секретный ключ;приватный ключ;ключ;токен;секрет",
		pins:      "пин-код;пинкод;пин код;пин;код от двери;код доступа;код домофона;код сейфа;код подтверждения",
		is:        "теперь;это;будет;такой;равен;должен быть;стал;был;есть;на",
	},
	{
		code:      "zh",
		passwords: "密码;密碼;口令;通行码;密语;暗号",
		keys:      "密钥;密鑰;秘钥;令牌;私钥;访问密钥;秘密",
		pins:      "pin码;pin 码;验证码;門禁碼;门禁码;支付密码;开门密码",
		is:        "现在是;應該是;应该是;必须是;必須是;就是;改为;改為;改成;设为;設為;设置为;等于;是;为;為;用",
	},
	{
		code:      "ja",
		passwords: "パスワード;合言葉;パスフレーズ;合い言葉",
		keys:      "apiキー;アクセスキー;秘密鍵;シークレット;トークン;キー;鍵",
		pins:      "暗証番号;pinコード;認証コード;確認コード;ドアコード",
		is:        "は今;は必ず;は;が;を;に;として",
	},
	{
		code:      "ko",
		passwords: "비밀번호;비밀 번호;암호;패스워드;비번",
		keys:      "api 키;api키;액세스 키;비밀키;비밀 키;시크릿;토큰;키",
		pins:      "핀번호;핀 번호;인증번호;pin 번호;출입 코드;현관 비밀번호",
		is:        "는 이제;은 이제;는;은;가;이;을;를;로",
	},
	{code: "nl", passwords: "wachtwoord;paswoord;wachtzin;wifi-code;ww", keys: "api-sleutel;toegangssleutel;geheime sleutel;sleutel", pins: "pincode;toegangscode;deurcode;alarmcode;toegangspin;pin", is: "is nu;is;was;wordt;luidt;blijft;naar;in"},
	{code: "pl", passwords: "hasło;hasłem;hasła", keys: "klucz api;klucz dostępu;klucz;token", pins: "kod pin;kod dostępu;kod do drzwi;kod alarmu;pin", is: "to teraz;to;jest;brzmi;będzie;na"},
	{code: "tr", passwords: "şifre;parola;şifresi;parolası;şifrem;parolam;şifremiz;parolamız;şifresini;parolasını", keys: "anahtar;anahtarı;api anahtarı;jeton;belirteç", pins: "pin kodu;kapı kodu;pin;alarm kodu", is: "şudur;olarak;şu;artık"},
	{code: "uk", passwords: "пароль;пароля;паролем;кодове слово", keys: "ключ api;ключ доступу;ключ;токен", pins: "пін-код;пінкод;пін;код доступу;код від дверей;код сейфа", is: "тепер;це;буде;на;є"},
}

// sentenceWords go on with a sentence about a secret where the secret could
// stand.
var sentenceWords = words(`a an the is are was were be been being has have had must should shall can could may might will would do does did
not no never always only also still now then here there this that these those it its in on at of off for from to with without by via as and or but if
when where while until after before set unset read stored kept saved used using use sent passed given taken needed required optional hashed encrypted
valid invalid wrong correct incorrect right missing empty same different too very short long weak strong shown hidden known unknown rotated changed
option options flag field fields value values string parameter argument input prompt manager policy reset protected based file files path env stdin
generated created checked asked entered typed loaded provided configured defined refreshed expired expires logged never safe secure
your you my our their his her user users username login name all any each every one two both more most least some such
muss müssen soll sollte wird werden ist war im in am auf aus bei mit ohne und oder nicht nie immer nur auch noch jetzt der die das den dem ein eine
doit est sera dans sur avec sans et ou pas le la les un une des du de obligatoire haché
debe es está en con sin y o no el los una obligatoria deve é fica na no da do obrigatória è nella con senza`)
