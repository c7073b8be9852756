import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import type { Ciphertext } from '../../src/shared/ciphertext.ts'
import type { LinkRecord, LinkState } from '../../src/secrets/link-store.ts'
import {
  attemptTimeoutMicros,
  lockMicros,
  noAttempts,
  wrongToDisable,
  wrongToLock,
  type AttemptState,
} from '../../src/shared/attempts.ts'
import {
  claimOpen,
  isOpenable,
  rememberedFormsMax,
  reserveOpen,
  settleOpen,
  unlock,
} from '../../src/secrets/opening.ts'

const now = 1_700_000_000_000_000
const attemptId = 'this attempt'
const step = { attemptId, nowMicros: now, eventId: undefined }
const notFound = { code: 'link_not_found' }
const formUsed = { code: 'form_already_used' }

/** An attempt by somebody else, and this one. */
const other = { id: 'another attempt', sinceMicros: now }
const reserved = { id: attemptId, sinceMicros: now }

interface Link extends Partial<LinkState> {
  readonly notify?: boolean
  readonly openLimit?: number
  readonly expiresAtMicros?: number
}

function record({ openLimit, notify = false, expiresAtMicros = now + 1, ...state }: Link = {}): LinkRecord {
  const link = { lookup: new Uint8Array(32), createdAtMicros: now - 1, expiresAtMicros }
  const secret = {
    id: 'a secret',
    accountId: 'an account',
    folderId: 'a folder',
    createdAtMicros: now - 1,
    openLimit,
    notify,
    hasPassword: false,
    link,
    kid: 1,
    headCiphertext: new Uint8Array() as Ciphertext,
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
    t.strictSame(expectErr(reserveOpen(record(link), step)), notFound)
    t.strictSame(expectErr(claimOpen(record(link), step)), notFound)
    const reopened = { ...link, formUsed: true }
    t.strictSame(expectErr(claimOpen(record(reopened), step)), notFound, 'form or not')
    t.end()
  })
}

for (const [name, link] of Object.entries(alive)) {
  t.test(`a link that can be opened: ${name}`, (t) => {
    t.equal(isOpenable(record(link), now), true)
    t.ok(reserveOpen(record(link), step).isOk())
    t.ok(claimOpen(record(link), { ...step, attemptId: undefined }).isOk())
    t.end()
  })
}

t.test('a link without limit remembers the forms of 100,000 opens', (t) => {
  t.equal(rememberedFormsMax, 100_000)
  t.end()
})

t.test('reserving adds the attempt and changes nothing else', (t) => {
  const attempts = { ...noAttempts, underWay: [other], wrongAtMicros: [now], wrongTotal: 7 }
  t.strictSame(expectOk(reserveOpen(record({ attempts }), step)), {
    attempts: { ...attempts, underWay: [other, reserved] },
  })
  t.end()
})

t.test('reserving on a locked link says how long to wait, and until when', (t) => {
  const attempts = { ...noAttempts, lockedUntilMicros: now + lockMicros }
  t.strictSame(expectErr(reserveOpen(record({ attempts }), step)), {
    code: 'link_locked',
    reason: 'wrong_passwords',
    retryAfterSeconds: 1800,
    lockedUntilMicros: now + lockMicros,
  })
  t.end()
})

t.test('a lock that is over is not named where too many attempts are under way', (t) => {
  const underWay = Array.from({ length: wrongToLock }, (_, nr) => ({ id: `attempt ${nr}`, sinceMicros: now }))
  const attempts = { ...noAttempts, underWay, lockedUntilMicros: now }
  t.strictSame(expectErr(reserveOpen(record({ attempts }), step)), {
    code: 'link_locked',
    reason: 'attempts_under_way',
    retryAfterSeconds: 1,
  })
  t.end()
})

t.test(
  'a last attempt that was cut off disables the link: stored, with the note destroyed, and refused',
  (t) => {
    const cutOff = { id: 'cut off', sinceMicros: now - attemptTimeoutMicros }
    const stateOf = (wrongTotal: number) => ({ ...noAttempts, underWay: [cutOff], wrongTotal })
    const reserve = (wrongTotal: number) =>
      expectOk(reserveOpen(record({ attempts: stateOf(wrongTotal) }), step))
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
    const claimed = expectOk(claimOpen(record(link), { ...step, attemptId: undefined }))
    t.strictSame(claimed, { ...change, openedAtMicros: now })
    t.end()
  })
}

t.test('a claim releases its own attempt and no other, and forgets no wrong password', (t) => {
  const attempts = { ...noAttempts, underWay: [other, reserved], wrongAtMicros: [now], wrongTotal: 7 }
  const claimed = expectOk(claimOpen(record({ attempts, openLimit: 2 }), step))
  t.strictSame(claimed.attempts, { ...attempts, underWay: [other] })
  t.end()
})

t.test('a claim stores the ticket for its files, and none without files', (t) => {
  const ticket = {
    othersMax: 9,
    digest: new Uint8Array(32),
    expiresAtMicros: now + 1,
    sealed: new Uint8Array() as Ciphertext,
  }
  t.equal(expectOk(claimOpen(record(), { ...step, ticket })).ticket, ticket)
  t.notOk('ticket' in expectOk(claimOpen(record(), { ...step, ticket: undefined })))
  t.end()
})

t.test('a form that has opened the link before claims nothing', (t) => {
  for (const link of [{}, { openLimit: 2, opens: 1 }]) {
    const claimed = claimOpen(record({ ...link, formUsed: true }), step)
    t.strictSame(expectErr(claimed), formUsed)
  }
  t.end()
})

t.test('settling counts a wrong password and releases every other failure', (t) => {
  const attempts = { ...noAttempts, underWay: [other, reserved] }
  const reservedOne = record({ attempts })
  t.strictSame(settleOpen(reservedOne, { ...step, isPasswordWrong: true }), {
    attempts: { ...attempts, underWay: [other], wrongAtMicros: [now], wrongTotal: 1 },
    destroyNote: false,
  })
  t.strictSame(settleOpen(reservedOne, { ...step, isPasswordWrong: false }), {
    attempts: { ...attempts, underWay: [other] },
    destroyNote: false,
  })
  t.end()
})

// Promise (Opening a link): A hundred wrong passwords disable the link: and destroy its note
t.test('the wrong password that disables a link destroys its note, and none before it', (t) => {
  for (const [wrongTotal, destroyNote] of [
    [wrongToDisable - 2, false],
    [wrongToDisable - 1, true],
  ] as const) {
    const attempts = { ...noAttempts, underWay: [reserved], wrongTotal }
    const settled = settleOpen(record({ attempts }), { ...step, isPasswordWrong: true })
    t.equal(settled.destroyNote, destroyNote)
  }
  t.end()
})

/** A step of an open of a secret whose owner wants to hear of it. */
const heardStep = { ...step, eventId: 'an event' }
const event = {
  id: 'an event',
  accountId: 'an account',
  secretId: 'a secret',
  folderId: 'a folder',
  createdAtMicros: now,
  expiresAtMicros: now + 1,
}

for (const [name, { link, opens, opensLeft }] of Object.entries({
  'the first of two opens': { link: { openLimit: 2 }, opens: 1, opensLeft: 1 },
  'the last open': { link: { openLimit: 2, opens: 1 }, opens: 2, opensLeft: 0 },
  'an open without limit': { link: { opens: 7 }, opens: 8, opensLeft: undefined },
})) {
  t.test(`a claim of a secret with notify names one event: ${name}`, (t) => {
    const claimed = expectOk(claimOpen(record({ ...link, notify: true }), heardStep))
    t.strictSame(claimed.events, [{ ...event, type: 'secret.opened', opens, opensLeft }])
    t.end()
  })
}

t.test('a secret without notify causes no event, even if an id was made', (t) => {
  t.notOk('events' in expectOk(claimOpen(record(), heardStep)))
  const underWay = [reserved]
  const attempts = { ...noAttempts, underWay, wrongTotal: wrongToDisable - 1 }
  t.notOk('events' in settleOpen(record({ attempts }), { ...heardStep, isPasswordWrong: true }))
  const cutOff = { ...attempts, underWay: [{ id: 'cut off', sinceMicros: now - attemptTimeoutMicros }] }
  t.notOk('events' in expectOk(reserveOpen(record({ attempts: cutOff }), heardStep)))
  t.end()
})

t.test('an open that is refused causes no event', (t) => {
  expectErr(claimOpen(record({ notify: true, formUsed: true }), heardStep))
  expectErr(claimOpen(record({ notify: true, hasNote: false }), heardStep))
  t.notOk(
    'events' in expectOk(reserveOpen(record({ notify: true }), heardStep)),
    'nor one that is not claimed yet',
  )
  t.end()
})

/** So many wrong passwords that the next one locks. */
const almostLocked: AttemptState = {
  ...noAttempts,
  underWay: [reserved],
  wrongAtMicros: Array.from({ length: wrongToLock - 1 }, () => now),
  wrongTotal: wrongToLock - 1,
}

const settlings: Readonly<
  Record<string, { attempts: AttemptState; isPasswordWrong?: boolean; isHeard: boolean }>
> = {
  'the fifth wrong password locks': { attempts: almostLocked, isHeard: true },
  'the fourth does not': {
    attempts: { ...almostLocked, wrongAtMicros: almostLocked.wrongAtMicros.slice(1) },
    isHeard: false,
  },
  'any other failure locks nothing': { attempts: almostLocked, isPasswordWrong: false, isHeard: false },
  'the fifth after a lock that has ended': {
    attempts: { ...almostLocked, lockedUntilMicros: now },
    isHeard: true,
  },
  'a lock that becomes longer is no other lock': {
    attempts: { ...almostLocked, lockedUntilMicros: now + 1 },
    isHeard: false,
  },
  'the hundredth wrong password disables': {
    attempts: { ...noAttempts, underWay: [reserved], wrongTotal: wrongToDisable - 1 },
    isHeard: true,
  },
  'the hundredth of a link that is locked disables it': {
    attempts: { ...almostLocked, wrongTotal: wrongToDisable - 1, lockedUntilMicros: now + lockMicros },
    isHeard: true,
  },
  'one that comes after the hundredth': {
    attempts: { ...almostLocked, wrongTotal: wrongToDisable },
    isHeard: false,
  },
  'an attempt that was counted already': { attempts: { ...almostLocked, underWay: [other] }, isHeard: false },
}

for (const [name, { attempts, isPasswordWrong = true, isHeard }] of Object.entries(settlings)) {
  t.test(`an owner hears of a lock when it begins: ${name}`, (t) => {
    const locked = record({ attempts, notify: true, openLimit: 3, opens: 1 })
    const { events } = settleOpen(locked, { ...heardStep, isPasswordWrong })
    const lock = { ...event, type: 'secret.locked', opens: 1, opensLeft: 2 }
    t.strictSame(events, isHeard ? [lock] : undefined)
    t.end()
  })
}

/** Attempts that began so long ago, in microseconds, and were cut off. */
const cutOffSince = (micros: number, count: number): AttemptState => ({
  ...noAttempts,
  underWay: Array.from({ length: count }, (_, nr) => ({ id: String(nr), sinceMicros: now - micros })),
})

t.test('attempts that were cut off and lock: the lock is stored once, with its event, and refused', (t) => {
  const attempts = cutOffSince(attemptTimeoutMicros, wrongToLock)
  const { events, refused, ...change } = expectOk(reserveOpen(record({ attempts, notify: true }), heardStep))
  t.strictSame(events, [{ ...event, type: 'secret.locked', opens: 0, opensLeft: undefined }])
  t.match(refused, { code: 'link_locked', reason: 'wrong_passwords' })
  t.match(change, {
    attempts: { underWay: [], lockedUntilMicros: now + lockMicros, wrongTotal: wrongToLock },
  })
  t.match(expectErr(reserveOpen(record({ ...change, notify: true }), heardStep)), { code: 'link_locked' })
  t.match(
    expectErr(reserveOpen(record({ attempts }), step)),
    { code: 'link_locked' },
    'nothing to store else',
  )
  t.end()
})

t.test('a lock by attempts that were cut off long ago is over: no event', (t) => {
  const attempts = cutOffSince(attemptTimeoutMicros + lockMicros, wrongToLock)
  t.notOk('events' in expectOk(reserveOpen(record({ attempts, notify: true }), heardStep)))
  t.end()
})

t.test('a last attempt that was cut off disables the link, and its owner hears of it', (t) => {
  const attempts = { ...cutOffSince(attemptTimeoutMicros, 1), wrongTotal: wrongToDisable - 1 }
  const { events } = expectOk(reserveOpen(record({ attempts, notify: true }), heardStep))
  t.strictSame(events, [{ ...event, type: 'secret.locked', opens: 0, opensLeft: undefined }])
  t.end()
})

t.test('a lock that a clock set while it ran ahead is one lock only', (t) => {
  const attempts = { ...noAttempts, lockedUntilMicros: now + 20 * lockMicros }
  const kept = expectOk(reserveOpen(record({ attempts, notify: true }), heardStep))
  t.strictSame([kept.events, kept.refused?.code], [undefined, 'link_locked'])
  t.equal(kept.attempts?.lockedUntilMicros, now + lockMicros)
  t.end()
})

t.test('an owner ends a lock: the recent wrong passwords are forgotten, the sum of all stays', (t) => {
  const locked = {
    ...noAttempts,
    wrongAtMicros: [now - 3, now - 2],
    wrongTotal: 7,
    lockedUntilMicros: now + 1,
  }
  const left = { ...locked, wrongAtMicros: [], lockedUntilMicros: undefined }
  t.strictSame(expectOk(unlock(record({ attempts: locked }), now)), { attempts: left, wasLocked: true })
  t.strictSame(expectOk(unlock(record({ attempts: { ...locked, lockedUntilMicros: now } }), now)), {
    ...{ attempts: left, wasLocked: false },
  })
  t.end()
})

t.test('a link that is disabled for good stays so', (t) => {
  const attempts = { ...noAttempts, wrongTotal: wrongToDisable, lockedUntilMicros: now + 1 }
  t.strictSame(expectOk(unlock(record({ attempts }), now)), { wasLocked: false })
  t.end()
})
