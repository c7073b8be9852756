import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { distributeEvents } from '../../src/notifications/distribute-events.ts'
import { corruptName } from '../corruption.ts'
import {
  addWebhook,
  all,
  counting,
  createWorld,
  openTimes,
  shareHeard,
  unknownId,
  type World,
} from '../world.ts'

const mailsOnly = ['mail']

/** The kinds of the deliveries that wait. */
async function kinds({ sotto }: World): Promise<string[]> {
  const deliveries = await all(sotto.listDeliveries())
  return deliveries.map(({ target }) => target.kind).toSorted()
}

t.test('each event becomes a mail and a message to each webhook, due now', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const ids = [await addWebhook(world), await addWebhook(world)]
  const secret = await shareHeard(world, { openLimit: 3 })
  await openTimes(world, secret)
  t.strictSame(expectOk(await distributeEvents(deps)), { distributed: 1, more: false })
  const deliveries = await all(sotto.listDeliveries())
  const due = { dueAtMicros: deps.clock.nowMicros(), joins: false, count: 1, attempts: 0 }
  const event = { type: 'secret.opened', secretId: secret.id, opens: 1, opensLeft: 2 }
  const mail = deliveries.find(({ target }) => target.kind === 'mail')
  t.match(mail, { ...due, event, target: { kind: 'mail', accountId } })
  const webhooks = deliveries.filter(({ target }) => target.kind === 'webhook')
  for (const delivery of webhooks) t.match(delivery, { ...due, event })
  t.strictSame(
    webhooks.map(({ target }) => target.kind === 'webhook' && target.webhookId).toSorted(),
    ids.toSorted(),
  )
  t.equal(new Set(deliveries.map(({ id }) => id)).size, 3)
  t.equal(new Set(deliveries.map(({ event: { id } }) => id)).size, 1, 'all under the id of the event')
  t.strictSame(expectOk(await distributeEvents(deps)), { distributed: 0, more: false })
})

t.test('messages about opens of a secret without limit join while they wait', async (t) => {
  const world = await createWorld()
  await addWebhook(world)
  const open = async (fields: object) => openTimes(world, await shareHeard(world, fields), 3)
  await open({})
  await open({ openLimit: 9 })
  expectOk(await distributeEvents(world.deps))
  const deliveries = await all(world.sotto.listDeliveries())
  const joining = deliveries.filter(({ joins }) => joins)
  const joined = { count: 3, event: { opens: 3, opensLeft: undefined } }
  t.match(joining, [joined, joined])
  t.strictSame(joining.map(({ target }) => target.kind).toSorted(), ['mail', 'webhook'])
  t.equal(deliveries.length, 1 + 1 + 3 + 3)
})

t.test('messages to a webhook also join with an open limit above 1,000', async (t) => {
  for (const openLimit of [1_000, 1_001]) {
    const world = await createWorld()
    await addWebhook(world)
    await openTimes(world, await shareHeard(world, { openLimit }), 2)
    expectOk(await distributeEvents(world.deps))
    const counts = Map.groupBy(await all(world.sotto.listDeliveries()), ({ target }) => target.kind)
    t.equal(counts.get('mail')?.length, 2)
    t.equal(counts.get('webhook')?.length, openLimit > 1_000 ? 1 : 2)
  }
})

t.test('mails about locks and expiries do not join', async (t) => {
  const world = await createWorld()
  const { link } = await shareHeard(world, { password: 'right' })
  for (let guess = 0; guess < 5; guess += 1)
    expectErr(await world.sotto.openSecret({ token: link.token, password: 'x' }))
  expectOk(await distributeEvents(world.deps))
  world.deps.clock.set(link.createdAtMicros + 31 * 86_400_000_000)
  expectOk(await world.sotto.sweepExpired())
  expectOk(await distributeEvents(world.deps))
  const deliveries = await all(world.sotto.listDeliveries())
  t.match(
    deliveries.map(({ event: { type }, joins }) => [type, joins]),
    [
      ['secret.locked', false],
      ['secret.expired_unopened', false],
    ],
  )
})

const causes: Readonly<Record<string, { prepare: (world: World) => Promise<unknown>; expected: string[] }>> =
  {
    'an account that is disabled hears of nothing': {
      prepare: async ({ sotto, accountId }) => expectOk(await sotto.disableAccount({ accountId })),
      expected: [],
    },
    'an owner who wants no mails gets none': {
      prepare: async ({ sotto, accountId }) =>
        expectOk(await sotto.setMails({ accountId, enabled: false, nameLabels: true })),
      expected: ['webhook'],
    },
    'a disabled webhook gets nothing': {
      async prepare({ deps, accountId }) {
        const [id] = deps.data.webhooks.keys()
        const disabled = { atMicros: 1, reason: 'gone' } as const
        expectOk(await deps.webhooks.update(accountId, id!, () => ({ disabled })))
      },
      expected: mailsOnly,
    },
    'an account whose name does not decrypt gets a mail, which fails visibly': {
      prepare: async (world) => corruptName(world),
      expected: ['mail', 'webhook'],
    },
  }

for (const [name, { prepare, expected }] of Object.entries(causes)) {
  t.test(name, async (t) => {
    const world = await createWorld()
    await addWebhook(world)
    await openTimes(world, await shareHeard(world))
    await prepare(world)
    t.strictSame(expectOk(await distributeEvents(world.deps)), { distributed: 1, more: false })
    t.strictSame(await kinds(world), expected)
    t.equal(world.deps.data.outbox.size, 0)
  })
}

t.test('an account without an email address gets no mails', async (t) => {
  const world = await createWorld()
  const { sotto } = world
  const { id: accountId } = expectOk(await sotto.ensureAccount({ externalId: 'user-1' }))
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'x' }))
  const other = { ...world, accountId, folderId }
  await addWebhook(other)
  await openTimes(world, await shareHeard(other))
  expectOk(await distributeEvents(world.deps))
  t.strictSame(await kinds(world), ['webhook'])
})

t.test('without a sender nothing waits for it', async (t) => {
  const world = await createWorld()
  await addWebhook(world)
  const secret = await shareHeard(world, { openLimit: 3 })
  await openTimes(world, secret)
  expectOk(await distributeEvents({ ...world.deps, mailSender: undefined }))
  t.strictSame(await kinds(world), ['webhook'])
  await openTimes(world, secret)
  expectOk(await distributeEvents({ ...world.deps, webhookSender: undefined }))
  t.strictSame(await kinds(world), ['mail', 'webhook'])
  await openTimes(world, secret)
  const none = { mailSender: undefined, webhookSender: undefined }
  t.equal(expectOk(await distributeEvents({ ...world.deps, ...none })).distributed, 1)
  t.strictSame(await kinds(world), ['mail', 'webhook'])
})

t.test('an event of an account that is gone is erased', async (t) => {
  const world = await createWorld()
  await openTimes(world, await shareHeard(world))
  const [event] = world.deps.data.outbox.values()
  world.deps.data.outbox.set(event!.id, { ...event!, accountId: unknownId })
  t.equal(expectOk(await distributeEvents(world.deps)).distributed, 1)
  t.strictSame([await kinds(world), world.deps.data.outbox.size], [[], 0])
})

t.test('a call reads at most so many events, and tells whether there may be more', async (t) => {
  const world = await createWorld()
  await openTimes(world, await shareHeard(world, { openLimit: 9 }), 3)
  t.strictSame(expectOk(await distributeEvents(world.deps, { limit: 2 })), { distributed: 2, more: true })
  t.strictSame(expectOk(await distributeEvents(world.deps, { limit: 2 })), { distributed: 1, more: false })
  const opened = await all(world.sotto.listDeliveries())
  t.strictSame(opened.map(({ event }) => 'opens' in event && event.opens).toSorted(), [1, 2, 3])
})

t.test('a hundred events are read by default; account and webhooks once for all of them', async (t) => {
  const world = await createWorld()
  const { deps } = world
  await openTimes(world, await shareHeard(world), 101)
  const accounts = counting(deps.accounts)
  const webhooks = counting(deps.webhooks)
  const counted = { ...deps, accounts: accounts.port, webhooks: webhooks.port }
  t.strictSame(expectOk(await distributeEvents(counted)), { distributed: 100, more: true })
  t.strictSame([accounts.calls, webhooks.calls], [{ find: 1 }, { list: 1 }])
})

t.test('what another process has distributed in the meantime is not distributed again', async (t) => {
  const world = await createWorld()
  const { deps } = world
  await openTimes(world, await shareHeard(world))
  const accounts: typeof deps.accounts = {
    ...deps.accounts,
    find: (id) => distributeEvents(deps).andThen(() => deps.accounts.find(id)),
  }
  t.strictSame(expectOk(await distributeEvents({ ...deps, accounts })), { distributed: 0, more: false })
  t.strictSame(await kinds(world), mailsOnly)
})
