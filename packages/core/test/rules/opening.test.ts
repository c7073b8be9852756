import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import type { Ciphertext } from '../../src/ports/ciphertext.ts'
import type { LinkRecord, LinkState } from '../../src/ports/link-store.ts'
import { attemptTimeoutMicros, lockMicros, noAttempts, wrongToDisable } from '../../src/rules/attempts.ts'
import {
  claimOpen,
  isOpenable,
  opensLeft,
  rememberedFormsMax,
  reserveOpen,
  settleOpen,
} from '../../src/rules/opening.ts'

const now = 1_700_000_000_000_000
const attemptId = 'this attempt'
const notFound = { code: 'link_not_found' }
const formUsed = { code: 'form_already_used' }

/** An attempt by somebody else, and this one. */
const other = { id: 'another attempt', sinceMicros: now }
const reserved = { id: attemptId, sinceMicros: now }

interface Link extends Partial<LinkState> {
  readonly openLimit?: number
  readonly expiresAtMicros?: number
}

function record({ openLimit, expiresAtMicros = now + 1, ...state }: Link = {}): LinkRecord {
  const link = { lookup: new Uint8Array(32), createdAtMicros: now - 1, expiresAtMicros }
  const secret = {
    id: 'a secret',
    accountId: 'an account',
    folderId: 'a folder',
    createdAtMicros: now - 1,
    openLimit,
    notify: false,
    hasPassword: false,
    link,
    kid: 1,
    head: new Uint8Array() as Ciphertext,
  }
  return { secret, state: { opens: 0, hasNote: true, attempts: noAttempts, formUsed: false, ...state } }
}

const dead: Readonly<Record<string, Link>> = {
  'expires now': { expiresAtMicros: now },
  'expired long ago': { expiresAtMicros: 0 },
  'used up': { openLimit: 3, opens: 3 },
  'opened more often than its limit': { openLimit: 3, opens: 4 },
  'note destroyed': { hasNote: false },
  'disabled by wrong passwords': { attempts: { ...noAttempts, wrongTotal: wrongToDisable } },
}

const alive: Readonly<Record<string, Link>> = {
  'fresh, with a limit': { openLimit: 1 },
  'fresh, without limit': {},
  'one open left': { openLimit: 3, opens: 2 },
  'without limit and opened often': { opens: 1_000_000 },
  'one wrong password before it is disabled': {
    attempts: { ...noAttempts, wrongTotal: wrongToDisable - 1 },
  },
  'expires in a microsecond': { expiresAtMicros: now + 1 },
}

for (const [name, link] of Object.entries(dead)) {
  t.test(`a link that cannot be opened: ${name}`, (t) => {
    t.equal(isOpenable(record(link), now), false)
    t.strictSame(expectErr(reserveOpen(record(link), { attemptId, nowMicros: now })), notFound)
    t.strictSame(expectErr(claimOpen(record(link), { attemptId, nowMicros: now })), notFound)
    const reopened = { ...link, formUsed: true }
    t.strictSame(
      expectErr(claimOpen(record(reopened), { attemptId, nowMicros: now })),
      notFound,
      'form or not',
    )
    t.end()
  })
}

for (const [name, link] of Object.entries(alive)) {
  t.test(`a link that can be opened: ${name}`, (t) => {
    t.equal(isOpenable(record(link), now), true)
    t.ok(reserveOpen(record(link), { attemptId, nowMicros: now }).isOk())
    t.ok(claimOpen(record(link), { attemptId: undefined, nowMicros: now }).isOk())
    t.end()
  })
}

t.test('a link without limit remembers the forms of 100,000 opens', (t) => {
  t.equal(rememberedFormsMax, 100_000)
  t.end()
})

t.test('opens that are left', (t) => {
  const table = [
    { openLimit: undefined, opens: 0, left: undefined },
    { openLimit: undefined, opens: 9, left: undefined },
    { openLimit: 3, opens: 0, left: 3 },
    { openLimit: 3, opens: 3, left: 0 },
    { openLimit: 3, opens: 4, left: 0 },
  ]
  for (const { openLimit, opens, left } of table) t.equal(opensLeft(openLimit, opens), left)
  t.end()
})

t.test('reserving adds the attempt and changes nothing else', (t) => {
  const attempts = { ...noAttempts, underWay: [other], wrongAtMicros: [now], wrongTotal: 7 }
  t.strictSame(expectOk(reserveOpen(record({ attempts }), { attemptId, nowMicros: now })), {
    attempts: { ...attempts, underWay: [other, reserved] },
  })
  t.end()
})

t.test('reserving on a locked link says how long to wait', (t) => {
  const attempts = { ...noAttempts, lockedUntilMicros: now + lockMicros }
  t.strictSame(expectErr(reserveOpen(record({ attempts }), { attemptId, nowMicros: now })), {
    code: 'link_locked',
    reason: 'wrong_passwords',
    retryAfterSeconds: 1800,
  })
  t.end()
})

t.test(
  'a last attempt that was cut off disables the link: stored, with the note destroyed, and refused',
  (t) => {
    const cutOff = { id: 'cut off', sinceMicros: now - attemptTimeoutMicros }
    const stateOf = (wrongTotal: number) => ({ ...noAttempts, underWay: [cutOff], wrongTotal })
    const reserve = (wrongTotal: number) =>
      expectOk(reserveOpen(record({ attempts: stateOf(wrongTotal) }), { attemptId, nowMicros: now }))
    t.strictSame(reserve(wrongToDisable - 1), {
      attempts: { ...noAttempts, wrongAtMicros: [now], wrongTotal: wrongToDisable },
      destroyNote: true,
      refused: notFound,
    })
    t.strictSame(reserve(wrongToDisable - 2), {
      attempts: { ...noAttempts, underWay: [reserved], wrongAtMicros: [now], wrongTotal: wrongToDisable - 1 },
    })
    t.end()
  },
)

const claims: Readonly<
  Record<string, { link: Link; opens: number; destroyNote: boolean; rememberForm: boolean }>
> = {
  'the first of two opens': {
    link: { openLimit: 2 },
    opens: 1,
    destroyNote: false,
    rememberForm: true,
  },
  'the last of two opens destroys the note': {
    link: { openLimit: 2, opens: 1 },
    opens: 2,
    destroyNote: true,
    rememberForm: true,
  },
  'the only open destroys the note': {
    link: { openLimit: 1 },
    opens: 1,
    destroyNote: true,
    rememberForm: true,
  },
  'an open without limit': { link: {}, opens: 1, destroyNote: false, rememberForm: true },
  'without limit the last open whose form is remembered': {
    link: { opens: rememberedFormsMax - 1 },
    opens: rememberedFormsMax,
    destroyNote: false,
    rememberForm: true,
  },
  'without limit a form above the bound is forgotten': {
    link: { opens: rememberedFormsMax },
    opens: rememberedFormsMax + 1,
    destroyNote: false,
    rememberForm: false,
  },
  'with a limit every form is remembered': {
    link: { openLimit: rememberedFormsMax + 2, opens: rememberedFormsMax },
    opens: rememberedFormsMax + 1,
    destroyNote: false,
    rememberForm: true,
  },
}

for (const [name, { link, ...change }] of Object.entries(claims)) {
  t.test(`a claim: ${name}`, (t) => {
    const claimed = expectOk(claimOpen(record(link), { attemptId: undefined, nowMicros: now }))
    t.strictSame(claimed, { ...change, openedAtMicros: now })
    t.end()
  })
}

t.test('a claim releases its own attempt and no other, and forgets no wrong password', (t) => {
  const attempts = { ...noAttempts, underWay: [other, reserved], wrongAtMicros: [now], wrongTotal: 7 }
  const claimed = expectOk(claimOpen(record({ attempts, openLimit: 2 }), { attemptId, nowMicros: now }))
  t.strictSame(claimed.attempts, { ...attempts, underWay: [other] })
  t.end()
})

t.test('a form that has opened the link before claims nothing', (t) => {
  for (const link of [{}, { openLimit: 2, opens: 1 }]) {
    const claimed = claimOpen(record({ ...link, formUsed: true }), { attemptId, nowMicros: now })
    t.strictSame(expectErr(claimed), formUsed)
  }
  t.end()
})

t.test('settling counts a wrong password and releases every other failure', (t) => {
  const attempts = { ...noAttempts, underWay: [other, reserved] }
  const state = { attempts }
  t.strictSame(settleOpen(state, { attemptId, isPasswordWrong: true, nowMicros: now }), {
    attempts: { ...attempts, underWay: [other], wrongAtMicros: [now], wrongTotal: 1 },
    destroyNote: false,
  })
  t.strictSame(settleOpen(state, { attemptId, isPasswordWrong: false, nowMicros: now }), {
    attempts: { ...attempts, underWay: [other] },
    destroyNote: false,
  })
  t.end()
})

t.test('the wrong password that disables a link destroys its note, and none before it', (t) => {
  for (const [wrongTotal, destroyNote] of [
    [wrongToDisable - 2, false],
    [wrongToDisable - 1, true],
  ] as const) {
    const state = { attempts: { ...noAttempts, underWay: [reserved], wrongTotal } }
    const settled = settleOpen(state, { attemptId, isPasswordWrong: true, nowMicros: now })
    t.equal(settled.destroyNote, destroyNote)
  }
  t.end()
})
