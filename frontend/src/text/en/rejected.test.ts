import { expect, it } from 'vitest'
import type { BranchReport } from '../../bridge'
import { notLetIn } from './rejected'
import { status } from './status'

const of = (...reasons: string[]) => reasons.map((reason) => ({ extractor: 'x', reason }))

it('counts what was not let in by its reasons, the most frequent first', () => {
  expect(notLetIn(of('no content'))).toBe('1 finding was not let in: 1 no content')
  expect(notLetIn(of('b', 'a', 'b'))).toBe('3 findings were not let in: 2 b, 1 a')
  expect(notLetIn(of('d', 'c', 'b', 'a'))).toBe('4 findings were not let in: 1 a, 1 b, 1 c and other reasons')
})

it('tells a model whose every answer was rejected from one that found nothing', () => {
  const report: BranchReport = {
    branch: 'main',
    outcome: 'empty',
    new_turns: 2,
    items: 0,
    found: 0,
    redacted: 0,
    duration_ns: 1,
  }
  expect(status.outcome(report)).toBe('read, but nothing worth keeping was found')
  expect(status.outcome({ ...report, reason: 'rejected', rejected: of('no content') })).toBe(
    'read, but 1 finding was not let in: 1 no content',
  )
})
