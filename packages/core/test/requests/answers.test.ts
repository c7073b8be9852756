import t from 'tap'
import { expectOk } from '@sotto/test-kit'
import { ask, createWorld, handIn, unknownId, type World } from '../world.ts'

t.test(
  'answers are listed with their texts, newest first, and are new until their owner has looked',
  async (t) => {
    const world = await createWorld()
    const { accountId } = world
    const request = await ask(world, { answersAllowed: 3 })
    for (const note of ['first', 'second']) expectOk(await handIn(world, request.link.token, { note }))
    const listed = await answersOf(world, request.id)
    t.match(listed, [
      { note: 'second', label: 'a title', answers: { requestId: request.id, isNew: true } },
      { note: 'first', label: 'a title', answers: { requestId: request.id, isNew: true } },
    ])
    const [latest] = listed
    t.equal(expectOk(await world.sotto.countNewAnswers({ accountId })), 2)
    expectOk(await world.sotto.markSeen({ accountId, id: latest!.id, news: 0 }))
    t.equal(expectOk(await world.sotto.countNewAnswers({ accountId })), 2, 'no news is nothing to mark')
    expectOk(await world.sotto.markSeen({ accountId, id: latest!.id, news: 1 }))
    t.equal(expectOk(await world.sotto.countNewAnswers({ accountId })), 1)
    t.match(await answersOf(world, undefined), [{ note: 'first' }])
    t.match(expectOk(await world.sotto.getDraft({ accountId, id: latest!.id })), {
      answers: { isNew: false },
    })
    t.strictSame(await answersOf(world, unknownId), [])
    t.strictSame(await answersOf(world, 'no id'), [])
  },
)

t.test('an answer with a password is listed without its text, a damaged one is left out', async (t) => {
  const world = await createWorld()
  const { accountId, folderId } = world
  const request = await ask(world, { answersAllowed: 3 })
  for (const note of ['first', 'second']) expectOk(await handIn(world, request.link.token, { note }))
  const [second, first] = await answersOf(world, request.id)
  const content = { note: 'first', password: 'a password' }
  expectOk(await world.sotto.editDraft({ accountId, folderId, label: 'x', id: first!.id, content }))
  t.match(await answersOf(world, request.id), [{ note: 'second' }, { note: undefined, hasPassword: true }])
  const row = world.deps.data.secrets.get(second!.id)!
  const note = { ...row.note!, note: row.note!.wrappedKey }
  world.deps.data.secrets.set(second!.id, { ...row, note })
  for await (const page of world.sotto.listAnswers({ accountId, requestId: request.id })) {
    const { items, corrupted } = expectOk(page)
    t.equal(items.length, 1)
    t.match(corrupted, [{ code: 'data_damaged', what: 'secret.note', id: second!.id }])
  }
})

async function answersOf({ sotto, accountId }: World, requestId: string | undefined) {
  const found = []
  for await (const page of sotto.listAnswers({ accountId, requestId, pageSize: 1 }))
    found.push(...expectOk(page).items)
  return found
}
