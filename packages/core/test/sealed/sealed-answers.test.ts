import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { sealedAnswerMaxBytes } from '../../src/sealed/sealed-note.ts'
import { uploaded } from '../files.ts'
import {
  all,
  ask,
  awayAddress,
  createWorld,
  dayMicros,
  handIn,
  requestKey,
  retireElsewhere,
  sealedAnswer,
  type World,
} from '../world.ts'

const notSealed = { code: 'answer_not_sealed' }
const refused = { code: 'draft_sealed' }

/** An answer that only its owner can decrypt. */
async function answered(world: World, note = sealedAnswer) {
  const { sotto, accountId } = world
  const request = await ask(world, { key: requestKey, answersAllowed: 5 })
  expectOk(await handIn(world, request.link.token, { note }))
  const [answer] = await all(sotto.listAnswers({ accountId, requestId: request.id }))
  return { request, id: answer!.id, answer: answer! }
}

t.test('a key of a request is a point that is not compressed, in canonical base64url', async (t) => {
  const world = await createWorld()
  const { sotto, accountId, folderId } = world
  const wrong = [
    '',
    'x',
    `${requestKey}A`,
    requestKey.slice(1),
    `A${requestKey.slice(1)}`,
    `BQ${requestKey.slice(2)}`,
  ]
  for (const key of [...wrong, `${requestKey.slice(0, -1)}B`, `${requestKey.slice(0, -1)}\n`])
    t.strictSame(expectErr(await sotto.createRequest({ accountId, folderId, title: 'a title', key })), {
      code: 'fields_invalid',
      errors: [{ field: 'key', rule: 'not_a_key' }],
    })
  const { id, link } = await ask(world, { key: requestKey })
  t.equal(expectOk(await sotto.getRequest({ accountId, id })).key, requestKey)
  t.equal(expectOk(await sotto.previewRequest(link)).key, requestKey)
  await retireElsewhere(world)
  t.equal(expectOk(await sotto.previewRequest(link)).key, requestKey, 'after a key rotation')
  const plain = await ask(world)
  t.notOk('key' in plain)
  t.notOk('key' in expectOk(await sotto.previewRequest(plain.link)))
})

// Promise (Encrypted in the browser): A request with a key takes no text that the server can read
t.test(
  'a request with a key takes sealed answers alone, up to their bound, and counts no other',
  async (t) => {
    const world = await createWorld()
    const { sotto, accountId } = world
    const { id, link } = await ask(world, { key: requestKey, answersAllowed: 5, takesFiles: true })
    const longest = `sotto-answer-1.${'A'.repeat(sealedAnswerMaxBytes(1_000) - 15)}`
    const others = [
      ...[
        '',
        'a text',
        sealedAnswer.slice(0, -1),
        `${sealedAnswer}=`,
        ` ${sealedAnswer}`,
        `${sealedAnswer}\n`,
      ],
      ...[
        `${longest}A`,
        sealedAnswer.replace('-1.', '-2.'),
        `sotto-sealed-1.${'A'.repeat(43)}.${'A'.repeat(478)}`,
      ],
    ]
    for (const note of others) {
      t.strictSame(expectErr(await handIn(world, link.token, { note })), notSealed)
      const asked = { token: link.token, address: awayAddress, note, hasFiles: true }
      t.strictSame(expectErr(await sotto.admitAnswer(asked)), notSealed)
    }
    t.equal(expectOk(await sotto.getRequest({ accountId, id })).answers, 0)
    for (const note of [sealedAnswer, longest]) {
      expectOk(await sotto.admitAnswer({ token: link.token, address: awayAddress, note }))
      expectOk(await handIn(world, link.token, { note }))
    }
    t.equal(expectOk(await sotto.getRequest({ accountId, id })).answers, 2)
  },
)

t.test('a sealed answer may be as long as one of the longest text is', (t) => {
  t.equal(sealedAnswerMaxBytes(65_536), 90_263)
  t.equal(sealedAnswerMaxBytes(1), 15 + 478)
  t.end()
})

t.test('a text that only looks sealed is a plain answer to a request without a key', async (t) => {
  const world = await createWorld()
  const { sotto, accountId } = world
  const { id: requestId, link } = await ask(world)
  expectOk(await handIn(world, link.token, { note: sealedAnswer }))
  const [answer] = await all(sotto.listAnswers({ accountId, requestId }))
  t.notOk('requestKey' in answer!)
  expectOk(await sotto.shareDraft({ accountId, id: answer!.id }))
})

t.test(
  'a sealed answer says with which key it is, in lists and when it is read, also once its request is over',
  async (t) => {
    const world = await createWorld()
    const { deps, sotto, accountId, folderId } = world
    const { request, id, answer } = await answered(world)
    t.match(answer, { requestKey, note: sealedAnswer })
    deps.clock.advance(8 * dayMicros)
    expectOk(
      await deps.requests.eraseExpired(deps.clock.nowMicros(), 10, () => {
        throw new Error('an answered request was reported')
      }),
    )
    t.match(expectErr(await sotto.getRequest({ accountId, id: request.id })), { code: 'request_not_found' })
    t.match(expectOk(await sotto.getDraft({ accountId, id })), { requestKey, note: sealedAnswer })
    t.match(await all(sotto.listDrafts({ accountId, folderId })), [{ id, requestKey }])
  },
)

// Promise (Encrypted in the browser): An answer that only its owner can decrypt is neither shared nor edited, and keeps what it is
t.test(
  'a sealed answer is neither shared nor edited, but moved, under another key, and deleted',
  async (t) => {
    const world = await createWorld()
    const { sotto, accountId, folderId } = world
    const { id } = await answered(world)
    const { id: other } = expectOk(await sotto.createFolder({ accountId, label: 'Other' }))
    const draft = { accountId, id, folderId, label: 'a title', openLimit: undefined, notify: false }
    const content = { note: 'another text' }
    t.strictSame(expectErr(await sotto.shareDraft({ accountId, id })), refused)
    t.strictSame(expectErr(await sotto.editDraft({ ...draft, content })), refused)
    t.strictSame(expectErr(await sotto.editDraft({ ...draft, content: { note: sealedAnswer } })), refused)
    t.strictSame(expectErr(await sotto.editDraft({ ...draft, label: 'x', content: undefined })), refused)
    expectOk(await sotto.editDraft({ ...draft, folderId: other, content: undefined }))
    await retireElsewhere(world)
    const moved = expectOk(await sotto.getDraft({ accountId, id }))
    t.match(moved, { folderId: other, requestKey, note: sealedAnswer })
    t.strictSame(expectErr(await sotto.shareDraft({ accountId, id })), refused)
    expectOk(await sotto.deleteDraft({ accountId, id }))
  },
)

t.test('files come with a sealed answer as with any other', async (t) => {
  const world = await createWorld()
  const { sotto, accountId } = world
  const { id: requestId, link } = await ask(world, { key: requestKey, takesFiles: true })
  const upload = await uploaded(world, ['sealed bytes'])
  t.strictSame(expectErr(await handIn(world, link.token, { note: '', upload })), notSealed)
  expectOk(await handIn(world, link.token, { note: sealedAnswer, upload }))
  const [answer] = await all(sotto.listAnswers({ accountId, requestId }))
  t.match(answer, { filesCount: 1, note: sealedAnswer, requestKey })
  t.equal(expectOk(await sotto.getDraft({ accountId, id: answer!.id })).files.length, 1)
})
