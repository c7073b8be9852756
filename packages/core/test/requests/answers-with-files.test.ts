import t from 'tap'
import { expectErr, expectOk, failing } from '@sotto/test-kit'
import type { Upload } from '../../src/files/secret-file.ts'
import { createSotto } from '../../src/sotto.ts'
import { contentsOf, counted, textOf, uploaded } from '../files.ts'
import {
  all,
  ask,
  awayAddress,
  createWorld,
  dayMicros,
  handIn,
  type RequestFields,
  type World,
} from '../world.ts'

const formId = '00112233445566778899aabbccddeeff'
const notFound = { code: 'request_not_found' }

/** A request that takes files, and what uploads for it as its page does. */
async function asking(fields: Partial<RequestFields> = {}) {
  const world = await createWorld()
  const request = await ask(world, { title: 'Passport', takesFiles: true, ...fields })
  const { token } = request.link
  const admit = (given: { readonly formId?: string } = {}) =>
    world.sotto.admitAnswer({ token, address: awayAddress, ...given })
  const upload = async (...names: readonly string[]): Promise<Upload> => {
    const { accountId } = expectOk(await admit())
    return uploaded({ sotto: world.sotto, accountId }, names)
  }
  return { ...world, world, request, token, admit, upload }
}

async function draftsOf({ sotto, accountId }: World) {
  const drafts = await all(sotto.listDrafts({ accountId }))
  return Promise.all(drafts.map(async ({ id }) => expectOk(await sotto.getDraft({ accountId, id }))))
}

const used = async ({ sotto, accountId }: World) => expectOk(await sotto.fileUsage({ accountId })).usedBytes

// Promise (Requests): Where a request takes files, an answer carries some, and they belong to the draft that it becomes
t.test('the files of an answer are those of its draft, and count for the owner', async (t) => {
  const { world, sotto, accountId, request, token, admit, upload } = await asking()
  t.match(expectOk(await sotto.previewRequest({ token })), { fileMaxBytes: 100 })
  t.match(expectOk(await admit()), { accountId, requestId: request.id, takesFiles: true, answersLeft: 1 })
  expectOk(await handIn(world, token, { note: 'both', upload: await upload('a.pdf', 'b.jpg') }))
  const [draft, ...others] = await draftsOf(world)
  t.match(draft, { label: 'Passport', note: 'both', showsFiles: false })
  t.match(draft?.files, [{ name: 'a.pdf', size: 5, type: 'text/plain' }, { name: 'b.jpg' }])
  t.strictSame(others, [])
  t.equal(await used(world), 2 * counted)
  const { link } = expectOk(await sotto.shareDraft({ accountId, id: draft!.id }))
  const { attached } = expectOk(await sotto.openSecret({ token: link.token }))
  const file = expectOk(await sotto.readTicket({ ticket: attached!.ticket, number: 2 }))
  t.equal(await textOf(file.read()), 'b.jpg')
})

// Promise (Requests): A file alone is an answer; an answer with neither text nor file is none
t.test('a file alone is an answer, and nothing at all is none', async (t) => {
  const { world, token, upload } = await asking()
  const empty = { code: 'fields_invalid', errors: [{ field: 'note', rule: 'empty' }] }
  for (const none of [undefined, await upload()])
    t.strictSame(expectErr(await handIn(world, token, { note: '', upload: none })), empty)
  const wrong = await handIn(world, token, { note: '\0', upload: await upload('a') })
  t.match(expectErr(wrong), { errors: [{ rule: 'nul_character' }] })
  expectOk(await handIn(world, token, { note: '', upload: await upload('a') }))
  t.match(await draftsOf(world), [{ note: '', files: [{ name: 'a' }] }])
})

// Promise (Requests): A request takes files only if its owner chose so, and where the installation takes any
t.test('files are refused where the request or the installation takes none', async (t) => {
  const { world, deps, accountId, folderId, token, upload } = await asking()
  const without = await ask(world)
  t.equal(expectOk(await world.sotto.previewRequest(without.link)).fileMaxBytes, undefined)
  const input = { token: without.link.token, address: awayAddress }
  t.match(expectOk(await world.sotto.admitAnswer(input)), { takesFiles: false })
  const files = await upload('a')
  const refused = await handIn(world, without.link.token, { upload: files })
  t.strictSame(expectErr(refused), { code: 'answer_without_files' })
  const off = createSotto({ ports: deps, policy: { ...deps.policy, files: undefined } })
  t.equal(expectOk(await off.previewRequest({ token })).fileMaxBytes, undefined)
  const handed = await handIn({ ...world, sotto: off }, token, { upload: files })
  t.strictSame(expectErr(handed), { code: 'answer_without_files' })
  const created = await off.createRequest({ accountId, folderId, title: 't', takesFiles: true })
  t.strictSame(expectErr(created), { code: 'files_off' })
  t.strictSame(await draftsOf(world), [])
})

// Promise (Requests): A form with files that is sent twice is one draft and one receipt, and leaves no second upload
t.test('a form that is sent again adds nothing, and is told so before it is read', async (t) => {
  const { world, sotto, token, admit, upload } = await asking()
  const [first, second] = [await upload('a'), await upload('a')]
  const at = { note: 'x', formId }
  const [one, other] = await Promise.all([
    handIn(world, token, { ...at, upload: first }),
    handIn(world, token, { ...at, upload: second }),
  ])
  const receipts = [expectOk(one), expectOk(other)]
  t.strictSame(receipts.map(({ isRepeated }) => isRepeated).toSorted(), [false, true])
  t.equal(receipts[0]?.receivedAtMicros, receipts[1]?.receivedAtMicros)
  const { receivedAtMicros } = receipts[0]!
  t.match(expectOk(await admit({ formId })), { receivedAtMicros, answersLeft: 0 })
  t.strictSame(expectErr(await admit()), notFound)
  expectOk(await sotto.dropUpload(receipts[0]?.isRepeated === true ? first : second))
  t.equal(contentsOf(world).length, 1)
  t.equal(await used(world), counted)
  t.match(await draftsOf(world), [{ files: [{ name: 'a' }] }])
})

// Promise (Requests): An answer whose request ends while its files arrive is refused, and leaves nothing behind
t.test('a request that ends meanwhile takes no file', async (t) => {
  const ends: Readonly<Record<string, (asked: Awaited<ReturnType<typeof asking>>) => Promise<unknown>>> = {
    closed: async ({ sotto, accountId, request }) =>
      expectOk(await sotto.closeRequest({ accountId, id: request.id })),
    full: async ({ world, token }) => expectOk(await handIn(world, token)),
    expired({ deps }) {
      deps.clock.advance(7 * dayMicros)
      return Promise.resolve()
    },
    disabled: async ({ sotto, accountId }) => expectOk(await sotto.disableAccount({ accountId })),
  }
  for (const [what, end] of Object.entries(ends)) {
    const asked = await asking()
    const files = await asked.upload('a', 'b')
    await end(asked)
    t.strictSame(expectErr(await handIn(asked.world, asked.token, { upload: files })), notFound, what)
    expectOk(await asked.sotto.dropUpload(files))
    t.strictSame(contentsOf(asked.world), [], what)
    t.equal(asked.deps.data.files.size, 0, what)
  }
})

t.test('an upload that was swept meanwhile is no part of an answer, and counts none', async (t) => {
  const { world, deps, sotto, accountId, request, token, upload } = await asking()
  const files = await upload('a')
  deps.clock.advance(dayMicros / 24)
  expectOk(await sotto.sweepFiles())
  t.match(expectErr(await handIn(world, token, { upload: files })), { code: 'storage_unavailable' })
  t.strictSame(await draftsOf(world), [])
  t.equal(expectOk(await sotto.getRequest({ accountId, id: request.id })).answers, 0)
})

t.test('files that were uploaded for another account are an error of the caller', async (t) => {
  const { world, token, upload } = await asking()
  const files = { ...(await upload('a')), accountId: '00000000-0000-7000-8000-000000000000' }
  await t.rejects(async () => handIn(world, token, { upload: files }), TypeError)
})

t.test('an answer is encrypted anew, its files with it, when the key was retired meanwhile', async (t) => {
  const { world, deps, token, upload } = await asking()
  let refused = 0
  const ports = {
    ...deps,
    requests: {
      ...deps.requests,
      answer: ((...given) => {
        refused += 1
        return refused === 1
          ? failing(deps.requests, { answer: { code: 'key_retired' } }).answer(...given)
          : deps.requests.answer(...given)
      }) as typeof deps.requests.answer,
    },
  }
  const sotto = createSotto({ ports, policy: deps.policy })
  expectOk(await handIn({ ...world, sotto }, token, { upload: await upload('a') }))
  t.match(await draftsOf(world), [{ files: [{ name: 'a' }] }])
  t.equal(refused, 2)
})
