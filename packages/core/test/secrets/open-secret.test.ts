import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { err, errAsync, ok, okAsync, ResultAsync } from 'neverthrow'
import { expectErr, expectOk, failing, linkRecordOf, noteBehind } from '@sotto/test-kit'
import type { OwnerEvent } from '../../src/notifications/queue/owner-event.ts'
import type { LinkStore } from '../../src/secrets/link-store.ts'
import type { SecretCipher } from '../../src/secrets/secret-cipher.ts'
import type { NewSecret } from '../../src/secrets/new-secret.ts'
import { noAttempts } from '../../src/shared/attempts.ts'
import { openSecret } from '../../src/secrets/open-secret.ts'
import {
  all,
  counting,
  createWorld,
  deadLinks,
  dayMicros,
  newSecret,
  secondMicros,
  shareHeard,
  startMicros,
  type World,
} from '../world.ts'

const gone = { code: 'link_not_found' }

// Promise (The JSON API): A note is stored and returned byte for byte
t.test('an open returns label and note exactly, and how many opens are left', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const token = await create(world, { note: '\n a\r\nb\t😀 \n', openLimit: 2 })
  t.strictSame(expectOk(await openSecret(deps, { token, password: 'not asked for' })), {
    label: 'a label',
    note: '\n a\r\nb\t😀 \n',
    opensLeft: 1,
    expiresAtMicros: startMicros + 30 * dayMicros,
    from: undefined,
  })
  t.equal(expectOk(await openSecret(deps, { token })).opensLeft, 0)
  t.strictSame(expectErr(await openSecret(deps, { token })), gone)
})

// Promise (The JSON API): After the last open the note is destroyed, the secret stays listed
t.test('the last open destroys the note; the secret stays listed until it expires', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const token = await create(world, { openLimit: 1 })
  expectOk(await openSecret(deps, { token }))
  t.equal(await noteBehind(deps, deps.digests.linkLookup(token)), undefined)
  t.equal((await all(sotto.listSecrets({ accountId }))).length, 1)
})

// Promise (The JSON API): open_limit 0 disables the limit
t.test('without a limit every open is counted and none is the last', async (t) => {
  const world = await createWorld()
  const token = await create(world, {})
  for (let open = 0; open < 5; open += 1) {
    t.equal(expectOk(await openSecret(world.deps, { token })).opensLeft, undefined)
  }
  t.equal(await opensOf(world, token), 5)
})

// Promise (The JSON API): A positive open_limit limits how often the secret can be opened
t.test('concurrent opens deliver exactly as often as the limit allows', async (t) => {
  const world = await createWorld()
  const token = await create(world, { openLimit: 3 })
  const opens = await Promise.all(Array.from({ length: 50 }, () => openSecret(world.deps, { token })))
  t.equal(opens.filter((open) => open.isOk()).length, 3)
  for (const open of opens) if (open.isErr()) t.strictSame(open.error, gone)
})

/** A store that waits before each call, so that opens really overlap. Each change is still atomic. */
function slow(links: LinkStore): LinkStore {
  const later = (): ResultAsync<undefined, never> => new ResultAsync(setImmediate(ok(undefined)))
  return {
    find: (...given) => later().andThen(() => links.find(...given)),
    findWithNote: (...given) => later().andThen(() => links.findWithNote(...given)),
    update: (...given) => later().andThen(() => links.update(...given)),
  }
}

/** Opens one link 40 times at once. Resolves with the number of deliveries. */
async function openAtOnce({ deps }: World, links: LinkStore, token: string): Promise<number> {
  const opens = Array.from({ length: 40 }, () => openSecret({ ...deps, links }, { token }))
  return (await Promise.all(opens)).filter((open) => open.isOk()).length
}

// Promise (Opening a link): At most open_limit deliveries, whatever the concurrency
t.test('opens that overlap in the store are as many as the limit, and the note is destroyed', async (t) => {
  const world = await createWorld()
  const { links, digests } = world.deps
  for (const openLimit of [1, 3, 10]) {
    const token = await create(world, { openLimit })
    t.equal(await openAtOnce(world, slow(links), token), openLimit)
    const record = await linkRecordOf(world.deps, digests.linkLookup(token))
    t.match(record?.state, { opens: openLimit, hasNote: false })
  }
})

// Promise (Opening a link): A store that reads, then writes would be detected
t.test('a store that reads and writes in two steps is noticed', async (t) => {
  const world = await createWorld()
  const { links } = world.deps
  const broken: LinkStore = {
    ...slow(links),
    update: (lookup, formId, decide) =>
      links.find(lookup, startMicros).andThen((record) => {
        if (record === undefined) throw new Error('the link is there')
        const change = decide(record)
        return new ResultAsync(setImmediate(change)).andThen(() => links.update(lookup, formId, () => change))
      }),
  }
  t.ok((await openAtOnce(world, broken, await create(world, { openLimit: 1 }))) > 1)
})

// Promise (Opening a link): Dead links take the same path, whatever the cause
t.test('dead links take the same path, whatever the cause: one look-up that finds nothing', async (t) => {
  const world = await createWorld()
  const { deps } = world
  for (const token of await deadLinks(world)) {
    for (const [password, path] of [
      [undefined, [['findWithNote', undefined]]],
      ['x', [['find', undefined]]],
    ] as const) {
      const { port: links, answers } = counting(deps.links)
      t.strictSame(expectErr(await openSecret({ ...deps, links }, { token, password })), gone)
      t.strictSame(await answers(), path, token)
    }
  }
})

t.test('without its password a note is not even read', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const token = await create(world, { password: 'right' })
  const { port: links, answers } = counting(deps.links)
  t.strictSame(expectErr(await openSecret({ ...deps, links }, { token })), { code: 'password_required' })
  t.match(await answers(), [['findWithNote', { secret: { hasPassword: true }, note: undefined }]])
})

t.test('a note that a store returns too early is not even decrypted without its password', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const token = await create(world, { password: 'right' })
  const links: typeof deps.links = {
    ...deps.links,
    findWithNote: (lookup, options) =>
      deps.links.findWithNote(lookup, { ...options, evenWithPassword: true }),
  }
  const { port: secretCipher, calls } = counting(deps.secretCipher)
  const opened = await openSecret({ ...deps, links, secretCipher }, { token })
  t.strictSame(expectErr(opened), { code: 'password_required' })
  t.strictSame(calls, { decryptHead: 1 })
})

t.test('a form opens once; sending it again is its own error and costs nothing', async (t) => {
  const world = await createWorld()
  const token = await create(world, { openLimit: 2, password: 'right' })
  const formId = 'f'.repeat(32)
  expectOk(await openSecret(world.deps, { token, formId, password: 'right' }))
  for (let reload = 0; reload < 7; reload += 1) {
    const again = await openSecret(world.deps, { token, formId, password: 'right' })
    t.strictSame(expectErr(again), { code: 'form_already_used' })
  }
  expectOk(await openSecret(world.deps, { token, formId: '0'.repeat(32), password: 'right' }))
})

// Promise (The JSON API): With a password the link is password protected
t.test('a missing password is asked for and nothing is counted', async (t) => {
  const world = await createWorld()
  const token = await create(world, { password: 'right' })
  for (let ask = 0; ask < 10; ask += 1) {
    t.strictSame(expectErr(await openSecret(world.deps, { token })), { code: 'password_required' })
  }
  expectOk(await openSecret(world.deps, { token, password: 'right' }))
})

t.test('a password is the same however its characters are composed', async (t) => {
  const world = await createWorld()
  const token = await create(world, { password: 'pa\u0308ss' })
  t.equal(expectOk(await openSecret(world.deps, { token, password: 'p\u00e4ss' })).note, 'a note')
})

t.test('wrong passwords spend no open, and the fifth locks the right one out for half an hour', async (t) => {
  const world = await createWorld()
  const token = await create(world, { password: 'right', openLimit: 1 })
  const open = (password: string) => openSecret(world.deps, { token, password })
  for (let guess = 0; guess < 5; guess += 1) {
    t.strictSame(expectErr(await open('wrong')), { code: 'password_wrong' })
  }
  t.match(expectErr(await open('right')), { code: 'link_locked', retryAfterSeconds: 1800 })
  world.deps.clock.advance(1800 * secondMicros)
  t.equal(expectOk(await open('right')).opensLeft, 0)
})

// Promise (Opening a link): A hundred wrong passwords disable the link
t.test('after a hundred wrong passwords the link is gone for good', async (t) => {
  const world = await createWorld()
  const { deps, sotto } = world
  const token = await create(world, { password: 'right' })
  for (let guess = 0; guess < 100; guess += 1) {
    expectErr(await openSecret(deps, { token, password: 'wrong' }))
    deps.clock.advance(150 * secondMicros)
  }
  t.strictSame(expectErr(await openSecret(deps, { token, password: 'right' })), gone)
  t.strictSame(expectErr(await sotto.previewLink({ token })), gone)
  t.equal(await noteBehind(deps, deps.digests.linkLookup(token)), undefined, 'and its note is destroyed')
})

// Promise (Opening a link): A hundred wrong passwords disable the link: even if a crash interrupts the hundredth attempt
t.test('a link whose hundredth wrong attempt was cut off is gone with the next', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const token = await create(world, { password: 'right' })
  const lookup = deps.digests.linkLookup(token)
  const underWay = [{ id: 'cut off', sinceMicros: startMicros }]
  const almost = () => ok({ attempts: { ...noAttempts, wrongTotal: 99, underWay } })
  expectOk(await deps.links.update(lookup, undefined, almost))
  const open = () => openSecret(deps, { token, password: 'right' })
  t.match(expectErr(await open()), { reason: 'attempts_under_way' })
  deps.clock.advance(60 * secondMicros)
  t.strictSame(expectErr(await open()), gone)
  t.equal(await noteBehind(deps, lookup), undefined, 'and its note is destroyed')
  const { port: links, answers } = counting(deps.links)
  t.strictSame(expectErr(await openSecret({ ...deps, links }, { token, password: 'right' })), gone)
  t.strictSame(await answers(), [['find', undefined]], 'it is not even found after that')
})

t.test(
  'parallel guesses never exceed five, and recipients with the right password lock nothing',
  async (t) => {
    const world = await createWorld()
    const guessed = await create(world, { password: 'right' })
    const guesses = await openTimes(world, guessed, 'wrong', 20)
    t.equal(guesses.filter((code) => code === 'password_wrong').length, 5)
    t.equal(guesses.filter((code) => code === 'link_locked').length, 15)
    const honest = await create(world, { password: 'right' })
    const opens = await openTimes(world, honest, 'right', 6)
    t.strictSame(opens, ['ok', 'ok', 'ok', 'ok', 'ok', 'link_locked'], 'the sixth has to retry')
    t.strictSame(await openTimes(world, honest, 'right', 1), ['ok'])
  },
)

// Promise (Opening a link): Corruption found before the claim costs no open
t.test('corruption and a busy hasher cost neither an open nor an attempt', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const token = await create(world, { password: 'right', openLimit: 1 })
  for (const error of [
    { code: 'hasher_busy' },
    { code: 'data_damaged', what: 'secret.note', id: 'x' },
  ] as const) {
    const secretCipher: SecretCipher = { ...deps.secretCipher, decryptNote: () => errAsync(error) }
    for (let open = 0; open < 6; open += 1) {
      const refused = await openSecret({ ...deps, secretCipher }, { token, password: 'right' })
      t.strictSame(expectErr(refused), error)
    }
  }
  expectOk(await openSecret(deps, { token, password: 'right' }))
})

t.test('a corrupted head costs no open', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const token = await create(world, { openLimit: 1 })
  const corrupted = { code: 'data_damaged', what: 'secret.head', id: 'x' } as const
  const secretCipher = { ...deps.secretCipher, decryptHead: () => err(corrupted) }
  t.strictSame(expectErr(await openSecret({ ...deps, secretCipher }, { token })), corrupted)
  expectOk(await openSecret(deps, { token }))
})

t.test('an open costs one read without a password, and a guess that is refused reads no note', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const plain = await create(world, {})
  const locked = await create(world, { password: 'right' })
  const callsOf = async (token: string, password?: string) => {
    const { port: links, calls } = counting(deps.links)
    const opened = await openSecret({ ...deps, links }, { token, password })
    return { code: opened.isOk() ? 'ok' : opened.error.code, calls }
  }
  t.strictSame(await callsOf(plain), { code: 'ok', calls: { findWithNote: 1, update: 1 } })
  const notAskedFor = { find: 1, findWithNote: 1, update: 1 }
  t.strictSame(await callsOf(plain, 'not asked for'), { code: 'ok', calls: notAskedFor }, 'no attempt')
  const withNote = { find: 1, findWithNote: 1, update: 2 }
  t.strictSame(await callsOf(locked, 'right'), { code: 'ok', calls: withNote })
  for (let guess = 0; guess < 5; guess += 1) {
    t.strictSame(await callsOf(locked, 'wrong'), { code: 'password_wrong', calls: withNote })
  }
  t.strictSame(await callsOf(locked, 'wrong'), { code: 'link_locked', calls: { find: 1 } })
  deps.clock.set(startMicros + 30 * dayMicros)
  t.strictSame(await callsOf(locked, 'right'), { code: 'link_not_found', calls: { find: 1 } })
})

t.test(
  'a note that is destroyed after the attempt was reserved is gone, and the attempt is released',
  async (t) => {
    const world = await createWorld()
    const { deps } = world
    const token = await create(world, { password: 'right' })
    const links = { ...deps.links, findWithNote: () => okAsync(undefined) }
    for (let open = 0; open < 6; open += 1) {
      t.strictSame(expectErr(await openSecret({ ...deps, links }, { token, password: 'right' })), gone)
    }
    expectOk(await openSecret(deps, { token, password: 'right' }))
  },
)

t.test('a client that has left spends neither an open nor an attempt', async (t) => {
  const world = await createWorld()
  for (const password of ['right', undefined]) {
    const token = await create(world, { password, openLimit: 1 })
    let asked = 0
    const isAbandoned = () => (asked += 1) > 0
    for (let open = 0; open < 6; open += 1) {
      const refused = await openSecret(world.deps, { token, password, isAbandoned })
      t.strictSame(expectErr(refused), { code: 'client_gone' })
    }
    t.equal(asked, 6)
    expectOk(await openSecret(world.deps, { token, password, isAbandoned: () => false }))
  }
})

t.test('a client that leaves after a wrong password has made an attempt', async (t) => {
  const world = await createWorld()
  const token = await create(world, { password: 'right' })
  const guess = { token, password: 'wrong', isAbandoned: () => true }
  for (let open = 0; open < 5; open += 1) {
    t.strictSame(expectErr(await openSecret(world.deps, guess)), { code: 'password_wrong' })
  }
  t.match(expectErr(await openSecret(world.deps, guess)), { code: 'link_locked' })
})

t.test('nothing is delivered when the claim cannot be stored', async (t) => {
  const world = await createWorld()
  const token = await create(world, { openLimit: 1 })
  const full = { code: 'storage_unavailable', reason: 'full' } as const
  const links = { ...world.deps.links, update: () => errAsync(full) }
  t.strictSame(expectErr(await openSecret({ ...world.deps, links }, { token })), full)
  expectOk(await openSecret(world.deps, { token }))
})

t.test('a wrong password is reported only once it is counted', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const token = await create(world, { password: 'right' })
  const busy = { code: 'storage_unavailable', reason: 'busy' } as const
  let updates = 0
  const links: typeof deps.links = {
    ...deps.links,
    update: (lookup, formId, decide) =>
      (updates += 1) === 1 ? deps.links.update(lookup, formId, decide) : errAsync(busy),
  }
  t.strictSame(expectErr(await openSecret({ ...deps, links }, { token, password: 'wrong' })), busy)
})

t.test('an attempt that cannot be released does not hide why the open failed', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const token = await create(world, { password: 'right' })
  const busy = { code: 'storage_unavailable', reason: 'busy' } as const
  const secretCipher = { ...deps.secretCipher, decryptNote: () => errAsync({ code: 'hasher_busy' as const }) }
  let updates = 0
  const links: typeof deps.links = {
    ...deps.links,
    update: (...given) =>
      ((updates += 1) === 1 ? deps.links : failing(deps.links, { update: busy })).update(...given),
  }
  const refused = await openSecret({ ...deps, links, secretCipher }, { token, password: 'right' })
  t.strictSame(expectErr(refused), { code: 'hasher_busy' })
})

t.test('an owner who wants to hear of it hears of each open that was claimed, and of no other', async (t) => {
  const world = await createWorld()
  const { deps, accountId, folderId } = world
  const { id: secretId, link } = await shareHeard(world, { openLimit: 2 })
  const { token } = link
  const formId = 'f'.repeat(32)
  expectOk(await openSecret(deps, { token, formId }))
  expectErr(await openSecret(deps, { token, formId }))
  expectErr(await openSecret(deps, { token, isAbandoned: () => true }))
  deps.clock.advance(1)
  expectOk(await openSecret(deps, { token }))
  expectErr(await openSecret(deps, { token }))
  const event = { type: 'secret.opened', accountId, folderId, secretId }
  t.match(eventsOf(world), [
    { ...event, createdAtMicros: startMicros, opens: 1, opensLeft: 1 },
    { ...event, createdAtMicros: startMicros + 1, opens: 2, opensLeft: 0 },
  ])
  t.equal(new Set(eventsOf(world).map(({ id }) => id)).size, 2)
})

t.test('the open of a link with a password is heard of like any other', async (t) => {
  const world = await createWorld()
  const { link } = await shareHeard(world, { password: 'right' })
  expectErr(await openSecret(world.deps, { token: link.token, password: 'wrong' }))
  t.strictSame(eventsOf(world), [])
  expectOk(await openSecret(world.deps, { token: link.token, password: 'right' }))
  t.match(eventsOf(world), [{ type: 'secret.opened', opens: 1, opensLeft: undefined }])
})

t.test('an owner hears of each lock once, and of the end of the link', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const { link } = await shareHeard(world, { password: 'right' })
  const guess = () => openSecret(deps, { token: link.token, password: 'wrong' })
  for (let nr = 0; nr < 4; nr += 1) expectErr(await guess())
  t.strictSame(eventsOf(world), [])
  for (let nr = 0; nr < 4; nr += 1) expectErr(await guess())
  t.match(eventsOf(world), [{ type: 'secret.locked', opens: 0, createdAtMicros: startMicros }])
  for (let nr = 5; nr < 110; nr += 1) {
    deps.clock.advance(nr % 5 === 0 ? 1800 * secondMicros : 1)
    expectErr(await guess())
  }
  t.strictSame(
    eventsOf(world).map(({ type }) => type),
    Array.from({ length: 20 }, () => 'secret.locked'),
  )
})

t.test('a secret that nobody wants to hear of queues nothing and takes no more randomness', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const { port: random, calls } = counting(deps.random)
  const { token } = expectOk(await world.sotto.createSecret(newSecret(world))).link
  expectOk(await openSecret({ ...deps, random }, { token }))
  t.strictSame([calls, eventsOf(world)], [{}, []])
})

function eventsOf({ deps }: World): OwnerEvent[] {
  return [...deps.data.outbox.values()]
}

async function create(world: World, fields: Partial<NewSecret>): Promise<string> {
  return expectOk(await world.sotto.createSecret(newSecret(world, fields))).link.token
}

async function opensOf({ deps }: World, token: string): Promise<number | undefined> {
  return (await linkRecordOf(deps, deps.digests.linkLookup(token)))?.state.opens
}

/** The outcomes of so many concurrent opens, the successful ones first. */
async function openTimes({ deps }: World, token: string, password: string, times: number): Promise<string[]> {
  const opens = await Promise.all(Array.from({ length: times }, () => openSecret(deps, { token, password })))
  return opens
    .map((open) => (open.isOk() ? 'ok' : open.error.code))
    .toSorted((a, b) => (a === 'ok' ? -1 : b === 'ok' ? 1 : 0))
}

t.test('each refused password is reported once it is stored, with ids and whether it locks', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const token = await create(world, { password: 'right' })
  const refused: unknown[] = []
  const onPasswordRefused = (what: unknown): void => void refused.push(what)
  expectOk(await openSecret(deps, { token, password: 'right', onPasswordRefused }))
  expectErr(await openSecret(deps, { token, onPasswordRefused }))
  t.same(refused, [])
  for (let time = 0; time < 7; time += 1)
    expectErr(await openSecret(deps, { token, password: 'wrong', onPasswordRefused }))
  const reasons = ['wrong', 'wrong', 'wrong', 'wrong', 'locks', 'locked', 'locked']
  t.match(
    refused,
    reasons.map((reason) => ({ reason, accountId, secretId: /^[0-9a-f-]{36}$/ })),
  )
})

t.test('a refused password that could not be stored is not reported', async (t) => {
  const world = await createWorld()
  const token = await create(world, { password: 'right' })
  let updates = 0
  const links = {
    ...world.deps.links,
    update: ((...given) => {
      updates += 1
      return updates === 2
        ? errAsync({ code: 'storage_unavailable', reason: 'busy' })
        : world.deps.links.update(...given)
    }) as typeof world.deps.links.update,
  }
  const onPasswordRefused = () => t.fail('it was reported')
  const opened = await openSecret({ ...world.deps, links }, { token, password: 'wrong', onPasswordRefused })
  t.match(expectErr(opened), { code: 'storage_unavailable' })
})

t.test('what fails for another reason than its password is not reported as refused', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const token = await create(world, { password: 'right' })
  const onPasswordRefused = () => t.fail('it was reported')
  const open = (more: Partial<World['deps']> = {}) =>
    openSecret({ ...deps, ...more }, { token, password: 'right', onPasswordRefused })
  const busy = { code: 'hasher_busy' } as const
  const secretCipher: SecretCipher = { ...deps.secretCipher, decryptNote: () => errAsync(busy) }
  t.strictSame(expectErr(await open({ secretCipher })), busy)
  const underWay = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, sinceMicros: startMicros }))
  const attempts = (wrongTotal: number) => () => ok({ attempts: { ...noAttempts, wrongTotal, underWay } })
  const lookup = deps.digests.linkLookup(token)
  expectOk(await deps.links.update(lookup, undefined, attempts(0)))
  t.match(expectErr(await open()), { code: 'link_locked', reason: 'attempts_under_way' })
  expectOk(await deps.links.update(lookup, undefined, attempts(99)))
  deps.clock.advance(60 * secondMicros)
  t.strictSame(expectErr(await open()), gone, 'an attempt that was cut off has disabled the link')
})
