// Package tokens says how many tokens a text costs, for budgets.
//
// The tokenizers of the models that read our text are not public, so Count is
// an estimate that leans to the high side: it counts with the public o200k_base
// vocabulary and multiplies by [Margin]. The same text always costs the same,
// on every machine and offline.
package tokens

import (
	"sync"
	"unicode"

	"github.com/tiktoken-go/tokenizer/codec"
)

// Margin is the ratio of Claude's tokens to those of o200k_base that Count
// assumes, in hundredths. Published comparisons against Anthropic's
// count_tokens endpoint give 115 to 118 for the models up to Claude 4.6 and
// about 150 to 153 from Opus 4.7 on:
//
//   - https://github.com/sammcj/ingest/pull/65 (118 and 153)
//   - https://github.com/Significant-Gravitas/AutoGPT/pull/13629 (117.5 x 1.3)
//   - https://github.com/caozhiyuan/copilot-api/pull/141 (115 is too little)
//
// A budget is a promise not to take more, so the newer ratio counts. For GPT
// models the figure is half as much again as the true one.
const Margin = 150

// maxRun is the longest run of bytes without a change between space and
// non-space that is given to the tokenizer in one piece. Its cost is quadratic
// in such runs; cutting them adds at most a token a cut.
const maxRun = 128

// The vocabulary takes about 10 ms and 7 MB, so only those who count pay.
var vocabulary = sync.OnceValue(codec.NewO200kBase)

// Count returns how many tokens text costs at most, as far as is known: 0 for
// the empty text, else at least 1. It is safe for concurrent use and takes time
// linear in the length of the text, whatever is in it.
func Count(text string) int {
	if text == "" {
		return 0
	}
	c := vocabulary()
	n, start, run := 0, 0, 0
	space := false
	for i, r := range text {
		if s := unicode.IsSpace(r); s != space {
			space, run = s, 0
		}
		if run >= maxRun {
			n += count(c, text[start:i])
			start, run = i, 0
		}
		run++
	}
	n += count(c, text[start:])
	return (n*Margin + 99) / 100
}

// count counts one piece. The tokenizer's splitting expression has no timeout
// and matches every text, so an error can't occur; a byte a token is the most
// that a byte-level vocabulary can give.
func count(c *codec.Codec, piece string) int {
	n, err := c.Count(piece)
	if err != nil {
		return len(piece)
	}
	return n
}
