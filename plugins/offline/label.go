package main

import "strings"

// labelled is what a label or a heading announces.
type labelled uint8

const (
	noLabel labelled = iota
	causeLabel
	ruleLabel
	planLabel
	reviewLabel
	plainLabel // says nothing: "Note", "Purpose"
)

// label splits "Label: text" where the label is a few words.
func label(s string) (string, string) {
	i := strings.IndexByte(s, ':')
	n := 1
	if j := strings.Index(s, "："); j >= 0 && (i < 0 || j < i) {
		i, n = j, len("：")
	}
	if i <= 0 || i > 60 || i+n >= len(s) || n == 1 && s[i+1] != ' ' || strings.Count(s[:i], " ") > 4 {
		return "", s
	}
	rest := strings.TrimSpace(s[i+n:])
	if rest == "" {
		return "", s
	}
	return lower(strings.Trim(s[:i], " *_`")), rest
}

// labelKind says what a label announces; such a label is not part of what is
// remembered.
func labelKind(l string) labelled {
	if l == "" {
		return noLabel
	}
	l = strings.TrimRight(l, " 0123456789#")
	for _, start := range [...]string{"and ", "so ", "also ", "but ", "и ", "а "} {
		l = strings.TrimPrefix(l, start)
	}
	for _, end := range [...]string{" identified", " found", " fixed", " confirmed", " here", " now", " discovered"} {
		l = strings.TrimSuffix(l, end)
	}
	switch l {
	case "root cause", "cause", "problem", "the problem", "issue", "the issue", "bug", "the bug", "why", "reason", "why this happened",
		"problem found", "root cause found", "key finding", "finding", "key insight", "why it fails", "what happened", "symptom", "here's the issue", "here's the problem", "the root cause", "real issue", "the real issue", "gotcha", "caveat", "actual issue",
		"причина", "проблема", "原因", "根因", "根本原因", "问题", "원인", "문제", "근본 원인":
		return causeLabel
	case "rule", "decision", "convention", "important", "key point", "key decision", "fix", "the fix", "solution", "the solution", "key", "the key", "resolution",
		"constraint", "design", "architecture", "approach", "conclusion", "bottom line", "remember", "requirement", "policy", "lesson",
		"решение", "важно", "правило", "вывод", "决定", "规则", "约定", "重要", "结论", "解决方案", "결정", "규칙", "중요", "결론", "해결":
		return ruleLabel
	case "todo", "next", "next step", "next steps", "plan", "step", "recommendation", "suggestion", "suggested fix", "proposal", "option",
		"likelihood", "verdict", "status", "result", "expected", "output", "example", "usage", "e.g", "예", "예시", "例", "例如", "示例", "например", "пример", "before", "after", "question",
		"план", "шаг", "статус", "下一步", "计划", "다음", "계획":
		return planLabel
	case "note", "purpose", "summary", "recap", "in summary", "to sum up", "key takeaway", "takeaway", "in other words", "reminder", "tl;dr", "in short", "basically", "also", "yes", "no", "ok", "done", "fyi", "answer", "short answer",
		"what it does", "how it works", "edit", "update", "note that", "context", "background", "запомни", "запомните",
		"учти", "обрати внимание", "note to self", "impact", "effect", "benefit", "для справки", "记住", "请记住", "注意", "请注意", "기억해", "기억해 주세요", "참고", "주의":
		return plainLabel
	}
	if n := countCJK(l); n > 0 && n < 12 && (strings.Contains(l, "原因") || strings.Contains(l, "원인")) {
		return causeLabel
	}
	return noLabel
}

// headingKind says what a heading and the line before a list announce.
func headingKind(h string) labelled {
	if h == " " {
		return noLabel
	}
	for _, x := range [...]struct {
		word string
		kind labelled
	}{
		{"plan", planLabel}, {"next step", planLabel}, {"option", planLabel}, {"todo", planLabel}, {"to do", planLabel},
		{"verif", planLabel}, {"test plan", planLabel}, {"recommend", planLabel}, {"suggest", planLabel}, {"would you", planLabel},
		{"commit", planLabel}, {"example", planLabel}, {"steps", planLabel}, {"question", planLabel}, {"usage", planLabel},
		{"try", planLabel}, {"alternativ", planLabel}, {"wdyt", planLabel}, {"status", planLabel}, {"下一步", planLabel}, {"计划", planLabel},
		{"план", planLabel}, {"다음 단계", planLabel}, {"계획", planLabel},
		{"review", reviewLabel}, {"issues to fix", reviewLabel}, {"feedback", reviewLabel}, {"comments", reviewLabel}, {"concerns", reviewLabel},
		{"cause", causeLabel}, {"problem", causeLabel}, {"issue", causeLabel}, {"why", causeLabel}, {"bug", causeLabel}, {"finding", causeLabel},
		{"what was wrong", causeLabel}, {"what happened", causeLabel}, {"found", causeLabel}, {"原因", causeLabel}, {"问题", causeLabel},
		{"причин", causeLabel}, {"проблем", causeLabel}, {"원인", causeLabel}, {"문제", causeLabel},
		{"summary", ruleLabel}, {"change", ruleLabel}, {"fixed", ruleLabel}, {"decision", ruleLabel}, {"architecture", ruleLabel},
		{"how it works", ruleLabel}, {"design", ruleLabel}, {"key", ruleLabel}, {"convention", ruleLabel}, {"rule", ruleLabel},
		{"solution", ruleLabel}, {"fix", ruleLabel}, {"overview", ruleLabel}, {"structure", ruleLabel}, {"what was", ruleLabel}, {"improve", ruleLabel},
		{"итог", ruleLabel}, {"измен", ruleLabel}, {"решен", ruleLabel}, {"总结", ruleLabel}, {"变更", ruleLabel}, {"决定", ruleLabel},
		{"요약", ruleLabel}, {"변경", ruleLabel}, {"결정", ruleLabel},
	} {
		if strings.Contains(h, x.word) {
			return x.kind
		}
	}
	return noLabel
}
