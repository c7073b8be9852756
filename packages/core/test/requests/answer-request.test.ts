import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { admitAnswer, previewRequest } from '../../src/requests/admit-answer.ts'
import { answerRequest } from '../../src/requests/answer-request.ts'
import { corruptRequest } from '../corruption.ts'
import {
  all,
  ask,
  awayAddress,
  createWorld,
  dayMicros,
  email,
  handIn,
  homeAddress,
  inOtherProcess,
  leaseDue,
  minuteMicros,
  newSecret,
  secondMicros,
  startMicros,
  type World,
} from '../world.ts'

const formId = '00112233445566778899aabbccddeeff'
const notFound = { code: 'request_not_found' }

t.test('whoever has the link sees who asks for what, and nothing is counted', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { link, closesAtMicros } = await ask(world, { title: 'Router', text: 'Its password' })
  const seen = { from: undefined, title: 'Router', text: 'Its password', closesAtMicros }
  const remaining = { remainingSeconds: 7 * 86_400 - 1, fileMaxBytes: undefined }
  deps.clock.advance(1)
  for (let time = 0; time < 3; time += 1)
    t.strictSame(expectOk(await previewRequest(deps, link)), { ...seen, ...remaining })
  expectOk(await sotto.setDisplayName({ accountId, displayName: 'Ann Reed' }))
  t.equal(expectOk(await previewRequest(deps, link)).from, 'Ann Reed')
})

// Promise (Requests): An acknowledged answer is a draft in the request's folder, with its title
t.test('an answer becomes a draft in the request’s folder, with its title', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId, folderId } = world
  const { id, link } = await ask(world, { title: 'Router' })
  deps.clock.advance(secondMicros)
  const answer = { token: link.token, address: awayAddress, note: 'correct horse\n' }
  const receipt = expectOk(await answerRequest(deps, answer))
  t.strictSame(receipt, { receivedAtMicros: startMicros + secondMicros, isRepeated: false })
  const [draft, ...others] = await all(sotto.listDrafts({ accountId, folderId }))
  t.match(draft, { label: 'Router', createdAtMicros: receipt.receivedAtMicros, notify: false })
  t.strictSame(others, [])
  t.equal(expectOk(await sotto.getDraft({ accountId, id: draft!.id })).note, 'correct horse\n')
  t.equal(expectOk(await sotto.getRequest({ accountId, id })).answers, 1)
  const shared = expectOk(await sotto.shareDraft({ accountId, id: draft!.id }))
  t.equal(expectOk(await sotto.openSecret({ token: shared.link.token })).note, 'correct horse\n')
})

/** Tokens of requests that nobody can answer, one for each cause. Sets the clock. */
async function deadTokens(world: World): Promise<readonly string[]> {
  const { deps, sotto, accountId } = world
  const over = (await ask(world)).link.token
  deps.clock.advance(7 * dayMicros)
  const full = (await ask(world)).link.token
  expectOk(await handIn(world, full, { address: homeAddress }))
  const closed = await ask(world)
  expectOk(await sotto.closeRequest({ accountId, id: closed.id }))
  const secret = expectOk(await sotto.createSecret(newSecret(world))).link.token
  return ['', 'A'.repeat(43), `${full}A`, over, full, closed.link.token, secret]
}

// Promise (Requests): Closed, full, expired, unknown and malformed links of requests, and those of secrets, give one identical answer
t.test('a link that cannot be answered is not found, whatever the cause', async (t) => {
  const world = await createWorld()
  const { deps } = world
  for (const token of await deadTokens(world)) {
    const answer = { token, address: awayAddress, note: '' }
    t.strictSame(expectErr(await previewRequest(deps, { token })), notFound)
    t.strictSame(expectErr(await admitAnswer(deps, answer)), notFound)
    t.strictSame(expectErr(await answerRequest(deps, answer)), notFound)
  }
})

// Promise (Requests): The token of a request opens no secret, and that of a secret answers no request
t.test('the token of a request opens nothing', async (t) => {
  const world = await createWorld()
  const { link } = await ask(world)
  const notFoundLink = { code: 'link_not_found' }
  t.strictSame(expectErr(await world.sotto.openSecret(link)), notFoundLink)
  t.strictSame(expectErr(await world.sotto.previewLink(link)), notFoundLink)
})

// Promise (Requests): Disabling or deleting an account ends the links of its requests
t.test('a link ends with its account', async (t) => {
  const ends = {
    disabled: ({ sotto, accountId }: World) => sotto.disableAccount({ accountId }),
    deleted: ({ sotto, accountId }: World) => sotto.deleteAccount({ accountId }),
  }
  for (const [what, end] of Object.entries(ends)) {
    const world = await createWorld()
    const { link } = await ask(world, { answersAllowed: 2 })
    expectOk(await handIn(world, link.token, { formId }))
    expectOk(await end(world))
    t.strictSame(expectErr(await previewRequest(world.deps, link)), notFound, what)
    for (const given of [{}, { formId }])
      t.strictSame(expectErr(await handIn(world, link.token, given)), notFound, what)
  }
})

t.test('a note is checked like that of a draft, after everything else', async (t) => {
  const world = await createWorld()
  const { link } = await ask(world)
  const faults = {
    '': { rule: 'empty' },
    '\0': { rule: 'nul_character' },
    '\ud800': { rule: 'lone_surrogate' },
    ['x'.repeat(1_001)]: { rule: 'too_long', limit: 1_000 },
  }
  for (const [note, broken] of Object.entries(faults)) {
    const refused = expectErr(await handIn(world, link.token, { note }))
    t.strictSame(refused, { code: 'fields_invalid', errors: [{ field: 'note', ...broken }] })
  }
  t.ok((await handIn(world, link.token)).isOk(), 'none of them was counted')
})

// Promise (Requests): There are never more answers than a request allows, whatever the concurrency
t.test('of many answers at the same time as many are accepted as the request allows', async (t) => {
  for (const answersAllowed of [1, 2, 5]) {
    const world = await createWorld()
    const { sotto, accountId } = world
    const { id, link } = await ask(world, { answersAllowed })
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => handIn(world, link.token, { address: `192.0.2.${at}` })),
    )
    t.equal(answers.filter((each) => each.isOk()).length, answersAllowed)
    for (const answer of answers) if (answer.isErr()) t.strictSame(answer.error, notFound)
    t.equal((await all(sotto.listDrafts({ accountId }))).length, answersAllowed)
    t.equal(expectOk(await sotto.getRequest({ accountId, id })).answers, answersAllowed)
  }
})

// Promise (Requests): A form that is sent twice is one answer, and gets the same receipt
t.test(
  'a form that is sent again adds nothing, and gets its receipt also when the request is full',
  async (t) => {
    const world = await createWorld()
    const { deps, sotto, accountId } = world
    const { id, link } = await ask(world)
    const { receivedAtMicros } = expectOk(await handIn(world, link.token, { formId }))
    deps.clock.advance(secondMicros)
    const again = { receivedAtMicros, isRepeated: true }
    t.strictSame(expectOk(await handIn(world, link.token, { formId })), again)
    t.strictSame(expectOk(await handIn(world, link.token, { formId, note: 'another' })), again)
    expectOk(await sotto.closeRequest({ accountId, id }))
    deps.clock.advance(7 * dayMicros)
    t.strictSame(expectOk(await handIn(world, link.token, { formId })), again, 'after its end')
    t.equal((await all(sotto.listDrafts({ accountId }))).length, 1)
    const other = formId.replace('0', '1')
    t.strictSame(expectErr(await handIn(world, link.token, { formId: other })), notFound)
  },
)

t.test('a form that is sent twice at the same time is one answer', async (t) => {
  const world = await createWorld()
  const { link } = await ask(world, { answersAllowed: 2 })
  const receipts = await Promise.all([1, 2, 3].map(() => handIn(world, link.token, { formId })))
  const times = receipts.map((each) => expectOk(each).receivedAtMicros)
  t.equal(new Set(times).size, 1)
  t.equal(receipts.filter((each) => expectOk(each).isRepeated).length, 2)
  t.equal(world.deps.data.secrets.size, 1)
})

// Promise (Requests): Never more than 20 answers within an hour are accepted from one address; refused ones are not counted
t.test('an address hands in at most 20 answers within any hour', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const { token } = (await ask(world, { answersAllowed: 100 })).link
  const { token: other } = (await ask(world, { answersAllowed: 100 })).link
  const dead = expectErr(await handIn(world, 'A'.repeat(43)))
  t.strictSame(dead, notFound)
  for (let nr = 0; nr < 30; nr += 1) expectErr(await handIn(world, token, { note: '' }), 'fields_invalid')
  for (let nr = 0; nr < 20; nr += 1) {
    expectOk(await handIn(world, nr % 2 === 0 ? token : other))
    deps.clock.advance(minuteMicros)
  }
  const retryAfterSeconds = 40 * 60
  const refused = { code: 'too_many_answers', retryAfterSeconds }
  for (const note of ['x', '']) t.strictSame(expectErr(await handIn(world, token, { note })), refused)
  t.strictSame(expectErr(await admitAnswer(deps, { token, address: awayAddress })), refused)
  t.ok((await handIn(world, token, { address: homeAddress })).isOk(), 'another address')
  deps.clock.advance(retryAfterSeconds * secondMicros - 1)
  expectErr(await handIn(world, token), 'too_many_answers')
  deps.clock.advance(1)
  expectOk(await admitAnswer(deps, { token, address: awayAddress }))
  expectOk(await handIn(world, token))
  expectErr(await handIn(world, token), 'too_many_answers')
})

t.test('of parallel answers from one address 20 are accepted', async (t) => {
  const world = await createWorld()
  const { token } = (await ask(world, { answersAllowed: 100 })).link
  const answers = await Promise.all(Array.from({ length: 30 }, () => handIn(world, token)))
  t.equal(answers.filter((each) => each.isOk()).length, 20)
  for (const answer of answers) if (answer.isErr()) t.equal(answer.error.code, 'too_many_answers')
})

t.test('a clock that ran ahead blocks an address no longer than the limit does', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const { token } = (await ask(world, { answersAllowed: 100, lifetimeSeconds: 30 * 86_400 })).link
  deps.clock.set(startMicros + 20 * dayMicros)
  for (let nr = 0; nr < 20; nr += 1) expectOk(await handIn(world, token))
  deps.clock.set(startMicros)
  t.match(expectErr(await handIn(world, token)), { code: 'too_many_answers', retryAfterSeconds: 3_600 })
  deps.clock.advance(60 * minuteMicros + 1)
  t.ok((await handIn(world, token)).isOk(), 'the correction was stored')
})

// Promise (Requests): An owner who wants to hear of answers hears of each, once
t.test('each answer to a request with news is one event', async (t) => {
  const world = await createWorld()
  const { deps, accountId, folderId } = world
  const { id, link, closesAtMicros } = await ask(world, { notify: true, answersAllowed: 2, title: 'Router' })
  for (const given of [{ formId }, { formId }, {}]) {
    expectOk(await handIn(world, link.token, given))
    deps.clock.advance(1)
  }
  expectOk(await handIn(world, (await ask(world)).link.token))
  const about = { type: 'request.answered', accountId, requestId: id, folderId }
  t.match(
    [...deps.data.outbox.values()].toSorted((one, other) => one.createdAtMicros - other.createdAtMicros),
    [
      { ...about, answers: 1, answersLeft: 1, createdAtMicros: startMicros, expiresAtMicros: closesAtMicros },
      { ...about, answers: 2, answersLeft: 0 },
    ],
  )
  t.equal(deps.data.outbox.size, 2)
  t.notOk(JSON.stringify([...deps.data.outbox.values()]).includes('Router'))
})

t.test('the mail about an answer names the title where its owner chose that', async (t) => {
  const world = await createWorld()
  const { sotto, deps, accountId } = world
  const { link } = await ask(world, { notify: true, title: 'Router', answersAllowed: 2 })
  for (const nameLabels of [false, true]) {
    expectOk(await sotto.setMails({ accountId, enabled: true, nameLabels }))
    expectOk(await handIn(world, link.token))
    expectOk(await sotto.deliverLease({ lease: await leaseDue(world, 'mail') }))
    const { to, content } = deps.mailSender.attempts.at(-1)!
    t.equal(to, email)
    t.match(content, { kind: 'event', event: { type: 'request.answered' } })
    t.equal(content.kind === 'event' && content.label, nameLabels ? 'Router' : undefined)
  }
})

t.test('an answer in a process that has not read the new key yet is written under it', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { link } = await ask(world)
  const other = inOtherProcess(deps)
  expectOk(await sotto.rotateKeys())
  expectOk(await answerRequest(other, { token: link.token, address: awayAddress, note: 'x' }))
  const [draft] = await all(sotto.listDrafts({ accountId }))
  t.equal(deps.data.secrets.get(draft!.id)?.secret.kid, deps.keyRing.activeKid())
})

t.test(
  'a request that does not decrypt, or to something else, is answered with its corruption',
  async (t) => {
    const world = await createWorld()
    const { deps, accountId } = world
    const [{ id, link }, other] = [await ask(world), await ask(world)]
    corruptRequest(world, id)
    const row = deps.data.requests.get(other.id)!
    const place = { column: 'request.content', accountId, rowId: other.id } as const
    const content = deps.textCipher.encryptText(place, 'a text without a token')
    deps.data.requests.set(other.id, { ...row, request: { ...row.request, content } })
    for (const each of [{ id, link }, other]) {
      const corruption = { code: 'data_damaged', what: 'request.content', id: each.id }
      t.strictSame(expectErr(await previewRequest(deps, each.link)), corruption)
      t.strictSame(expectErr(await handIn(world, each.link.token)), corruption)
    }
    t.equal(deps.data.secrets.size, 0)
  },
)
