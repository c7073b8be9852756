import t from 'tap'
import { createMemoryMailSender, expectOk } from '@sotto/test-kit'
import type { Delivery } from '../../../src/notifications/queue/delivery-store.ts'
import { deliverLease } from '../../../src/notifications/deliver-lease.ts'
import { listDeliveries } from '../../../src/notifications/queue/deliveries.ts'
import type { Page } from '../../../src/shared/pages.ts'
import { addWebhook, all, createWorld, leaseDue, openTimes, shareHeard } from '../../world.ts'

const refused = { code: 'send_failed', reason: 'status 550', verdict: 'never' } as const

t.test('messages are listed in the order of their events, page by page', async (t) => {
  const world = await createWorld()
  await openTimes(world, await shareHeard(world, { openLimit: 9 }), 5)
  expectOk(await world.sotto.distributeEvents())
  const pages: Page<Delivery>[] = []
  for await (const page of listDeliveries(world.deps, { pageSize: 2 })) pages.push(expectOk(page))
  const opens = pages.map(({ items }) => items.map(({ event }) => 'opens' in event && event.opens))
  t.strictSame(opens, [[1, 2], [3, 4], [5]])
  const after = await all(listDeliveries(world.deps, { after: pages[0]?.next }))
  t.strictSame(
    after.map(({ event }) => 'opens' in event && event.opens),
    [3, 4, 5],
  )
})

t.test(
  'a list shows all messages, those given up, or those that wait; of all accounts, or one',
  async (t) => {
    const world = await createWorld()
    const { deps, sotto } = world
    const { id: accountId } = expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
    const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'x' }))
    const other = { ...world, accountId, folderId }
    await addWebhook(other)
    await openTimes(world, await shareHeard(world))
    const lease = await leaseDue(world, 'mail')
    const mailSender = createMemoryMailSender({ answer: () => refused })
    expectOk(await deliverLease({ ...deps, mailSender }, { lease }))
    await openTimes(world, await shareHeard(other))
    expectOk(await sotto.distributeEvents())
    const count = async (input?: Parameters<typeof listDeliveries>[1]) =>
      (await all(listDeliveries(deps, input))).length
    t.strictSame([await count(), await count({ dead: true }), await count({ dead: false })], [3, 1, 2])
    t.strictSame([await count({ accountId }), await count({ accountId, dead: true })], [2, 0])
  },
)
