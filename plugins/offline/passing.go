package main

import "strings"

// passing says that a sentence is of the moment: it tells what was done, seen or
// meant just now, and means nothing to a later reader.
func passing(s string, w []string, all set, user bool) bool {
	text := " " + strings.Join(w, " ") + " "
	for _, x := range [...]string{" this pr ", " this branch ", " uncommitted ", " untracked ", " this commit ", " this session ", " this conversation ", " this message ", " in this pr ", " working tree ",
		" might want ", " looks like we ", " maybe we ", " look good ", " looks good ", " is being ", " are being super ", " we've just ", " i've just ", " i just ", " we just ", " but finding ", " is expecting ",
		" should pass ", " should now ", " should be fixed ", " should just work ", " should handle ", " should work ", " next run ", " next ci run ", " user reported ", " user wants ", " user asked ", " user said ", " your request ", " as requested ",
		" would have to ", " we'd need to ", " we'd have to ", " to see here ", " are documented ", " have a look ", " take a look ", " acceptance criteria ", " so that i can ", " user story ", " pull request number ", " this idea ", " good luck ", " let me ", " let us know ",
		" tests are ", " test is ", " for your testing ", " lorem ipsum ", " see below ", " shown above ", " mentioned above ", " as discussed ", " wait for ", " right now ", " the agent created ", " the agent added ",
		" эта ветка ", " в этой ветке ", " в этом pr ", " как ты просил ", " как вы просили ", " эту задачу "} {
		if strings.Contains(text, x) {
			return x != " tests are " && x != " test is " && x != " is being " || all.has(cBug) || all.has(cStatus) || x == " is being "
		}
	}
	for _, x := range [...]string{"这个分支", "当前分支", "这次提交", "本次提交", "本次修改", "이 브랜치", "이번 커밋", "이 PR"} {
		if strings.Contains(s, x) {
			return true
		}
	}
	return guesses(w) || presents(w) || boasts(w, s) || counts(w) || story(w) || latin(w) || vague(w, all) || !user && (logs(s, w, all) || plans(w, all))
}

// guesses says that a sentence concludes what has happened: "must have failed".
func guesses(w []string) bool {
	for i := 0; i+2 < len(w); i++ {
		if w[i] == "must" && w[i+1] == "have" && past(w[i+2]) {
			return true
		}
	}
	return false
}

// presents says that a sentence only shows or opens something.
func presents(w []string) bool {
	switch w[0] {
	case "let's", "lets":
		return about(w, "something", "it", "that", "this", "them", "those", "now", "start", "continue", "see", "try", "first")
	case "the":
		switch w[1] {
		case "fix", "fixes", "solution", "changes", "refactoring", "update", "updates":
			return len(w) < 3 || w[2] != "is" && w[2] != "was"
		case "current":
			return len(w) > 2 && (w[2] == "state" || w[2] == "status")
		case "implementation":
			return about(w, "follows", "maintains", "complete", "consistency", "ready", "correctly", "now")
		case "warning", "diff", "output", "message", "screenshot", "merge", "build", "push", "file":
			return true
		}
	case "most", "some", "all", "both", "each", "none":
		return len(w) > 2 && w[1] == "of" && pronoun(w[2])
	case "your":
		return about(w, "ready", "installable", "working", "request", "question", "changes")
	case "here's", "here", "below", "testing", "attached", "propose", "verify", "determine", "confirm", "check", "imagine", "suppose":
		return true
	case "if":
		switch w[1] {
		case "this", "it", "that", "these", "you", "you'd", "you're", "so", "not":
			return true
		}
	case "as":
		return w[1] == "you" || w[1] == "requested" || w[1] == "mentioned" || w[1] == "discussed"
	case "looks", "look", "seems":
		return true
	case "user", "users":
		return w[0] == "user" && (w[1] == "reported" || w[1] == "wants" || w[1] == "asked")
	case "current", "push", "commit", "merge":
		return w[1] == "state" || w[1] == "status" || w[1] == "failed" || w[1] == "succeeded"
	case "pr", "issue", "ticket":
		return w[1][0] >= '0' && w[1][0] <= '9'
	}
	return false
}

// boasts says that a label only praises what was made.
func boasts(w []string, s string) bool {
	if !strings.Contains(s, ": ") && !strings.Contains(s, " - ") && !strings.Contains(s, " — ") {
		return false
	}
	switch w[0] {
	case "better", "cleaner", "improved", "enhanced", "easier", "simpler", "faster", "robust", "robustness", "maintainability", "maintainable", "scalability", "readability", "reliability", "extremely", "consistent", "consistency",
		"flexible", "flexibility", "extensible", "backward", "backwards", "compatibility", "efficiency", "efficient", "simplicity", "seamless", "modern", "production", "clean", "solid":
		return true
	case "future", "type":
		return w[1] == "proof" || w[1] == "safe" || w[1] == "proofing" || w[1] == "safety" || w[1] == "simplification"
	}
	return false
}

// counts says that a sentence reports how many tests, errors or files there are:
// figures that go stale.
func counts(w []string) bool {
	for i, x := range w[:len(w)-1] {
		if x[0] < '0' || x[0] > '9' {
			continue
		}
		for _, y := range w[i+1 : min(len(w), i+3)] {
			switch y {
			case "tests", "test", "errors", "warnings", "failures", "failing", "passed", "passing", "issues", "commits", "insertions", "deletions", "comments", "threads", "occurrences", "assertions", "specs", "suites",
				"тестов", "теста", "ошибок", "ошибки":
				return true
			}
		}
	}
	return false
}

// story says that a sentence is the boilerplate of a user story.
func story(w []string) bool {
	if w[0] == "as" && len(w) > 5 && (w[1] == "a" || w[1] == "an") {
		for i, x := range w[2:min(len(w)-1, 10)] {
			if x == "i" && (w[i+3] == "want" || w[i+3] == "need" || w[i+3] == "can" || w[i+3] == "would") {
				return true
			}
		}
	}
	if w[0] == "given" && len(w) > 5 {
		when, then := false, false
		for _, x := range w {
			when = when || x == "when"
			then = then || when && x == "then"
		}
		return then
	}
	return false
}

// latin says that a text is the filler that printers use.
func latin(w []string) bool {
	n := 0
	for _, x := range w {
		switch x {
		case "lorem", "ipsum", "dolor", "dolore", "dolores", "amet", "consectetur", "adipiscing", "elit", "eiusmod", "tempor", "incididunt", "labore", "magna", "aliqua", "enim", "veniam", "quis", "nostrud", "ullamco",
			"laboris", "nisi", "aliquip", "commodo", "aute", "irure", "voluptate", "velit", "esse", "cillum", "fugiat", "nulla", "pariatur", "excepteur", "occaecat", "cupidatat", "proident", "culpa", "officia", "deserunt",
			"mollit", "nemo", "perspiciatis", "unde", "omnis", "iste", "natus", "accusantium", "doloremque", "laudantium", "totam", "aperiam", "eaque", "inventore", "veritatis", "beatae", "explicabo", "voluptas", "voluptatem", "aspernatur", "quia", "consequuntur", "magni", "nesciunt":
			n++
		}
	}
	return n >= 3
}

// vague says that a sentence only says where something is wrong, not what.
func vague(w []string, all set) bool {
	if len(w) > 12 || all.has(cCause) || len(w) < 5 {
		return false
	}
	if (w[0] == "the" || w[0] == "there's") && (w[1] == "issue" || w[1] == "problem" || w[1] == "bug" || w[1] == "error") {
		return w[3] == "in" || w[3] == "with" || w[3] == "for" || w[3] == "on" || w[3] == "at" || w[3] == "here"
	}
	return false
}

// logs says that an assistant lists what it did in this session, and the line
// holds nothing that lasts: no reason, limit, rule or name that does something.
func logs(s string, w []string, all set) bool {
	verb := w[0]
	if verb == "fixed" && strings.Contains(s, "`") {
		return about(w, "tests", "test") && !all.has(cCause)
	}
	if _, rest, ok := strings.Cut(s, ": "); ok && !made(verb) {
		if first, _, ok := strings.Cut(rest, " "); ok {
			verb = lower(strings.Trim(first, "*_`,."))
		}
	}
	if !made(verb) {
		return false
	}
	const reasons = set(1<<cCause | 1<<cMeans | 1<<cPrefer | 1<<cLimit | 1<<cMust | 1<<cForbid | 1<<cDecide | 1<<cWhere)
	if verb == "replaced" {
		return strings.Count(s, "`") >= 4 || strings.ContainsAny(w[min(1, len(w)-1)], "0123456789")
	}
	if strings.Contains(s, "→") || all&reasons != 0 {
		return about(w, "tests", "test", "docs", "readme") && !all.has(cCause)
	}
	for i, x := range w {
		switch x {
		case "that", "which", "so":
			return i == 0 || about(w, "tests", "test", "readme")
		case "from":
			if i > 0 && about(w, "to") {
				return false
			}
		}
	}
	return true
}

// plans says that an assistant names an edit to come.
func plans(w []string, all set) bool {
	switch w[0] {
	case "we":
		if len(w) > 4 && w[1] == "need" && w[2] == "to" {
			return editing(w[3])
		}
		return false
	case "if":
		return w[1] == "we"
	case "update", "add", "create", "modify", "remove", "expand", "implement", "delete", "refactor", "click", "open", "extend", "investigate", "review", "reproduce", "search", "spawn", "look":
		return !all.has(cCause) && !all.has(cMust)
	}
	return false
}

// editing says that a verb names work on the code at hand.
func editing(w string) bool {
	switch w {
	case "fix", "check", "update", "rebase", "merge", "look", "add", "create", "verify", "investigate", "test", "run", "see", "find", "change", "remove", "handle", "do", "make", "figure", "understand", "modify":
		return true
	}
	return false
}

// made says that a verb in front tells of an edit.
func made(w string) bool {
	switch w {
	case "updated", "created", "added", "changed", "wrote", "improved", "cleaned", "refactored", "renamed", "implemented", "modified", "moved", "removed", "deleted", "committed", "pushed", "merged", "rebased", "verified",
		"tested", "ran", "installed", "generated", "bumped", "adjusted", "tweaked", "enhanced", "made", "reverted", "restored", "documented", "simplified", "extracted", "formatted", "replied", "replaced", "resolved", "completed",
		"добавил", "обновил", "создал", "удалил", "изменил", "переименовал", "закоммитил", "проверил":
		return true
	}
	return false
}

func about(w []string, names ...string) bool {
	for _, x := range w {
		for _, n := range names {
			if x == n {
				return true
			}
		}
	}
	return false
}
