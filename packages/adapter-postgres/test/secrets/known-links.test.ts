import { mock } from 'node:test'
import { attemptsOf } from '@sotto/core'
import { createSamples, noonMicros } from '@sotto/test-kit'
import { test } from 'tap'
import { createKnownLinks } from '../../src/secrets/known-links.ts'
import type { ReadLink } from '../../src/secrets/link-decisions.ts'

const make = createSamples(1)
const secret = make.secret(make.folder(make.account().id), noonMicros)

function linkOf(version: number): ReadLink {
  const state = { opens: 0, hasNote: true, attempts: attemptsOf(null), formUsed: false }
  return { version, record: { secret, state }, usedForms: [] }
}

/** What is known of links, at a time that the test sets. */
function createKnown() {
  const clock = { millis: 0 }
  return { clock, known: createKnownLinks(() => clock.millis) }
}

test('of the versions of a link that were read in any order the latest is known', (t) => {
  const { known } = createKnown()
  for (const version of [1, 3, 2]) known.remember('a', linkOf(version))
  t.equal(known.find('a')?.version, 3)
  t.equal(known.find('b'), undefined)
  t.end()
})

test('nothing is known while more than one write in ten finds that another writer was first', (t) => {
  const { known } = createKnown()
  for (const key of ['a', 'b']) known.remember(key, linkOf(1))
  known.lost('a')
  t.equal(known.find('b'), undefined)
  known.written('c', linkOf(1))
  t.equal(known.find('b')?.version, 1)
  t.equal(known.find('a'), undefined, 'what lost is not known')
  for (let at = 0; at < 100; at += 1) known.lost('a')
  for (let at = 0; at < 191; at += 1) {
    t.equal(known.find('b'), undefined)
    known.written('c', linkOf(1))
  }
  t.equal(known.find('b')?.version, 1)
  t.end()
})

test('a link is forgotten after a second', (t) => {
  const { clock, known } = createKnown()
  known.remember('a', linkOf(1))
  clock.millis = 999
  known.remember('b', linkOf(1))
  t.equal(known.find('a')?.version, 1)
  clock.millis = 1_000
  t.equal(known.find('a'), undefined)
  t.equal(known.find('b')?.version, 1)
  t.end()
})

test('a thousand links are remembered and no more: the first one makes room', (t) => {
  const { known } = createKnown()
  for (let at = 0; at <= 1_000; at += 1) known.remember(String(at), linkOf(1))
  t.equal(known.find('0'), undefined)
  t.equal(known.find('1')?.version, 1)
  t.equal(known.find('1000')?.version, 1)
  t.end()
})

test('a link that is read again is as young as if it was read for the first time', (t) => {
  const { clock, known } = createKnown()
  for (const key of ['a', 'b']) known.remember(key, linkOf(1))
  clock.millis = 500
  known.remember('a', linkOf(1))
  clock.millis = 1_000
  t.equal(known.find('b'), undefined, 'and makes no other one younger')
  t.equal(known.find('a')?.version, 1)
  t.end()
})

test('links are forgotten when nothing more is called', (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const { clock, known } = createKnown()
  const pass = (millis: number) => {
    clock.millis += millis
    mock.timers.tick(millis)
  }
  /** Whether it is in memory, whatever its age. */
  const isKept = (key: string) => {
    const { millis } = clock
    clock.millis = 0
    const link = known.find(key)
    clock.millis = millis
    return link !== undefined
  }
  known.remember('a', linkOf(1))
  pass(500)
  known.remember('b', linkOf(1))
  t.ok(isKept('a'))
  pass(500)
  t.strictSame([isKept('a'), isKept('b')], [false, true])
  pass(1_000)
  t.notOk(isKept('b'))
  known.remember('c', linkOf(1))
  pass(1_000)
  t.notOk(isKept('c'))
  t.end()
})
