import { createSamples, expectOk, noonMicros } from '@sotto/test-kit'
import { ok } from 'neverthrow'
import { test } from 'tap'
import { copyAsCrashed, open, temporaryDir } from '../support/helpers.ts'
import { addLink } from '../support/rows.ts'

test('messages are listed by creation and id, page after page, and can be removed once', async (t) => {
  const database = await open(temporaryDir(t))
  const { secret } = await addLink(database)
  const make = createSamples(9)
  const times = [3, 1, 2, 2, 1].map((time) => noonMicros + time)
  const messages = times.map((createdAtMicros) => ({
    id: make.uuid(),
    accountId: secret.accountId,
    type: 'secret.opened',
    createdAtMicros,
    body: '{"a":"ü"}',
  }))
  for (const message of messages)
    expectOk(await database.links.update(secret.link.lookup, undefined, () => ok({ messages: [message] })))
  const sorted = [1, 4, 2, 3, 0].map((at) => messages[at]!)
  t.same(expectOk(await database.outbox.page(undefined, 10)), sorted)
  t.same(expectOk(await database.outbox.page(undefined, 2)), sorted.slice(0, 2))
  t.same(expectOk(await database.outbox.page(sorted[1], 2)), sorted.slice(2, 4))
  t.equal(expectOk(await database.outbox.remove(sorted[0]!.id)), true)
  t.equal(expectOk(await database.outbox.remove(sorted[0]!.id)), false)
  t.same(expectOk(await database.outbox.page(undefined, 10)), sorted.slice(1))
  await database.close()
})

test('a message is in the files as soon as its change is acknowledged', async (t) => {
  const [dir, copy] = [temporaryDir(t), temporaryDir(t)]
  const database = await open(dir)
  const { make, secret } = await addLink(database)
  const message = {
    id: make.uuid(),
    accountId: secret.accountId,
    type: 'secret.opened',
    createdAtMicros: noonMicros,
    body: '{}',
  }
  const change = () => ok({ opens: 1, messages: [message] })
  expectOk(await database.links.update(secret.link.lookup, undefined, change))
  copyAsCrashed(dir, copy, 'sotto.sqlite')
  await database.close()
  const after = await open(copy)
  t.same(expectOk(await after.outbox.page(undefined, 10)), [message])
  await after.close()
})
