import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { errAsync } from 'neverthrow'
import {
  closeRequest,
  countRequests,
  createRequest,
  getRequest,
  listRequests,
} from '../../src/requests/requests.ts'
import { all, ask, createWorld, dayMicros, handIn, inOtherProcess, startMicros, unknownId } from '../world.ts'

t.test('a request is found as it was made, with its link', async (t) => {
  const { deps, accountId, folderId } = await createWorld()
  const input = { accountId, folderId: folderId.toUpperCase(), title: 'Router', text: 'Its\r\npassword' }
  const made = expectOk(await createRequest(deps, { ...input, answersAllowed: 3, notify: true }))
  t.match(made, {
    ...{ folderId, title: 'Router', text: 'Its\npassword', answersAllowed: 3, answers: 0, notify: true },
    ...{ createdAtMicros: startMicros, closesAtMicros: startMicros + 7 * dayMicros },
    link: { token: /^[\w-]{43}$/ },
  })
  t.equal(made.closedAtMicros, undefined)
  t.strictSame(expectOk(await getRequest(deps, { accountId, id: made.id })), made)
  t.strictSame(await all(listRequests(deps, { accountId })), [made])
})

t.test('one answer, no text and no news are the defaults', async (t) => {
  const world = await createWorld()
  t.match(await ask(world), { text: '', answersAllowed: 1, notify: false })
})

t.test('every invalid field is named at once, and a single one is enough', async (t) => {
  const { deps, accountId, folderId } = await createWorld()
  for (const [field, value, rule] of [
    ['title', 'a\nb', 'control_character'],
    ['text', 'a\0b', 'control_character'],
    ['text', '\ud800', 'lone_surrogate'],
    ['answersAllowed', 0, 'out_of_range'],
    ['answersAllowed', 1.5, 'out_of_range'],
    ['lifetimeSeconds', 0, 'out_of_range'],
  ] as const) {
    const single = await createRequest(deps, { accountId, folderId, title: 'x', [field]: value })
    const { errors } = expectErr(single, 'fields_invalid')
    t.strictSame([errors.length, errors[0]?.field, errors[0]?.rule], [1, field, rule])
  }
  const made = await createRequest(deps, {
    ...{ accountId, folderId: unknownId, title: 'a\nb', text: 'x'.repeat(2_001) },
    ...{ answersAllowed: 101, lifetimeSeconds: 30 * 86_400 + 1 },
  })
  t.strictSame(expectErr(made), {
    code: 'fields_invalid',
    errors: [
      { field: 'title', rule: 'control_character' },
      { field: 'text', rule: 'too_long', limit: 2_000 },
      { field: 'answersAllowed', rule: 'out_of_range', limit: 100 },
      { field: 'lifetimeSeconds', rule: 'out_of_range', limit: 2_592_000 },
      { field: 'folderId', rule: 'unknown_folder' },
    ],
  })
})

t.test('the bounds themselves are allowed', async (t) => {
  const world = await createWorld()
  const made = await ask(world, {
    ...{ title: '🔑'.repeat(255), text: `${'🔑'.repeat(1_997)}\n\t\n` },
    ...{ answersAllowed: 100, lifetimeSeconds: 30 * 86_400 },
  })
  t.equal(made.closesAtMicros, startMicros + 30 * dayMicros)
  t.equal(Array.from(made.text).length, 2_000)
})

t.test('a folder that is deleted while the request is made is an unknown one', async (t) => {
  const { deps, accountId, folderId } = await createWorld()
  const requests = { ...deps.requests, insert: () => errAsync({ code: 'folder_not_found' } as const) }
  const made = await createRequest({ ...deps, requests }, { accountId, folderId, title: 'x' })
  const errors = [{ field: 'folderId', rule: 'unknown_folder' }]
  t.strictSame(expectErr(made), { code: 'fields_invalid', errors })
})

t.test(
  'a request that was made before a rotation by another process is written under the new key',
  async (t) => {
    const world = await createWorld()
    const { deps, sotto, accountId, folderId } = world
    const other = inOtherProcess(deps)
    expectOk(await sotto.rotateKeys())
    const made = expectOk(await createRequest(other, { accountId, folderId, title: 'late' }))
    t.equal(deps.data.requests.get(made.id)?.request.content.kid, deps.keyRing.activeKid())
    t.strictSame(expectOk(await sotto.getRequest({ accountId, id: made.id })), made)
  },
)

t.test('requests are listed newest first, page by page, until they close by themselves', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'Other' }))
  const short = await ask(world, { lifetimeSeconds: 86_400 })
  deps.clock.advance(1)
  const elsewhere = await ask(world, { folderId })
  deps.clock.advance(1)
  const last = await ask(world)
  expectOk(await closeRequest(deps, { accountId, id: last.id }))
  const ids = async (input: { readonly folderId?: string; readonly pageSize?: number }) =>
    (await all(listRequests(deps, { accountId, ...input }))).map(({ id }) => id)
  t.strictSame(await ids({ pageSize: 2 }), [last.id, elsewhere.id, short.id])
  t.strictSame(await ids({ folderId }), [elsewhere.id])
  t.strictSame(await ids({ folderId: 'x' }), [])
  deps.clock.advance(dayMicros - 2)
  t.strictSame(await ids({}), [last.id, elsewhere.id])
  t.strictSame(expectErr(await getRequest(deps, { accountId, id: short.id })), notFound)
})

const notFound = { code: 'request_not_found' }

t.test('a request is of its account: unknown, malformed and others’ ids are not found', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const { id } = await ask(world)
  for (const input of [
    { accountId, id: unknownId },
    { accountId, id: 'x' },
    { accountId: unknownId, id },
  ]) {
    t.strictSame(expectErr(await getRequest(deps, input)), notFound)
    t.strictSame(expectErr(await closeRequest(deps, input)), notFound)
  }
  t.equal(expectOk(await getRequest(deps, { accountId, id })).closedAtMicros, undefined)
})

t.test('closing ends the link, keeps its time, and tells nobody', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id, link } = await ask(world, { notify: true })
  expectOk(await closeRequest(deps, { accountId, id }))
  deps.clock.advance(dayMicros)
  expectOk(await closeRequest(deps, { accountId, id }))
  t.equal(expectOk(await getRequest(deps, { accountId, id })).closedAtMicros, startMicros)
  t.strictSame(expectErr(await sotto.previewRequest({ token: link.token })), notFound)
  t.strictSame(expectErr(await handIn(world, link.token)), notFound)
  deps.clock.advance(7 * dayMicros)
  expectOk(await sotto.sweepExpired())
  t.equal(deps.data.outbox.size + deps.data.requests.size, 0)
})

t.test('requests that can be answered are counted', async (t) => {
  const world = await createWorld()
  const { deps, accountId, folderId } = world
  const [first] = [await ask(world), await ask(world)]
  t.equal(expectOk(await countRequests(deps, { accountId })), 2)
  expectOk(await handIn(world, first.link.token))
  t.equal(expectOk(await countRequests(deps, { accountId, folderId })), 1)
  t.equal(expectOk(await countRequests(deps, { accountId, folderId: unknownId })), 0)
})

// Promise (Requests): Whoever has the database reads neither title nor text nor link of a request
t.test('title, text and link are stored encrypted', async (t) => {
  const world = await createWorld()
  const { link } = await ask(world, { title: 'Router in the cellar', text: 'Its password' })
  const [row] = [...world.deps.data.requests.values()]
  const { kid, ciphertext } = row!.request.content
  t.ok(kid > 0 && ciphertext.length > 0)
  const plain = JSON.stringify({ ...row, request: { ...row!.request, content: undefined } })
  for (const hidden of ['Router', 'password', link.token]) t.notOk(plain.includes(hidden))
})

// Promise (Requests): Deleting a folder ends the links of its requests
t.test('a folder with a request that can be answered is kept, or deleted with it', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId, folderId: id } = world
  const requests = []
  while (requests.length < 60) requests.push(await ask(world))
  const [{ link } = { link: { token: '' } }] = requests
  t.strictSame(expectErr(await sotto.deleteFolder({ accountId, id })), { code: 'folder_not_empty' })
  expectOk(await sotto.deleteFolder({ accountId, id, withContents: true }))
  t.equal(deps.data.requests.size, 0)
  t.strictSame(expectErr(await handIn(world, link.token)), notFound)
})

t.test('an answer that arrives while its folder is emptied is not lost', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId, folderId: id } = world
  const { link } = await ask(world)
  expectOk(await handIn(world, link.token))
  const order: string[] = []
  const requests = {
    ...deps.requests,
    eraseIn: (...given: Parameters<typeof deps.requests.eraseIn>) => {
      order.push('requests')
      return deps.requests.eraseIn(...given)
    },
  }
  const drafts = {
    ...deps.drafts,
    erase: (...given: Parameters<typeof deps.drafts.erase>) => {
      order.push('draft')
      return deps.drafts.erase(...given)
    },
  }
  const { deleteFolder } = await import('../../src/folders/folders.ts')
  expectOk(await deleteFolder({ ...deps, requests, drafts }, { accountId, id, withContents: true }))
  t.strictSame(order, ['requests', 'draft'], 'no link is left when the first draft goes')
  t.strictSame(await all(sotto.listFolders({ accountId })), [])
})

// Promise (Requests): A request that nobody answers in time is reported once, if its owner wants to hear of it
t.test('the sweep erases requests that are over, and reports those that nobody answered', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId, folderId } = world
  const { id, closesAtMicros } = await ask(world, { notify: true, answersAllowed: 2 })
  await ask(world)
  const answered = await ask(world, { notify: true })
  expectOk(await handIn(world, answered.link.token))
  deps.data.outbox.clear()
  deps.clock.advance(7 * dayMicros)
  expectOk(await sotto.sweepExpired())
  t.equal(deps.data.requests.size, 3, 'lists that began before go on')
  deps.clock.advance(10 * 60 * 1_000_000)
  expectOk(await sotto.sweepExpired())
  expectOk(await sotto.sweepExpired())
  t.equal(deps.data.requests.size, 0)
  const [event, ...others] = deps.data.outbox.values()
  t.match(event, {
    ...{ type: 'request.closed_unanswered', accountId, requestId: id, folderId, answers: 0, answersLeft: 2 },
    ...{ createdAtMicros: closesAtMicros, expiresAtMicros: closesAtMicros },
  })
  t.strictSame(others, [])
})
