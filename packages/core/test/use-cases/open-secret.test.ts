import t from 'tap'
import { errAsync, ok } from 'neverthrow'
import type { SecretCipher } from '../../src/ports/cipher.ts'
import { formsRememberedMax } from '../../src/rules/opening.ts'
import { createSecret } from '../../src/use-cases/create-secret.ts'
import { listSecrets } from '../../src/use-cases/list-secrets.ts'
import { openSecret } from '../../src/use-cases/open-secret.ts'
import { previewLink } from '../../src/use-cases/preview-link.ts'
import { all, createWorld, dayMicros, secondMicros, startMicros, type World } from '../world.ts'

const gone = { code: 'link_not_found' }

t.test('an open hands over label and note exactly, and what is left', async (t) => {
  const world = await createWorld()
  const token = await create(world, { note: '\n a\r\nb\t😀 \n', openLimit: 2 })
  const { ports } = world
  const expiresAtMicros = startMicros + 30 * dayMicros
  t.strictSame((await previewLink(ports, { token }))._unsafeUnwrap(), {
    passwordRequired: false,
    expiresAtMicros,
  })
  const first = (await openSecret(ports, { token, password: 'not asked for' }))._unsafeUnwrap()
  t.strictSame(first, { label: 'a label', note: '\n a\r\nb\t😀 \n', opensLeft: 1, expiresAtMicros })
  t.equal((await openSecret(ports, { token }))._unsafeUnwrap().opensLeft, 0)
  t.strictSame((await openSecret(ports, { token }))._unsafeUnwrapErr(), gone)
  t.strictSame((await previewLink(ports, { token }))._unsafeUnwrapErr(), gone)
})

t.test('the last open destroys the note; the secret stays listed until it expires', async (t) => {
  const world = await createWorld()
  const token = await create(world, { openLimit: 1 })
  t.ok((await openSecret(world.ports, { token })).isOk())
  const lookup = world.ports.digests.linkLookup(token)
  t.equal((await world.ports.links.findWithNote(lookup))._unsafeUnwrap(), undefined)
  t.equal((await all(listSecrets(world.ports, world))).length, 1)
})

t.test('a link without limit remembers forms until it was opened a hundred thousand times', async (t) => {
  const world = await createWorld()
  const token = await create(world, { openLimit: 0 })
  const lookup = world.ports.digests.linkLookup(token)
  const openTwice = async (formId: string) => {
    t.ok((await openSecret(world.ports, { token, formId })).isOk())
    return (await openSecret(world.ports, { token, formId })).isOk()
  }
  const opens = formsRememberedMax - 1
  t.ok((await world.ports.links.update(lookup, undefined, () => ok({ opens }))).isOk())
  t.equal(await openTwice('e'.repeat(32)), false)
  t.equal(await openTwice('f'.repeat(32)), true)
  const record = (await world.ports.links.find(lookup))._unsafeUnwrap()
  t.equal(record?.state.opens, formsRememberedMax + 2)
})

t.test('a link with a limit remembers every form', async (t) => {
  const world = await createWorld()
  const token = await create(world, { openLimit: formsRememberedMax + 10 })
  const change = ok({ opens: formsRememberedMax })
  t.ok(
    (await world.ports.links.update(world.ports.digests.linkLookup(token), undefined, () => change)).isOk(),
  )
  const formId = 'f'.repeat(32)
  t.ok((await openSecret(world.ports, { token, formId })).isOk())
  t.strictSame((await openSecret(world.ports, { token, formId }))._unsafeUnwrapErr(), {
    code: 'form_already_used',
  })
})

t.test('without a limit every open is counted and none is the last', async (t) => {
  const world = await createWorld()
  const token = await create(world, { openLimit: 0 })
  for (let open = 0; open < 5; open += 1) {
    t.equal((await openSecret(world.ports, { token }))._unsafeUnwrap().opensLeft, undefined)
  }
  const record = (await world.ports.links.find(world.ports.digests.linkLookup(token)))._unsafeUnwrap()
  t.equal(record?.state.opens, 5)
})

t.test('of many opens at once exactly as many are delivered as the limit allows', async (t) => {
  const world = await createWorld()
  const token = await create(world, { openLimit: 3 })
  const opens = await Promise.all(Array.from({ length: 50 }, () => openSecret(world.ports, { token })))
  t.equal(opens.filter((open) => open.isOk()).length, 3)
  for (const open of opens) if (open.isErr()) t.strictSame(open.error, gone)
})

t.test('unknown, malformed and expired links are gone alike', async (t) => {
  const world = await createWorld()
  const token = await create(world, {})
  for (const wrong of ['', 'x', 'A'.repeat(43), `${token}A`]) {
    t.strictSame((await openSecret(world.ports, { token: wrong }))._unsafeUnwrapErr(), gone)
    t.strictSame((await previewLink(world.ports, { token: wrong }))._unsafeUnwrapErr(), gone)
  }
  world.ports.clock.set(startMicros + 30 * dayMicros - 1)
  t.ok((await openSecret(world.ports, { token })).isOk())
  world.ports.clock.advance(1)
  t.strictSame((await openSecret(world.ports, { token }))._unsafeUnwrapErr(), gone)
  t.strictSame((await previewLink(world.ports, { token }))._unsafeUnwrapErr(), gone)
})

t.test('a form opens once; its repetition is told so and costs nothing', async (t) => {
  const world = await createWorld()
  const token = await create(world, { openLimit: 2, password: 'right' })
  const formId = 'f'.repeat(32)
  t.ok((await openSecret(world.ports, { token, formId, password: 'right' })).isOk())
  for (let reload = 0; reload < 7; reload += 1) {
    const again = await openSecret(world.ports, { token, formId, password: 'right' })
    t.strictSame(again._unsafeUnwrapErr(), { code: 'form_already_used' })
  }
  t.ok((await openSecret(world.ports, { token, formId: '0'.repeat(32), password: 'right' })).isOk())
})

t.test('a password that is not given is asked for and nothing is counted', async (t) => {
  const world = await createWorld()
  const token = await create(world, { password: 'right' })
  for (let ask = 0; ask < 10; ask += 1) {
    t.strictSame((await openSecret(world.ports, { token }))._unsafeUnwrapErr(), { code: 'password_required' })
  }
  t.ok((await openSecret(world.ports, { token, password: 'right' })).isOk())
})

t.test('a password is the same however its characters are composed', async (t) => {
  const world = await createWorld()
  const token = await create(world, { password: 'pa\u0308ss' })
  t.ok((await openSecret(world.ports, { token, password: 'p\u00e4ss' })).isOk())
})

t.test('wrong passwords burn no open, and the fifth locks the right one out for half an hour', async (t) => {
  const world = await createWorld()
  const token = await create(world, { password: 'right', openLimit: 1 })
  const open = (password: string) => openSecret(world.ports, { token, password })
  for (let guess = 0; guess < 5; guess += 1) {
    t.strictSame((await open('wrong'))._unsafeUnwrapErr(), { code: 'password_wrong' })
  }
  t.match((await open('right'))._unsafeUnwrapErr(), { code: 'link_locked', retryAfterSeconds: 1800 })
  world.ports.clock.advance(1800 * secondMicros)
  t.equal((await open('right'))._unsafeUnwrap().opensLeft, 0)
})

t.test('after a hundred wrong passwords the link is gone for good', async (t) => {
  const world = await createWorld()
  const token = await create(world, { password: 'right' })
  for (let guess = 0; guess < 100; guess += 1) {
    t.equal((await openSecret(world.ports, { token, password: 'wrong' })).isErr(), true)
    world.ports.clock.advance(150 * secondMicros)
  }
  t.strictSame((await openSecret(world.ports, { token, password: 'right' }))._unsafeUnwrapErr(), gone)
  t.strictSame((await previewLink(world.ports, { token }))._unsafeUnwrapErr(), gone)
})

t.test('parallel guesses never exceed five, and honest recipients lock nothing', async (t) => {
  const world = await createWorld()
  const guessed = await create(world, { password: 'right' })
  const guesses = await openTimes(world, guessed, 'wrong', 20)
  t.equal(guesses.filter((code) => code === 'password_wrong').length, 5)
  t.equal(guesses.filter((code) => code === 'link_locked').length, 15)
  const honest = await create(world, { password: 'right' })
  const opens = await openTimes(world, honest, 'right', 6)
  t.strictSame(opens, ['ok', 'ok', 'ok', 'ok', 'ok', 'link_locked'], 'the sixth is told to come again')
  t.strictSame(await openTimes(world, honest, 'right', 1), ['ok'])
})

t.test('damage and a busy cipher cost neither an open nor an attempt', async (t) => {
  const world = await createWorld()
  const token = await create(world, { password: 'right', openLimit: 1 })
  for (const error of [
    { code: 'cipher_busy' },
    { code: 'data_damaged', what: 'secret.note', id: 'x' },
  ] as const) {
    const secretCipher: SecretCipher = { ...world.ports.secretCipher, decryptNote: () => errAsync(error) }
    for (let open = 0; open < 6; open += 1) {
      const refused = await openSecret({ ...world.ports, secretCipher }, { token, password: 'right' })
      t.strictSame(refused._unsafeUnwrapErr(), error)
    }
  }
  t.ok((await openSecret(world.ports, { token, password: 'right' })).isOk())
})

t.test('nothing is delivered when the claim cannot be kept', async (t) => {
  const world = await createWorld()
  const token = await create(world, { openLimit: 1 })
  const full = { code: 'storage_unavailable', reason: 'full' } as const
  const links = { ...world.ports.links, update: () => errAsync(full) }
  t.strictSame((await openSecret({ ...world.ports, links }, { token }))._unsafeUnwrapErr(), full)
  t.ok((await openSecret(world.ports, { token })).isOk(), 'and nothing was spent')
})

t.test('whether a password was wrong is told only once that is counted', async (t) => {
  const world = await createWorld()
  const token = await create(world, { password: 'right' })
  const busy = { code: 'storage_unavailable', reason: 'busy' } as const
  let updates = 0
  const links: World['ports']['links'] = {
    ...world.ports.links,
    update: (lookup, formId, decide) =>
      (updates += 1) === 1 ? world.ports.links.update(lookup, formId, decide) : errAsync(busy),
  }
  t.strictSame(
    (await openSecret({ ...world.ports, links }, { token, password: 'wrong' }))._unsafeUnwrapErr(),
    busy,
  )
})

async function create(
  { ports, accountId, folderId }: World,
  secret: { readonly note?: string; readonly openLimit?: number; readonly password?: string },
): Promise<string> {
  const input = { accountId, folderId, label: 'a label', note: 'a note', ...secret }
  return (await createSecret(ports, input))._unsafeUnwrap().link.token
}

/** What came of so many opens at once. */
async function openTimes(
  { ports }: World,
  token: string,
  password: string,
  times: number,
): Promise<string[]> {
  const opens = await Promise.all(Array.from({ length: times }, () => openSecret(ports, { token, password })))
  return opens
    .map((open) => (open.isOk() ? 'ok' : open.error.code))
    .toSorted((a, b) => (a === 'ok' ? -1 : b === 'ok' ? 1 : 0))
}
