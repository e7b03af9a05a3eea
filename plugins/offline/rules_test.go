package main

import (
	"testing"

	"recollect/hostapi/guest"
)

// A user's rules are kept as conventions, however short; orders for now and
// complaints are not kept at all.
func TestUserRules(t *testing.T) {
	for _, s := range []string{
		"Every dock checks the pallet id.", "Use early exits.", "Prefer ripgrep over grep.", "We release on Fridays only.", "Methods must stay below 30 lines.", "Don't mock the scanner.",
		"Squash fixups before merging.", "Error messages in English only.", "Keep the glossary up to date.", "Please always run the formatter before you push.", "We never rewrite main.",
		"I prefer small pull requests.", "The linter should run on every save.", "You should never edit generated files.", "No comments that repeat the code.", "Only maintainers may tag releases.",
		"Never log tokens.", "Wrap errors once.", "Dates are always written in UTC.",
		"Не меняй миграции руками.", "Комментарии пиши на английском.", "所有接口都要写测试。", "以后提交前先跑 lint。", "주석은 한국어로 작성해 주세요.", "배포 전에 항상 백업을 만들어 주세요.",
	} {
		items := found(t, []guest.Turn{{ID: "t", Session: "s", Messages: []guest.Message{{ID: "m", Role: guest.RoleUser, Text: s}}}})
		if len(items) != 1 || items[0].Section != "conventions" {
			t.Errorf("%q gives %+v", s, items)
		}
	}
	for _, s := range []string{
		"I want you to fix the scanner.", "run the suite and show me the output", "it hangs when I scan twice", "add a test for the rack parser", "please rename it to parseRack", "looks good, merge it",
		"use the same font as the title", "move this into its own file", "never mind, found it", "always returns nil for me", "the suite is still failing", "there must be a mistake", "you must have missed one",
		"no need for that", "no errors so far", "keep only the first one", "Don't worry about the linter.", "i always forget the flags",
	} {
		if items := found(t, []guest.Turn{{ID: "t", Session: "s", Messages: []guest.Message{{ID: "m", Role: guest.RoleUser, Text: s}}}}); len(items) > 0 {
			t.Errorf("%q gives %+v", s, items)
		}
	}
}

// What a user asks to have remembered is kept with the highest confidence.
func TestRememberIsSurest(t *testing.T) {
	for _, s := range []string{
		"Remember: port 8125", "remember to use just", "Remember that staging is in Oslo.", "note: fridays are frozen", "Note that the vault is sealed at night.", "rule: no globals", "from now on use tabs", "From now on, short titles",
		"also remember the port 8125", "ok, from now on we squash", "Going forward, tag releases.", "# deploys need a ticket",
		"запомни: порт 8125", "Запомни, релизы по пятницам.", "правило: без глобальных переменных", "отныне только табы",
		"记住：端口是 8125", "记住用 just", "从现在起只用空格", "规则：不写全局变量",
		"기억해: 포트는 8125", "기억해 줘, 배포는 금요일", "앞으로 탭만 사용", "스테이징은 오슬로에 있어, 기억해 줘.",
	} {
		items := found(t, []guest.Turn{{ID: "t", Session: "s", Messages: []guest.Message{{ID: "m", Role: guest.RoleUser, Text: s}}}})
		if len(items) != 1 || items[0].Confidence != maxConfidence {
			t.Errorf("%q gives %+v", s, items)
		}
	}
	for _, s := range []string{"Remember what we did yesterday?", "do you remember the port?", "I don't remember that", "note the time", "remember when it broke"} {
		if items := found(t, []guest.Turn{{ID: "t", Session: "s", Messages: []guest.Message{{ID: "m", Role: guest.RoleUser, Text: s}}}}); len(items) > 0 {
			t.Errorf("%q gives %+v", s, items)
		}
	}
}

// What a person says of a branch is kept with it; "on this branch" says nothing
// in a memory that is the branch's.
func TestWhatHoldsOnThisBranch(t *testing.T) {
	for s, want := range map[string]string{
		"On this branch the staging port is 8443.":           "The staging port is 8443.",
		"on this branch, the depot service owns the labels.": "The depot service owns the labels.",
	} {
		items := found(t, conversation("U: "+s+"\nA: Noted, thank you.\n"))
		if len(items) != 1 || items[0].Content != want {
			t.Errorf("%q gives %+v", s, items)
		}
	}
}
