package main

import (
	"strings"
	"unicode/utf8"
)

// cue is a way of saying something that tells what a sentence is good for.
type cue uint8

const (
	cMust cue = iota
	cShould
	cForbid
	cPrefer
	cDecide
	cCause
	cBug
	cBehave
	cAlways
	cWe
	cPlan
	cDone
	cStatus
	cHedge
	cOffer
	cAsk
	cChat
	cExample
	cNow
	cFound
	cMeans
	cProject
	cTooling
	cLimit
	cDesign
	cYou
	cMe
	cTask
	cContrast
	cNames
	cNeed
	cMoment
	cWhere
	cues
)

// phrases hold the wordings of each cue, separated by semicolons: English and
// Russian as whole words.
var phrases = [cues]string{
	cMust: "must;have to;has to;required;requires;require;mandatory;make sure;be sure to;ensure;" +
		"essential;it is important;it's important;at all times;strictly;guarantee;non negotiable;" +
		"должен;должна;должно;должны;обязательно;обязан;необходимо;следует;убедись;гарантировать;" +
		"muss;müssen;doit;doivent;debe;deben;deve;devem;" +
		"всё должно;строго;только так",
	cShould: "should;shouldn't;ought to;supposed to;expected to;want;wants;we'd like;would like;i'd like;i'd love;" +
		"the rule is;policy;convention;guideline;standard;хочу;хотим;хотелось бы;стоит;правило;соглашение;принято;" +
		"запускай;пиши;пишем;используй;используйте;делай;делаем;проверяй;храни;храним;называй;называем;оформляй;оформляем;" +
		"before every;before each;after every;after each;every time;each time;before committing;before pushing;before you commit;before you push",
	cForbid: "never;don't;do not;must not;mustn't;should not;shouldn't;avoid;no longer;forbidden;not allowed;disallow;" +
		"refuse to;without;not be;under no circumstances;stop using;prohibited;" +
		"никогда;нельзя;запрещено;не надо;не нужно;не используй;не использовать;не используем;избегай;избегать;без;не должен;не должна;не должны;не должно;" +
		"niemals;nicht;jamais;nunca;keinesfalls;interdit;prohibido;não",
	cPrefer: "prefer;prefers;preferred;preferably;rather;rather than;instead of;instead;in favor of;in favour of;over;" +
		"better to;favor;lean towards;stick to;stick with;предпочитаю;предпочитаем;предпочтительно;лучше;вместо;" +
		"statt;anstatt;au lieu de;en vez de;en lugar de;em vez de;bevorzugen",
	cDecide: "decided;decide;decision;chose;choose;chosen;go with;going with;went with;settled on;opted;let's use;let's go;" +
		"let's do;we'll use;we will use;we use;we're using;uses;adopt;adopted;switch to;switched to;switching to;migrate to;" +
		"migrated to;migrate;moved to;replaced;replaces;replace;introduced;introduces;is the single;single source of truth;" +
		"by design;intentional;intentionally;deliberately;on purpose;trade off;tradeoff;trade-off;the approach;the design;strategy is;is built with;built on;based on;" +
		"решили;решено;решение;выбрали;выбираем;выбран;будем использовать;используем;используется;перешли;переходим;переход на;остановились на;намеренно;сознательно;давай использовать;давайте использовать;остаёмся на;" +
		"entschieden;verwenden;benutzen;wir nutzen;utilisons;nous avons décidé;usamos;decidimos;hemos decidido;" +
		"заменил;заменили;заменён;перевёл на;перевели на;отказались от;берём;взяли;внедрили;сделали выбор",
	cCause: "because;since;root cause;due to;caused by;causes;cause;caused;the reason;reason;as a result;therefore;thus;hence;" +
		"that's why;this is why;leads to;led to;results in;resulting in;which makes;so it;so the;triggered by;comes from;" +
		"потому что;поскольку;так как;из за;причина;причиной;вызвано;поэтому;приводит к;следовательно;корень проблемы;оказалось;" +
		"weil;wegen;ursache;parce que;à cause de;porque;debido a;por causa;" +
		"в том что;виноват;виновата;из за того;тормозит",
	cBug: "bug;bugs;fail;fails;failed;failing;failure;break;breaks;broke;broken;error;errors;crash;crashes;crashed;silently;corrupt;" +
		"corrupts;corrupted;wrong;incorrect;race;leak;leaks;deadlock;hang;hangs;issue;problem;missing;ignored;ignores;ignoring;" +
		"lost;loses;stale;conflict;overflow;orphaned;regression;invalid;doesn't work;does not work;didn't work;won't work;" +
		"never called;undefined;null;panics;exception;timeout;rejects;complains;overwrites;overwritten;flaky;unreliable;brittle;fallback;falls back;" +
		"баг;ошибка;ошибки;ошибку;ошибкой;падает;падал;упал;сломано;сломался;ломается;ломает;не работает;не работал;неверно;неправильно;теряется;теряются;утечка;гонка;зависает;проблема;отсутствует;конфликт;" +
		"fehler;schlägt fehl;kaputt;erreur;échoue;falla;fallan;erro;falha",
	cBehave: "is;are;store;stores;stored;read;reads;write;writes;return;returns;contains;contain;holds;lives;located;runs;run on;supports;" +
		"support;expects;expect;depends;depend;defaults;handles;exists;exist;provides;loads;calls;maps;creates;generates;" +
		"serves;listens;has;have;sets;keeps;tracks;records;writes to;consists;includes;include;represents;matches;picks;detects;resolves;" +
		"accepts;sends;receives;parses;converts;inherits;implements;wraps;exposes;persists;persisted;limits;belongs;means;works;determines;selects;points to;checks;validates;" +
		"хранится;хранятся;хранит;находится;находятся;лежит;лежат;читает;пишет;возвращает;содержит;состоит;поддерживает;ожидает;зависит;слушает;запускается;работает;является;называется;принимает;отправляет;создаёт;" +
		"ist;sind;liegt;liegen;speichert;gespeichert;sont;stocké;stockées;está;están;guarda;fica;ficam;" +
		"общаются;использует;используют;проверяет;вызывает;обрабатывает;создаёт;создает;отдаёт;отдает;сохраняет;загружает",
	cAlways: "always;every;each;all;any;whenever;everywhere;anything;everything;only;exactly;both;automatically;by default;default;" +
		"when;if;unless;until;per;always be;always use;regardless;" +
		"всегда;каждый;каждая;каждое;каждого;все;любой;любая;любое;когда;если;только;автоматически;по умолчанию;везде;" +
		"immer;jeder;jede;jedes;toujours;chaque;siempre;cada;sempre;" +
		"каждым;каждом;каждую;всех;всем;всегда;постоянно;перед каждым",
	cWe: "we;we're;we've;we'll;our;us;team;let's;мы;наш;наша;наше;наши;нам;у нас;команда;команде;" +
		"wir;unser;unsere;nous;notre;nosotros;nós",
	cPlan: "i'll;i will;let me;i'm going to;going to;now let;now i;next i;first i;first let;we can;could;we could;next step;" +
		"next steps;plan to;will now;todo;then i;let's start;let's see;i need to;i should;i'd;about to;later;eventually;follow up;in the future;" +
		"сейчас;сначала;теперь;затем;потом;давай;давайте;я сделаю;я добавлю;посмотрю;проверю;исправлю;запущу;начну",
	cDone: "added;add;fixed;fix;updated;update;created;create;removed;remove;renamed;rename;changed;change;implemented;" +
		"moved;modified;deleted;refactored;cleaned;improved;rewrote;wrote;verified;committed;pushed;merged;rebased;installed;tested;checked;" +
		"добавил;добавлен;добавлена;исправил;исправлен;исправлено;обновил;обновлён;создал;создан;удалил;удалён;изменил;переименовал;перенёс;реализовал",
	cStatus: "tests pass;tests passed;checks pass;all working;are passing;green;test passes;all tests;passing;passed;passes;lint clean;all clean;done;complete;completed;ready;" +
		"successfully;successful;succeeded;works now;working now;production ready;fully;no errors;no issues;build succeeds;compiles;up to date;finished;everything;" +
		"тесты проходят;тесты прошли;готово;успешно;завершено;выполнено;всё работает;собирается",
	cHedge: "might;maybe;probably;likely;perhaps;seems;seem;looks like;appears;possibly;i think;i guess;i believe;i suspect;" +
		"presumably;not sure;unclear;unsure;may be;may have;apparently;i assume;would be;could be;may;guess;not certain;" +
		"возможно;наверное;может быть;вероятно;кажется;похоже;думаю;не уверен;скорее всего;видимо",
	cOffer: "should i;want me to;would you like;do you want;shall i;i'd suggest;i suggest;i recommend;recommend;recommendation;" +
		"suggestion;suggest;option;options;alternatively;or we;we might;you could;you can;you might;let me know;consider;if you want;" +
		"хочешь;хотите;предлагаю;можно;вариант;варианты;рекомендую;дай знать;стоит ли",
	cAsk: "please;can you;could you;would you;can we;could we;will you;what about;how about;what's;how do;how can;why is;why does;" +
		"where is;what is;is there;are there;do we;does it;is it;пожалуйста;можешь;можете;почему;как;где;что такое;сможешь;зачем",
	cChat: "great;perfect;excellent;good;nice;thanks;thank you;sorry;you're right;absolutely;awesome;okay;sure;wow;" +
		"interesting;hmm;oh;ah;yes;yeah;yep;nope;hi;hello;got it;of course;great question;" +
		"отлично;хорошо;спасибо;извини;понял;ладно;привет;да;конечно;супер;здорово",
	cExample: "for example;for instance;e g;such as;like this;example;sample;imagine;suppose;say;например;допустим;пример",
	cNow: "now;currently;today;just;at the moment;still;yet;already;right now;previous;earlier;recently;again;last;tomorrow;yesterday;" +
		"this time;for now;temporarily;this session;this pr;this commit;these changes;this change;latest;" +
		"пока;уже;ещё;сегодня;только что;временно;снова;опять;завтра;вчера",
	cFound: "found;the problem;the issue;the cause;root cause;turns out;it turns;the reason;the bug;the real;the culprit;key finding;" +
		"discovered;i see;actually;it means;this means;the fix;the key;revealed;confirmed;" +
		"нашёл;нашел;проблема в;дело в;оказалось;оказывается;причина в;выяснилось;корень",
	cMeans: "so that;in order to;which means;this means;means that;otherwise;to avoid;to prevent;to keep;to make;to ensure;to allow;" +
		"prevents;allows;lets;enables;avoids;чтобы;иначе;это значит;позволяет;значит",
	cProject: "project;codebase;repo;repository;app;application;library;framework;package;module;service;server;client;api;database;" +
		"schema;endpoint;config;configuration;component;interface;class;function;method;type;types;file;files;directory;folder;field;" +
		"parameter;flag;hook;plugin;session;state;metadata;branch;parser;queue;cache;token;table;column;migration;route;worker;container;image;" +
		"проект;проекта;проекте;код;коде;модуль;модуля;сервис;сервиса;сервер;клиент;база;базе;базы;данных;таблица;таблице;файл;файлы;файле;папка;поле;метод;функция;класс;интерфейс;компонент;миграция;миграции;очередь;кэш",
	cTooling: "lint;linter;ci;build;builds;test;tests;testing;coverage;format;formatter;deploy;deploys;deployment;docker;npm;pnpm;yarn;" +
		"pip;uv;cargo;make;pytest;eslint;prettier;git;github;commit;commits;release;version;install;typescript;python;rust;node;" +
		"postgres;sqlite;redis;kubernetes;workflow;pipeline;pre commit;typecheck;" +
		"тест;тесты;тестов;сборка;сборки;линтер;коммит;коммиты;деплой;релиз;ветка;ветки;версия;зависимости",
	cLimit: "cannot;can't;won't;not supported;isn't supported;unsupported;unable;limit;limited;maximum;max;minimum;at most;at least;" +
		"deprecated;incompatible;only works;does not support;doesn't support;not available;doesn't have;does not have;no way;impossible;too;" +
		"не может;не могут;не поддерживает;не поддерживается;лимит;ограничение;максимум;минимум;не больше;не более;не менее;устарел",
	cDesign: "architecture;design;pattern;layer;separate;separable;separation;decouple;abstraction;stateless;stateful;async;" +
		"asynchronous;synchronous;centralized;central;registry;pluggable;modular;monolith;event driven;retry;retries;transaction;atomic;" +
		"idempotent;fallback;primitives;immutable;lifecycle;boundary;under the hood;single;one place;directive;principle;philosophy;goal;mvp;" +
		"архитектура;архитектуры;слой;слои;отдельно;отдельный;асинхронно;синхронно;единый;единая;единственный;транзакция;транзакции;идемпотентно;паттерн;принцип",
	cYou: "you;your;you're;you'll;you've;ты;тебе;твой;вы;вам;ваш",
	cMe:  "i;i'm;i've;my;me;я;мне;мой;меня",
	cTask: "add;fix;update;create;remove;rename;change;implement;move;modify;delete;refactor;write;run;check;look;show;read;" +
		"commit;push;merge;rebase;install;test;try;explain;review;continue;proceed;start;open;make;help;see;find;verify;go;do;give;tell;explore;analyze;determine;propose;search;identify;investigate;figure;describe;summarize;generate;spawn;" +
		"perform;return;report;focus;poll;ask;use your;list;compare;extract;parse;expand;search;wait;open;copy;replace;put;set;let's;" +
		"добавь;исправь;обнови;создай;удали;переименуй;измени;реализуй;перенеси;напиши;запусти;проверь;посмотри;покажи;прочитай;сделай;закоммить;найди;продолжай;объясни;почини",
	cContrast: "but;however;not;instead;although;though;while;whereas;even though;unlike;except;но;однако;хотя;кроме;не",
	cNames:    "called;named;known as;refers to;stands for;abbreviation;i e;называется;называем;означает;сокращение",
	cNeed:     "need to;needs to;need;needs;needed;нужно;надо;требуется;требует;нужен;нужна;нужны",
	cMoment: "is showing;is failing;are failing;is still;are still;failing too;we're in;uncommitted;untracked;working tree;current state;current branch;this branch;this pr;recent commits;the diff;stash;" +
		"rebase;rebased;cherry pick;merge conflict;ahead of;behind;todo list;screenshot;this file;the user;your request;as requested;эта ветка;этот pr",
	cWhere: "stored in;stored as;stored under;lives in;live in;located in;located at;kept in;saved in;saved to;persisted in;persisted as;configured in;" +
		"configured via;configured through;defined in;listens on;runs on;runs in;deployed to;deployed on;reads from;writes to;read from;written to;" +
		"written in;defaults to;default is;hosted on;points to;expires;expire;resolves to;maps to;is responsible for;backed by;served from;" +
		"хранится в;хранятся в;лежит в;лежат в;находится в;находятся в;слушает;запускается;настраивается;по умолчанию;отвечает за;написан на;" +
		"gespeichert in;liegt in;liegen in;stocké dans;stockées dans;se guarda en;está en;" +
		"читается из;берётся из;берется из;приоритет;задаётся в;задается в;описан в;описаны в;доступен по",
}

// signs hold the wordings in Chinese, Japanese and Korean, as substrings.
var signs = [cues]string{
	cMust:     "必须;务必;一定要;需要;应当;確保;确保;要求;强制;必ず;べき;必要;반드시;꼭;해야;필수;하도록;都要;一律;必需;只能",
	cShould:   "应该;應該;建议;规范;约定;规则;希望;想要;统一;方針;ルール;해 주세요;원칙;규칙;컨벤션;하자;합시다;统一;应;좋겠;하세요;합니다만",
	cForbid:   "不要;禁止;不能;不得;绝不;切勿;不允许;避免;不可;别用;しない;してはいけない;使わない;하지 마;하지마;금지;절대;안 됩니다;안 된다;안 돼;피해야;말아야;말고",
	cPrefer:   "优先;宁可;而不是;代替;替代;更好;最好;偏好;代わりに;대신;선호;보다;낫",
	cDecide:   "决定;选择;采用;改用;改为;换成;迁移到;就用;选用;沿用;保留;採用;決定;することにした;사용하기로;채택;결정;선택;쓰기로;하기로;바꾸기로;전환;도입;替换为;替换成;切换到;统一用;不再使用;교체;바꿨;도입했;채용;",
	cCause:    "因为;由于;原因;根因;导致;所以;因此;引起;造成;ため;原因;なので;때문;않아서;므로;니까;원인;이유;그래서;따라서;탓;引发;触发;没有在;탓에;바람에",
	cBug:      "错误;失败;崩溃;问题;缺陷;异常;报错;丢失;泄漏;死锁;冲突;无效;不生效;バグ;エラー;失敗;버그;오류;에러;실패;문제;충돌;누락;깨지;깨집;깨졌;죽는;누수;교착;잘못",
	cBehave:   "存储;保存;位于;返回;包含;支持;读取;写入;依赖;默认;运行;监听;存放;使用;是;です;にある;저장;위치;반환;포함;지원;의존;읽;실행;동작;있습니다;입니다;사용;이다;된다;됩니다",
	cAlways:   "始终;总是;所有;每个;每次;任何;只有;只能;自动;凡是;全部;如果;当;常に;すべて;毎;항상;모든;매번;언제나;자동;기본;경우;마다;每次;每个;之前都;전에;모두",
	cWe:       "我们;我們;咱们;团队;私たち;우리;저희;팀",
	cPlan:     "我来;让我;接下来;先看;首先;然后;我会;我将;现在我;下一步;稍后;以后再;次に;まず;이제;먼저;다음으로;하겠습니다;할게요;살펴보;확인해 보;나중에",
	cDone:     "已添加;已修复;已更新;已创建;已删除;已修改;已完成;添加了;修复了;更新了;创建了;删除了;修改了;しました;추가했;수정했;고쳤;만들었;삭제했;변경했;변경됨;로 변경;구현했;업데이트했",
	cStatus:   "测试通过;全部通过;完成了;已完成;成功;没有错误;就绪;搞定;完了;成功;통과;완료;성공;끝났;되었습니다",
	cHedge:    "可能;也许;大概;似乎;好像;应该是;或许;猜;かもしれ;たぶん;아마;것 같;듯;추측;수도 있",
	cOffer:    "要不要;是否需要;您要;方案;可以考虑;选项;告诉我;しますか;할까요;드릴까요;원하시면;옵션;방안;추천;제안",
	cAsk:      "请;帮我;能不能;可以吗;为什么;怎么;如何;什么;吗;ください;なぜ;どう;해줘;해주세요;해 줘;왜;어떻게;무엇;뭐;나요;까요;주세요",
	cChat:     "好的;谢谢;抱歉;太好了;明白;没问题;はい;ありがとう;네,;감사;죄송;알겠;좋아;좋습니다",
	cExample:  "例如;比如;举例;例えば;예를 들",
	cNow:      "现在;目前;当前;刚才;暂时;这次;今天;仍然;今;지금;현재;방금;아직;이번;오늘;일단;임시",
	cFound:    "发现;找到;问题在于;原来;根本原因;实际上;真正的;原因是;わかった;発見;발견;찾았;알고 보니;실제로;원인은;문제는;근본",
	cMeans:    "以便;否则;这意味着;防止;避免;以免;为了;保证;ように;さもないと;위해;않으면;방지;의미;도록",
	cProject:  "项目;代码;模块;服务;接口;数据库;配置;文件;目录;字段;函数;组件;表;缓存;队列;プロジェクト;コード;프로젝트;코드;모듈;서비스;데이터베이스;설정;파일;폴더;필드;함수;컴포넌트;테이블;캐시;큐;서버",
	cTooling:  "测试;构建;部署;提交;分支;版本;依赖;编译;テスト;ビルド;테스트;빌드;배포;커밋;브랜치;버전;의존성;린트",
	cLimit:    "无法;不支持;最多;最大;至少;上限;限制;超过;できない;最大;불가;없습니다;없다;최대;최소;이하;이상;제한;초과;못",
	cDesign:   "架构;设计;模式;分层;解耦;异步;同步;单一;统一;事务;幂等;原子;設計;아키텍처;설계;패턴;계층;분리;비동기;동기;단일;트랜잭션;멱등",
	cYou:      "你;您;당신",
	cMe:       "我;私;저는;제가;나는",
	cContrast: "但;但是;不过;然而;而;不是;しかし;하지만;그러나;아니라;지만",
	cTask:     "请添加;帮我;修复一下;看一下;运行;检查一下;추가해;고쳐;수정해;확인해;실행해;보여",
	cNeed:     "需要;필요",
	cMoment:   "这个分支;当前分支;이 브랜치;현재 브랜치",
	cWhere:    "存储在;存储于;位于;存放在;保存在;配置在;部署在;部署到;监听;默认;过期;负责;定义在;저장됩니다;저장되;에 위치;에 있습니다;에 있으며;에 저장;실행됩니다;배포됩니다;담당;기본값;に保存;に格納;にあります;读取;에서 읽;우선",
}

// lexicon finds cues in a sentence. It is built once a call.
type lexicon struct {
	by    map[string][]entry // by the first word
	signs map[rune][]sign    // by the first character
}

type entry struct {
	rest []string // the further words
	cue  cue
}

type sign struct {
	text string
	cue  cue
}

func newLexicon() *lexicon {
	l := &lexicon{by: make(map[string][]entry, 1600), signs: make(map[rune][]sign, 400)}
	for c, list := range phrases {
		for list != "" {
			phrase, more, _ := strings.Cut(list, ";")
			list = more
			w := strings.Split(strings.ReplaceAll(phrase, "-", " "), " ")
			l.by[w[0]] = append(l.by[w[0]], entry{w[1:], cue(c)})
		}
	}
	for c, list := range signs {
		for list != "" {
			text, more, _ := strings.Cut(list, ";")
			list = more
			if r, n := utf8.DecodeRuneInString(text); n > 0 {
				l.signs[r] = append(l.signs[r], sign{text, cue(c)})
			}
		}
	}
	return l
}

// set is a set of cues.
type set uint64

func (s set) has(c cue) bool { return s>>c&1 == 1 }

// find gives the cues of a sentence, and of its first words alone.
func (l *lexicon) find(text string, w []string, eastern bool) (all, first set) {
	for i, word := range w {
		for _, e := range l.by[word] {
			if i+1+len(e.rest) > len(w) || !follows(w[i+1:i+1+len(e.rest)], e.rest) {
				continue
			}
			all |= 1 << e.cue
			if i == 0 || i == 1 && filler(w[0]) {
				first |= 1 << e.cue
			}
		}
	}
	if eastern {
		for i, r := range text {
			if !cjk(r) {
				continue
			}
			for _, s := range l.signs[r] {
				if strings.HasPrefix(text[i:], s.text) {
					all |= 1 << s.cue
					if i == 0 {
						first |= 1 << s.cue
					}
				}
			}
		}
	}
	return all, first
}

func follows(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// filler says that a word before the first real one says nothing.
func filler(w string) bool {
	switch w {
	case "and", "so", "ok", "okay", "also", "then", "but", "now", "oh", "ah", "yes", "no", "well", "и", "а", "ну", "так":
		return true
	}
	return false
}
