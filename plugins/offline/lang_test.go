package main

import (
	"os"
	"strings"
	"testing"

	"recollect/hostapi/guest"
)

// TestLanguages says of single sentences whether they are kept.
func TestLanguages(t *testing.T) {
	for _, x := range []struct {
		role string
		kept bool
		says []string
	}{
		{guest.RoleAssistant, true, []string{
			"根本原因是缓存没有在写入后失效，所以用户看到旧数据。",
			"配置文件放在 config/ 目录下，启动时读取 `app.yaml`。",
			"由于 SQLite 不支持并发写入，测试必须串行执行。",
			"`useAuth` 钩子会在 token 过期时自动刷新。",
			"Причина в том, что транзакция закрывается раньше, чем завершается запись в журнал.",
			"SQLite не поддерживает параллельную запись, поэтому тесты запускаются последовательно.",
			"Модуль `billing` отвечает за выставление счетов и не зависит от `orders`.",
			"Заменил winston на pino, потому что он быстрее.",
			"근본 원인은 캐시가 쓰기 후에 무효화되지 않아 사용자가 오래된 데이터를 보는 것입니다.",
			"설정은 `settings.toml`에서 읽고 환경 변수가 우선합니다.",
			"SQLite는 동시 쓰기를 지원하지 않으므로 테스트는 순차적으로 실행해야 합니다.",
			"로그 라이브러리를 winston에서 pino로 교체했습니다.",
		}},
		{guest.RoleAssistant, false, []string{
			"现在我来修改这个文件。", "所有测试都通过了。", "接下来我会检查日志。", "需要我继续优化吗？", "修复完成，问题已解决。",
			"Теперь я исправлю этот файл.", "Все тесты прошли успешно.", "Если хотите, могу продолжить.", "Готово, изменения закоммичены.",
			"이제 파일을 수정하겠습니다.", "모든 테스트가 통과했습니다.", "원하시면 계속 진행하겠습니다.", "어떤 방식을 원하시나요?",
			"Let me fix this file now.", "All tests pass and the build is green.", "Would you like me to go on?", "I'll check the logs next.",
		}},
		{guest.RoleUser, true, []string{
			"接口返回值统一用 Result 包装，不要直接返回实体。", "变量命名用驼峰，数据库字段用下划线。", "每次提交前都要跑 lint。",
			"Все комментарии в коде должны быть на английском.", "Давай без ORM, пишем чистый SQL.", "Перед каждым коммитом запускай линтер.",
			"주석은 모두 영어로 작성해야 해.", "ORM 쓰지 말고 순수 SQL로 가자.", "커밋 전에 항상 린트를 돌려.",
			"All comments must be in English.", "We don't use an ORM, only plain SQL.", "Run the linter before every commit.",
		}},
		{guest.RoleUser, false, []string{
			"帮我看看这个报错", "继续", "先别改代码，分析一下。", "Посмотри, почему не работает логин", "продолжай",
			"로그인 왜 안되는지 봐줘", "계속해", "please look at the login", "go on", "can you explain how the cache works?",
		}},
	} {
		for _, s := range x.says {
			items := found(t, []guest.Turn{{ID: "t", Session: "s", Messages: []guest.Message{{ID: "m", Role: x.role, Text: s}}}})
			if (len(items) > 0) != x.kept {
				t.Errorf("%s: %q gives %+v", x.role, s, items)
			}
		}
	}
}

// TestBadlyRead says which sentences are suggested for the language they are in.
func TestBadlyRead(t *testing.T) {
	for _, x := range []struct {
		role, says string
		guessed    bool
	}{
		{guest.RoleAssistant, "로그 라이브러리를 winston에서 pino로 교체했습니다.", true},
		{guest.RoleUser, "주석은 모두 영어로 작성해야 해.", false},
		{guest.RoleUser, "覚えておいて、価格は常に整数のセントで保存する。", false},
		{guest.RoleAssistant, "SQLite は同時書き込みに対応していないため、テストは順番に実行する必要があります。", true},
		{guest.RoleAssistant, "The root cause is that the label \"保存する\" was cached before the locale was set.", false},
		{guest.RoleAssistant, "由于 SQLite 不支持并发写入，测试必须串行执行。", false},
		{guest.RoleUser, "All comments must be in English.", false},
	} {
		items := found(t, []guest.Turn{{ID: "t", Session: "s", Messages: []guest.Message{{ID: "m", Role: x.role, Text: x.says}}}})
		if len(items) != 1 || items[0].Suggestion != x.guessed {
			t.Errorf("%q: want one item, a suggestion: %v; got %+v", x.says, x.guessed, items)
		}
	}
}

// TestLanguagesRead says of one sentence of each language that it is kept. The
// redactor holds its own list of languages against this one.
func TestLanguagesRead(t *testing.T) {
	data, err := os.ReadFile("testdata/languages.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		code, s, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if len(found(t, []guest.Turn{{ID: "t", Session: "s", Messages: []guest.Message{{ID: "m", Role: guest.RoleUser, Text: s}}}})) == 0 {
			t.Errorf("%s: %q gives nothing", code, s)
		}
	}
}
