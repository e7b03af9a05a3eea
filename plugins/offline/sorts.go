package main

import "strings"

// sorts are what speaks for each sort, in tenths; a fact is what nothing else
// speaks for.
var sorts = [...]struct {
	feature feature
	weight  [4]int // fact, decision, convention, bug
}{
	{feature(cBehave), [4]int{3, 0, 0, 0}},
	{feature(cProject), [4]int{1, 0, 0, 0}},
	{feature(cNames), [4]int{5, 0, 0, 0}},
	{feature(cWhere), [4]int{6, 0, 0, 0}},
	{feature(cLimit), [4]int{3, 0, 0, 2}},
	{feature(cDecide), [4]int{0, 4, 0, 0}},
	{feature(cDesign), [4]int{0, 5, 0, 0}},
	{feature(cPrefer), [4]int{0, 5, 2, 0}},
	{feature(cDone), [4]int{0, 3, 0, 0}},
	{feature(cMeans), [4]int{0, 2, 0, 0}},
	{feature(cMust), [4]int{0, 0, 7, 0}},
	{feature(cShould), [4]int{0, 0, 3, 0}},
	{feature(cForbid), [4]int{0, 0, 1, 0}},
	{feature(cTooling), [4]int{0, 0, 2, 0}},
	{feature(cBug), [4]int{0, 0, 0, 6}},
	{feature(cCause), [4]int{0, 1, 0, 3}},
	{feature(cFound), [4]int{0, 0, 0, 4}},
	{front(cForbid), [4]int{0, 0, 6, 0}},
	{fUser, [4]int{0, 0, 2, 0}},
	{user(cWe), [4]int{-2, 4, 1, 0}},
	{user(cMe), [4]int{-2, 3, 0, 0}},
	{user(cShould), [4]int{-2, 3, 3, 0}},
	{user(cPrefer), [4]int{0, 5, 2, 0}},
	{user(cTask), [4]int{0, 1, 3, 0}},
	{user(cForbid), [4]int{0, 0, 5, 0}},
	{user(cAlways), [4]int{0, 0, 5, 0}},
	{front(cDone), [4]int{0, 3, 0, 0}},
	{user(cBug), [4]int{0, 0, 0, -2}},
	{fRule, [4]int{0, 0, 20, 0}},
	{fPlain, [4]int{4, 0, 0, 0}},
	{fHeadSummary, [4]int{0, 2, 0, 0}},
	{fLabelRule, [4]int{0, 3, 0, 0}},
	{fLabelCause, [4]int{0, 0, 0, 10}},
	{fHeadCause, [4]int{0, 0, 0, 5}},
}

// factBias is what speaks for a fact from the start.
const factBias = 6

// hint is a wording that speaks for one sort.
type hint struct {
	sort   sort
	weight int
	words  string // separated by semicolons
}

// hints hold wordings between spaces, as words gives them.
var hints = [...]hint{
	{bug, 12, "root cause;the issue was;the issue is;the problem was;the problem is;the problem with;the bug;bug was;bug is;known bug;known issue;because of a bug;the culprit;the failure;" +
		"fails because;failed because;failing because;breaks because;broke because;broken because;crashes because;was caused by;is caused by;were caused by;were failing;was failing;" +
		"corrupts;corrupted;orphaned;orphans;silently;data loss;race condition;deadlock;deadlocks;memory leak;leaks;regression;gets lost;is lost;are lost;get lost;was lost;were lost;" +
		"the real issue;real issue;original issue;the original;symptom;breaks when;fails when;crashes when;hangs when;fails if;breaks if;turned out;double counted;off by one;n 1;" +
		"причина в;причина;виноват;оказалось;ошибка была;проблема была;проблема в;теряется;теряются;из за того"},
	{bug, 9, "won't;will not;fails;fail;failing;crash;crashes;broke;breaks;brittle;flaky;stale;hang;hangs;wrong;incorrect;ignoring;ignores;ignored;was trying;were trying;was using;were using;was calling;was being;were being;" +
		"was missing;were missing;was not;were not;wasn't;weren't;didn't;did not;fell back;falls back;only fixes;doesn't like;kept showing;was formatting;was never;were never;never called;overwrites;overwritten;rejects;падает;падал;зависает;ломается;не учитывает;" +
		"otherwise;mismatch;conflicted;conflicting;duplicated;double;twice;unbounded;overflow;invalid"},
	{bug, 5, "doesn't;does not;don't map;do not map;isn't;aren't;cannot;can't;undefined;null;error;errors;exception;problem;missing;bug;complains;already tried;не работает"},
	{convention, 9, "must;must not;must never;must always;mustn't;always;never;convention;conventions;naming;style guide;guideline;guidelines;best practice;philosophy;tests first;test first;tdd;directive;" +
		"commit messages;commit message;pull requests;code review;before committing;before merging;before pushing;every commit;before every;before each;after every;after each;each commit;every push;all push;each push;pull request;" +
		"in english;in german;in russian;in chinese;in korean;indent;indentation;lowercase;uppercase;camelcase;snake case;kebab case;prefixed with;suffixed with;is forbidden;are forbidden;not allowed;is required;" +
		"обязательно;всегда;никогда;нельзя;должны;должен;должна;должно;правило;на английском;коммит;коммитом"},
	{convention, 5, "only;every;each;any;all;prefer;prefers;avoid;don't;do not;make sure;ensure;lint;linter;strict;formatting;style;manually;by hand;follow;follows;require;requires;use the;assumptions"},
	{decision, 12, "decided;chose;chosen;settled on;opted;went with;go with;going with;let's use;let's go;let's do;let's make;let's keep;let's switch;let's migrate;we'll use;we will use;we want;we wanted;don't want;is used instead;i'd rather;i'd prefer;i want;i would rather;" +
		"decided;chose;chosen;opted;settled on;we'll use;let's use;instead of;rather than;in favor of;in favour of;switched to;switched from;switch to;migrated to;migrated from;migrate to;moved to;moved from;replaced;replaces;replace;by design;intentional;intentionally;deliberately;single source;source of truth;" +
		"built with;built on;under the hood;separable;trade off;tradeoff;mvp;is intentional;same agent;container first;api first;event driven;thin layer;" +
		"решили;решено;выбрали;перешли;переходим;вместо;заменил;заменили;отказались от;остановились на;давайте использовать;будем использовать;намеренно"},
	{decision, 9, "decided;chose;chosen;opted;settled on;we'll use;let's use;instead of;rather than;in favor of;in favour of;replaced;switched to;switched from;migrated;вместо;заменили;перешли"},
	{decision, 8, "added;introduced;configured;enabled;changed to;now directly;now calls;now returns;now use;are now;is now;"},
	{decision, 6, "architecture;design;pattern;layer;approach;strategy;separate;separation;responsible;responsibility;delegates;delegate;abstraction;wrapper;lives on;centralized;central;registry;decoupled;agnostic;fallback strategy;picks the;now uses;now lives;now stores;now hides;now opens;" +
		"we need;we should;i'd love;let's;framework;simpler;adopt;directly uses;condensation behavior;it changes;changes the;directly from;stays;keeps its"},
	{fact, 7, "version;versions;port;listens;listen;located;stored in;stored as;lives in;lives under;reads from;read from;runs on;runs in;run in;owns;owned by;belongs to;expires;expire;default is;defaults to;limit;limits;" +
		"has no;have no;consists;is a;are a;exists because;has become;became;supports;requires;only has;doesn't have a;doesn't have this;does not have a"},
	{fact, 4, "is;are;has;have;reads;writes;uses;needs;provides;expects;takes;these fields;field;fields;json;returns;contains;there are;there is;there's;exists;exist"},
}

// hintSigns are those in Chinese and Korean, looked up in the text.
var hintSigns = [...]hint{
	{bug, 12, "根本原因;根因;原因是;导致;引起;崩溃;泄漏;死锁;报错;失败是;원인;누수;때문에 실패;깨;오류가;버그"},
	{convention, 9, "必须;务必;禁止;不要;始终;总是;永远;统一;规范;命名;约定;每次提交;不得;一律;반드시;항상;절대;금지;하지 마;하지마;규칙;컨벤션;해야;커밋"},
	{decision, 12, "决定;选择;采用;改用;改为;换成;替换;迁移到;而不是;选用;대신;결정;선택;사용하기로;바꾸기로;교체;전환;도입;채택;쓰기로;하기로"},
	{decision, 9, "改为;改用;换成;而不是;代替;替换;대신;전환;교체;바꾸기로;바꿨"},
	{decision, 9, "决定;선택;하기로;로 하자;으로 하자;로 가자"},
	{fact, 8, "存储;位于;默认;监听;端口;版本;过期;저장;위치;기본;포트;버전;에 있"},
}

// sortOf says what sort of knowledge a candidate is.
func sortOf(x *candidate) sort {
	v := [4]int{fact: factBias}
	for i := range sorts {
		if x.facts.has(sorts[i].feature) {
			for s, w := range sorts[i].weight {
				v[s] += w
			}
		}
	}
	hinted(&v, x)
	if x.facts.has(fAsked) && x.cues.has(cTooling) {
		v[convention] += 10 // how the work is done
	}
	switch at := mended(x.text); {
	case at == 0 && !x.user:
		return bug
	case at >= 0:
		v[bug] += 22
	}
	if x.cues.has(cContrast) && crossed(x.text) {
		v[bug] += 10
	}
	best := fact
	for s := decision; s <= bug; s++ {
		if v[s] > v[best] && (s != convention || x.general()) {
			best = s
		}
	}
	return best
}

// hinted adds what the wordings of a candidate speak for: the strongest of each
// list counts whole, every further one a third.
func hinted(v *[4]int, x *candidate) {
	text := " " + strings.Join(words(strings.ReplaceAll(x.text, "-", " ")), " ") + " "
	for i := range hints {
		h := &hints[i]
		found := 0
		for list := h.words; list != ""; {
			phrase, more, _ := strings.Cut(list, ";")
			list = more
			if at := strings.Index(text, phrase); at > 0 && text[at-1] == ' ' && text[at+len(phrase)] == ' ' {
				found++
			}
		}
		if found > 0 {
			v[h.sort] += h.weight + h.weight*min(found-1, 3)/3
		}
	}
	if countCJK(x.text) == 0 {
		return
	}
	for i := range hintSigns {
		h := &hintSigns[i]
		for list := h.words; list != ""; {
			phrase, more, _ := strings.Cut(list, ";")
			list = more
			if strings.Contains(x.text, phrase) {
				v[h.sort] += h.weight
				break
			}
		}
	}
}

// general says that a sentence tells how things are to be done: what may stand
// among the conventions, which are shown first. What was pasted tells how other
// people's things are.
func (x *candidate) general() bool {
	c := x.cues
	return !x.facts.has(fPaste) &&
		(x.facts.has(fAsked) || x.facts.has(fRule) || c.has(cMust) || c.has(cForbid) || c.has(cPrefer) || c.has(cShould) || c.has(cNeed) || x.user && c.has(cAlways) || c.has(cTooling))
}

// mended is where a sentence names what was fixed, counted in words after the
// file in front, or -1.
func mended(s string) int {
	w := words(pathless(s))
	for i, x := range w[:min(len(w), 6)] {
		switch x {
		case "fixed", "fixes", "исправил", "исправлен", "исправлена", "исправлено":
			return i
		case "fix", "fixing":
			if i == 0 {
				return i
			}
		}
	}
	if strings.Contains(s, "Fixed by ") || strings.Contains(s, "fixed by ") {
		return 1
	}
	if strings.HasPrefix(s, "修复") || strings.HasPrefix(s, "已修复") {
		return 0
	}
	if strings.Contains(s, "수정했") {
		return 1
	}
	return -1
}

// crossed says that one side of a sentence expects what the other doesn't give.
func crossed(s string) bool {
	l := lower(s)
	expects := strings.Contains(l, "expect") || strings.Contains(l, "assume") || strings.Contains(l, "trying to") || strings.Contains(l, "ожида") || strings.Contains(l, "supposed to")
	return expects && (strings.Contains(l, " but ") || strings.Contains(l, " while ") || strings.Contains(l, " whereas ") || strings.Contains(l, " но "))
}
