import t from 'tap'
import { err, okAsync, type ResultAsync } from 'neverthrow'
import {
  createMemoryMailSender,
  createMemoryWebhookSender,
  expectErr,
  expectOk,
  failing,
  type SendAnswer,
} from '@sotto/test-kit'
import { subjectOf } from '../../src/notifications/queue/owner-event.ts'
import type { Delivery, Lease, Target } from '../../src/notifications/queue/delivery-store.ts'
import { leaseMicros, pauseMicros, retryDelaysMicros } from '../../src/notifications/queue/retries.ts'
import { deliverLease } from '../../src/notifications/deliver-lease.ts'
import { leaseDeliveries } from '../../src/notifications/lease-deliveries.ts'
import { corruptEndpoint, corruptName } from '../corruption.ts'
import {
  addWebhook,
  all,
  createWorld,
  dayMicros,
  email,
  leaseDue,
  minuteMicros,
  openTimes,
  secondMicros,
  shareHeard,
  webhookUrl,
  type World,
} from '../world.ts'

const timeout = { code: 'send_failed', reason: 'timeout', verdict: 'retry' } as const
const refused = { code: 'send_failed', reason: 'status 550', verdict: 'never' } as const
const gone = { code: 'send_failed', reason: 'status 410', verdict: 'gone' } as const
const busy = { code: 'storage_unavailable', reason: 'busy' } as const

/** The deps with senders that answer like this. */
function answering({ deps }: World, answer: (nth: number) => SendAnswer | Promise<SendAnswer>) {
  const mailSender = createMemoryMailSender({ answer: (_, nth) => answer(nth) })
  const webhookSender = createMemoryWebhookSender({ answer: (_, nth) => answer(nth) })
  return { ...deps, mailSender, webhookSender }
}

/** A world with a webhook and one open of a secret with a limit; the lease of one of the two messages. */
async function withMessage(kind: Target['kind'], fields: object = { openLimit: 3 }) {
  const world = await createWorld()
  const webhookId = await addWebhook(world)
  const secret = await shareHeard(world, fields)
  await openTimes(world, secret)
  const lease = await leaseDue(world, kind)
  return { world, deps: world.deps, webhookId, secret, lease }
}

/** The deliveries of a kind that are stored, pauses excepted. */
async function stored({ sotto }: World, kind: Target['kind']): Promise<Delivery[]> {
  return (await all(sotto.listDeliveries())).filter(({ target }) => target.kind === kind)
}

const counts = (delivered: number, failed = 0, dead = 0) => ({ delivered, failed, dead })

t.test('a mail goes to the owner, in English by default, under the id of its event', async (t) => {
  const { world, deps, secret, lease } = await withMessage('mail')
  t.strictSame(expectOk(await deliverLease(deps, { lease })), counts(1))
  const { event } = lease.deliveries[0]!
  t.strictSame(deps.mailSender.attempts, [
    {
      id: event.id,
      to: email,
      language: 'en',
      atMicros: event.createdAtMicros,
      content: { kind: 'event', event, count: 1, label: undefined },
    },
  ])
  t.equal(subjectOf(event), secret.id)
  t.strictSame(await stored(world, 'mail'), [])
  expectOk(await world.sotto.setLanguage({ accountId: world.accountId, language: 'ar' }))
  await openTimes(world, secret)
  expectOk(await deliverLease(deps, { lease: await leaseDue(world, 'mail') }))
  t.equal(deps.mailSender.attempts[1]?.language, 'ar')
})

t.test('a webhook gets the event, signed at the time of the attempt', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { url, secret } = expectOk(await sotto.createWebhook({ accountId, url: webhookUrl }))
  await openTimes(world, await shareHeard(world))
  const lease = await leaseDue(world, 'webhook')
  deps.clock.advance(5 * secondMicros)
  t.strictSame(expectOk(await deliverLease(deps, { lease })), counts(1))
  const { event: message } = lease.deliveries[0]!
  t.strictSame(deps.webhookSender.attempts, [{ url, secret, message, atMicros: deps.clock.nowMicros() }])
  t.strictSame(await stored(world, 'webhook'), [])
})

t.test(
  'the label is in a mail only where its owner chose that, and as long as the secret is there',
  async (t) => {
    const { world, deps, secret, lease } = await withMessage('mail', { label: 'for Bob', openLimit: 9 })
    const { sotto, accountId } = world
    const labels = () =>
      deps.mailSender.attempts.map(({ content }) => content.kind === 'event' && content.label)
    expectOk(await deliverLease(deps, { lease }))
    expectOk(await sotto.setMails({ accountId, enabled: true, nameLabels: true }))
    await openTimes(world, secret)
    expectOk(await deliverLease(deps, { lease: await leaseDue(world, 'mail') }))
    await openTimes(world, secret)
    const last = await leaseDue(world, 'mail')
    expectOk(await sotto.destroySecret({ accountId, id: secret.id }))
    expectOk(await deliverLease(deps, { lease: last }))
    t.strictSame(labels(), [undefined, 'for Bob', undefined])
  },
)

t.test('a label that does not decrypt is left out', async (t) => {
  const { world, deps, lease } = await withMessage('mail')
  expectOk(await world.sotto.setMails({ accountId: world.accountId, enabled: true, nameLabels: true }))
  const corrupted = () => err({ code: 'data_damaged', what: 'secret.head', id: 'x' } as const)
  const secretCipher = { ...deps.secretCipher, decryptHead: corrupted }
  t.strictSame(expectOk(await deliverLease({ ...deps, secretCipher }, { lease })), counts(1))
  t.match(deps.mailSender.attempts, [{ content: { label: undefined } }])
})

t.test('nothing confidential reaches the senders but a label that was chosen', async (t) => {
  for (const nameLabels of [false, true]) {
    const confidential = { label: 'CANARY-label', note: 'CANARY-note', password: 'CANARY-password' }
    const world = await createWorld()
    const { deps, sotto, accountId } = world
    expectOk(await sotto.setMails({ accountId, enabled: true, nameLabels }))
    await addWebhook(world)
    const { link } = await shareHeard(world, confidential)
    expectOk(await sotto.openSecret({ token: link.token, password: confidential.password }))
    deps.clock.advance(1)
    for (let guess = 0; guess < 5; guess += 1)
      expectErr(await sotto.openSecret({ token: link.token, password: 'CANARY-guess' }))
    for (const kind of ['mail', 'webhook'] as const) {
      for (let nr = 0; nr < 2; nr += 1) {
        expectOk(await deliverLease(deps, { lease: await leaseDue(world, kind) }))
        deps.clock.advance(pauseMicros)
        for (const lease of expectOk(await sotto.leaseDeliveries({ kind, targets: 1, perTarget: 1 })))
          expectOk(await deliverLease(deps, { lease }))
        if ((await stored(world, kind)).length === 0) break
      }
    }
    const sent = JSON.stringify([deps.mailSender.attempts, deps.webhookSender.attempts])
    t.match(sent, /secret\.opened.*secret\.locked.*secret\.opened.*secret\.locked/s, 'all are sent')
    t.notMatch(sent, link.token)
    t.notMatch(sent, /CANARY-(note|password|guess)/)
    t.equal(sent.split('CANARY-label').length - 1, nameLabels ? 2 : 0)
    t.notMatch(JSON.stringify(deps.webhookSender.attempts), /CANARY/, 'webhooks never name the label')
  }
})

t.test(
  'opens of a secret without limit are mailed at most once in ten minutes, with their number',
  async (t) => {
    const { world, deps, secret, lease } = await withMessage('mail', {})
    t.equal(pauseMicros, 10 * minuteMicros)
    expectOk(await deliverLease(deps, { lease }))
    const untilMicros = deps.clock.nowMicros() + pauseMicros
    await openTimes(world, secret, 3)
    expectOk(await world.sotto.distributeEvents())
    const due = async () =>
      expectOk(await world.sotto.leaseDeliveries({ kind: 'mail', targets: 1, perTarget: 9 }))
    deps.clock.set(untilMicros - 1)
    t.strictSame(await due(), [])
    deps.clock.advance(1)
    const [second] = await due()
    expectOk(await deliverLease(deps, { lease: second! }))
    const mails = deps.mailSender.attempts.map(({ content }) => content.kind === 'event' && content)
    t.match(mails, [
      { count: 1, event: { opens: 1 } },
      { count: 3, event: { opens: 4 } },
    ])
    t.not(deps.mailSender.attempts[0]?.id, deps.mailSender.attempts[1]?.id, 'another message, another id')
  },
)

t.test(
  'opens of a secret without limit that wait for a webhook are one message, and the next needs no pause',
  async (t) => {
    const { world, deps, secret, lease } = await withMessage('webhook', {})
    await openTimes(world, secret, 3)
    expectOk(await world.sotto.distributeEvents())
    expectOk(await deliverLease(deps, { lease }))
    expectOk(await deliverLease(deps, { lease: await leaseDue(world, 'webhook') }))
    await openTimes(world, secret)
    expectOk(await world.sotto.distributeEvents())
    expectOk(await deliverLease(deps, { lease: await leaseDue(world, 'webhook') }))
    const posted = deps.webhookSender.attempts.map(({ message }) => 'opens' in message && message.opens)
    t.strictSame(posted, [1, 4, 5])
  },
)

t.test('a pause that nothing has joined ends without a mail', async (t) => {
  const { world, deps, lease } = await withMessage('mail', {})
  expectOk(await deliverLease(deps, { lease }))
  deps.clock.advance(pauseMicros)
  const pause = await leaseDue(world, 'mail')
  t.strictSame(expectOk(await deliverLease(deps, { lease: pause })), counts(0))
  t.equal(deps.mailSender.attempts.length, 1)
  t.notOk([...deps.data.deliveries.values()].some(({ delivery }) => delivery.target.kind === 'mail'))
})

t.test('a failed message is tried again under the same id, ten times in all', async (t) => {
  for (const kind of ['mail', 'webhook'] as const) {
    const { world, lease: first } = await withMessage(kind)
    const deps = answering(world, () => timeout)
    let lease = first
    for (const [attempts, delay] of retryDelaysMicros.entries()) {
      t.strictSame(expectOk(await deliverLease(deps, { lease })), counts(0, 1))
      const [waiting] = await stored(world, kind)
      t.match(waiting, { attempts: attempts + 1, lastFailure: 'timeout', deadAtMicros: undefined })
      const wait = waiting!.dueAtMicros - deps.clock.nowMicros()
      t.ok(wait >= delay && wait <= delay * 1.1, `${String(wait)} after ${String(attempts)}`)
      // So that the webhook is not disabled for failing too long.
      expectOk(
        await world.sotto.testWebhook({ accountId: world.accountId, id: [...deps.data.webhooks.keys()][0]! }),
      )
      deps.clock.set(waiting!.dueAtMicros)
      lease = await leaseDue(world, kind)
    }
    t.strictSame(expectOk(await deliverLease(deps, { lease })), counts(0, 0, 1))
    t.match(await stored(world, kind), [{ lastFailure: 'timeout', deadAtMicros: deps.clock.nowMicros() }])
    const ids =
      kind === 'mail'
        ? deps.mailSender.attempts.map(({ id }) => id)
        : deps.webhookSender.attempts.map(({ message }) => message.id)
    t.strictSame([ids.length, new Set(ids).size], [10, 1])
  }
})

t.test('a receiver can ask for a longer wait', async (t) => {
  const { world, lease } = await withMessage('webhook')
  const deps = answering(world, () => ({ ...timeout, retryAfterSeconds: 3_600 }))
  expectOk(await deliverLease(deps, { lease }))
  const [waiting] = await stored(world, 'webhook')
  t.equal(waiting!.dueAtMicros - deps.clock.nowMicros(), 60 * minuteMicros)
})

t.test('waits are spread by jitter', async (t) => {
  const waits = new Set<number>()
  for (let first = 0; first < 256; first += 85) {
    const { world, lease } = await withMessage('mail')
    const random = { bytes: () => Uint8Array.of(first) }
    expectOk(await deliverLease({ ...answering(world, () => timeout), random }, { lease }))
    const [waiting] = await stored(world, 'mail')
    waits.add(waiting!.dueAtMicros - world.deps.clock.nowMicros())
  }
  t.equal(waits.size, 4)
})

t.test('what can never succeed is given up at the first attempt', async (t) => {
  for (const kind of ['mail', 'webhook'] as const) {
    const { world, deps, lease, webhookId } = await withMessage(kind)
    t.strictSame(
      expectOk(
        await deliverLease(
          answering(world, () => refused),
          { lease },
        ),
      ),
      counts(0, 0, 1),
    )
    const deadAtMicros = deps.clock.nowMicros()
    t.match(await stored(world, kind), [{ lastFailure: 'status 550', deadAtMicros }])
    const failingSinceMicros = kind === 'webhook' ? deadAtMicros : undefined
    t.match(deps.data.webhooks.get(webhookId), { failingSinceMicros, disabled: undefined })
  }
})

t.test('a webhook that is gone is disabled immediately, and what waits for it is given up', async (t) => {
  const { world, deps, lease, webhookId, secret } = await withMessage('webhook')
  await openTimes(world, secret)
  expectOk(await world.sotto.distributeEvents())
  t.strictSame(
    expectOk(
      await deliverLease(
        answering(world, () => gone),
        { lease },
      ),
    ),
    counts(0, 0, 1),
  )
  const atMicros = deps.clock.nowMicros()
  t.match(deps.data.webhooks.get(webhookId), { disabled: { atMicros, reason: 'gone' } })
  const next = await leaseDue(world, 'webhook')
  t.strictSame(expectOk(await deliverLease(deps, { lease: next })), counts(0, 0, 1))
  t.strictSame(deps.webhookSender.attempts, [])
  const failures = (await stored(world, 'webhook')).map(({ lastFailure }) => lastFailure)
  t.strictSame(failures.toSorted(), ['status 410', 'webhook disabled'])
})

t.test('a mail server that calls a recipient gone ends the message, not the owner’s mails', async (t) => {
  const { world, lease } = await withMessage('mail')
  t.strictSame(
    expectOk(
      await deliverLease(
        answering(world, () => gone),
        { lease },
      ),
    ),
    counts(0, 0, 1),
  )
})

t.test('a webhook that fails for three days is disabled; a success ends the count', async (t) => {
  const { world, deps, webhookId, secret, lease } = await withMessage('webhook', {})
  const webhook = () => deps.data.webhooks.get(webhookId)
  const first = deps.clock.nowMicros()
  const attempt = async (answer: SendAnswer, due?: Lease) => {
    const again = due ?? (await openTimes(world, secret), await leaseDue(world, 'webhook'))
    expectOk(
      await deliverLease(
        answering(world, () => answer),
        { lease: again },
      ),
    )
  }
  await attempt(refused, lease)
  t.match(webhook(), { failingSinceMicros: first, disabled: undefined })
  deps.clock.advance(3 * dayMicros - 2)
  await attempt(refused)
  t.match(webhook(), { failingSinceMicros: first, disabled: undefined })
  await attempt(undefined)
  t.match(webhook(), { failingSinceMicros: undefined, disabled: undefined })
  await attempt(refused)
  const since = deps.clock.nowMicros()
  t.match(webhook(), { failingSinceMicros: since, disabled: undefined })
  deps.clock.advance(3 * dayMicros)
  await attempt(refused)
  const disabled = { atMicros: deps.clock.nowMicros(), reason: 'failing' }
  t.match(webhook(), { failingSinceMicros: since, disabled })
})

const losses: Readonly<
  Record<
    string,
    { kind: Target['kind']; lose: (world: World, webhookId: string) => ResultAsync<unknown, unknown> }
  >
> = {
  'an account that was disabled gets no mail': {
    kind: 'mail',
    lose: ({ sotto, accountId }) => sotto.disableAccount({ accountId }),
  },
  'an account that was disabled gets no message': {
    kind: 'webhook',
    lose: ({ sotto, accountId }) => sotto.disableAccount({ accountId }),
  },
  'an account that was deleted gets no mail': {
    kind: 'mail',
    lose: ({ sotto, accountId }) => sotto.deleteAccount({ accountId }),
  },
  'an owner who wants no mails any more gets none': {
    kind: 'mail',
    lose: ({ deps, accountId }) => deps.accounts.setMails(accountId, { enabled: false, nameLabels: false }),
  },
  'a webhook that was deleted gets nothing': {
    kind: 'webhook',
    lose: ({ sotto, accountId }, id) => sotto.deleteWebhook({ accountId, id }),
  },
}

for (const [name, { kind, lose }] of Object.entries(losses)) {
  t.test(`${name}: what waits is dropped`, async (t) => {
    const { world, deps, lease, webhookId } = await withMessage(kind)
    expectOk(await lose(world, webhookId))
    t.strictSame(expectOk(await deliverLease(deps, { lease })), counts(0))
    t.strictSame([deps.mailSender.attempts, deps.webhookSender.attempts], [[], []])
    t.strictSame(await stored(world, kind), [])
  })
}

t.test('an account that has no email address any more gets no mail', async (t) => {
  const { world, deps, lease } = await withMessage('mail')
  const textCipher: Parameters<typeof deliverLease>[0]['textCipher'] = {
    ...deps.textCipher,
    decryptText: (...given) => deps.textCipher.decryptText(...given).map(() => 'external:user-1'),
  }
  t.strictSame(expectOk(await deliverLease({ ...deps, textCipher }, { lease })), counts(0))
  t.strictSame(await stored(world, 'mail'), [])
})

t.test('what cannot be read or sent now is tried again', async (t) => {
  const outcome = async (kind: Target['kind'], prepare: (world: World, id: string) => object) => {
    const { world, deps, lease, webhookId } = await withMessage(kind)
    const changed = { ...deps, ...prepare(world, webhookId) }
    t.strictSame(expectOk(await deliverLease(changed, { lease })), counts(0, 1))
    t.strictSame([deps.mailSender.attempts, deps.webhookSender.attempts], [[], []])
    t.match(deps.data.webhooks.get(webhookId), { failingSinceMicros: undefined }, 'not the receiver’s fault')
    return (await stored(world, kind))[0]?.lastFailure
  }
  t.equal(await outcome('webhook', (world, id) => (corruptEndpoint(world, id), {})), 'webhook unreadable')
  t.equal(await outcome('mail', (world) => (corruptName(world), {})), 'account unreadable')
  t.equal(await outcome('mail', () => ({ mailSender: undefined })), 'no mail server')
  t.equal(await outcome('webhook', () => ({ webhookSender: undefined })), 'nothing is posted here')
  const notAnEndpoint = ({ deps: { textCipher } }: World) => ({
    textCipher: {
      ...textCipher,
      decryptText: (...given: Parameters<typeof textCipher.decryptText>) =>
        textCipher.decryptText(...given).map(() => 'x'),
    },
  })
  t.equal(await outcome('webhook', notAnEndpoint), 'webhook unreadable')
})

t.test('a message is settled after it was sent, never before', async (t) => {
  const { world, deps, lease } = await withMessage('mail')
  const whileSending: unknown[] = []
  const mailSender = createMemoryMailSender({
    answer: async () => {
      whileSending.push(...(await stored(world, 'mail')))
      return undefined
    },
  })
  expectOk(await deliverLease({ ...deps, mailSender }, { lease }))
  t.match(whileSending, [{ id: lease.deliveries[0]!.id }])
})

t.test('each message is settled as soon as it is sent, whatever the others do', async (t) => {
  const { world, sender, lease } = await withHangingFirst()
  const delivering = deliverLease({ ...world.deps, mailSender: sender.mailSender }, { lease })
  await sender.hanging
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve()
  t.equal(sender.mailSender.attempts.length, 2, 'the second does not wait for the first')
  t.match(await stored(world, 'mail'), [{ id: lease.deliveries[0]!.id }])
  sender.finish()
  t.strictSame(expectOk(await delivering), counts(2))
  t.strictSame(await stored(world, 'mail'), [])
})

t.test('the lease is released in the end, so that later messages need not wait', async (t) => {
  const { world, deps, secret, lease } = await withMessage('mail')
  await openTimes(world, secret)
  expectOk(await deliverLease(deps, { lease }))
  t.ok(await leaseDue(world, 'mail'))
})

t.test(
  'a message whose outcome cannot be stored is sent again, after the lease, under the same id',
  async (t) => {
    const { world, deps, lease } = await withMessage('mail')
    const deliveries = failing(deps.deliveries, { settle: busy })
    t.strictSame(expectErr(await deliverLease({ ...deps, deliveries }, { lease })), busy)
    const due = async () =>
      expectOk(await world.sotto.leaseDeliveries({ kind: 'mail', targets: 1, perTarget: 1 }))
    t.strictSame(await due(), [], 'not in a loop')
    deps.clock.advance(leaseMicros)
    const [again] = await due()
    expectOk(await deliverLease(deps, { lease: again! }))
    const [first, second] = deps.mailSender.attempts
    t.equal(first?.id, second?.id)
  },
)

t.test('a storage error of one message does not keep the others from being settled', async (t) => {
  const world = await createWorld()
  for (let nr = 0; nr < 3; nr += 1) await openTimes(world, await shareHeard(world))
  const lease = await leaseDue(world, 'mail')
  const deliveries = failing(world.deps.deliveries, { settle: busy }, { times: 1 })
  t.strictSame(expectErr(await deliverLease({ ...world.deps, deliveries }, { lease })), busy)
  t.equal((await stored(world, 'mail')).length, 1)
  t.equal(world.deps.mailSender.attempts.length, 3)
})

t.test('a label that cannot be read because of the storage sends nothing', async (t) => {
  const { world, deps, lease } = await withMessage('mail')
  expectOk(await world.sotto.setMails({ accountId: world.accountId, enabled: true, nameLabels: true }))
  const secrets = failing(deps.secrets, { find: busy })
  t.strictSame(expectErr(await deliverLease({ ...deps, secrets }, { lease })), busy)
  t.strictSame(deps.mailSender.attempts, [])
})

t.test('once the lease is lost nothing more is sent', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  expectOk(await sotto.setMails({ accountId, enabled: true, nameLabels: true }))
  for (let nr = 0; nr < 2; nr += 1) await openTimes(world, await shareHeard(world))
  const lease = await leaseDue(world, 'mail')
  const mailSender = createMemoryMailSender()
  const slow = Promise.withResolvers<undefined>()
  const secondId = subjectOf(lease.deliveries[1]!.event)
  const secrets: typeof deps.secrets = {
    ...deps.secrets,
    find: (account, id, now) =>
      id === secondId
        ? okAsync(undefined)
            .andThen(() => deps.secrets.find(account, id, now))
            .map(async (found) => (await slow.promise, found))
        : deps.secrets.find(account, id, now),
  }
  const deliveries: typeof deps.deliveries = {
    ...deps.deliveries,
    settle: (...given) => {
      deps.clock.advance(leaseMicros)
      return leaseDeliveries(deps, { kind: 'mail', targets: 1, perTarget: 9 })
        .andThen(() => deps.deliveries.settle(...given))
        .map((isMine) => (slow.resolve(undefined), isMine))
    },
  }
  t.strictSame(
    expectOk(await deliverLease({ ...deps, mailSender, secrets, deliveries }, { lease })),
    counts(1),
  )
  t.equal(mailSender.attempts.length, 1)
  t.equal((await stored(world, 'mail')).length, 2, 'both are left to the other caller')
})

t.test('a process that has to end sends nothing more and leaves the rest to others', async (t) => {
  const { world, deps, lease } = await withMessage('webhook')
  t.strictSame(expectOk(await deliverLease(deps, { lease, shouldStop: () => true })), counts(0))
  t.strictSame(deps.webhookSender.attempts, [])
  t.match((await leaseDue(world, 'webhook')).deliveries, [{ attempts: 0 }])
})

t.test('a success that follows failures is recorded once, and a success alone costs no write', async (t) => {
  const { world, deps, webhookId, lease, secret } = await withMessage('webhook', {})
  let updates = 0
  const webhooks: typeof deps.webhooks = {
    ...deps.webhooks,
    update: (...given) => ((updates += 1), deps.webhooks.update(...given)),
  }
  expectOk(await deliverLease({ ...deps, webhooks }, { lease }))
  t.equal(updates, 0)
  expectOk(await deps.webhooks.update(world.accountId, webhookId, () => ({ failingSinceMicros: 1 })))
  await openTimes(world, secret)
  await openTimes(world, await shareHeard(world))
  expectOk(await deliverLease({ ...deps, webhooks }, { lease: await leaseDue(world, 'webhook') }))
  t.equal(updates, 1)
  t.match(deps.data.webhooks.get(webhookId), { failingSinceMicros: undefined })
})

/** Two mails about two secrets; sending the first ends only when the test says so. */
async function withHangingFirst() {
  const world = await createWorld()
  for (let nr = 0; nr < 2; nr += 1) await openTimes(world, await shareHeard(world, { openLimit: 3 }))
  const lease = await leaseDue(world, 'mail')
  const [hanging, finished] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  const answer = (_: unknown, nth: number): SendAnswer | Promise<SendAnswer> => {
    if (nth > 0) return undefined
    hanging.resolve(undefined)
    return finished.promise
  }
  const mailSender = createMemoryMailSender({ answer })
  const finish = () => finished.resolve(undefined)
  return { world, lease, sender: { mailSender, hanging: hanging.promise, finish } }
}
