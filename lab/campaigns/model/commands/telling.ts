import fc from 'fast-check'
import type { Lease } from '@sotto/core'
import { command, faults, nobody, perhapsOther, perhapsStranger, pick, picked, short } from '../command.ts'
import { accountOf, remove } from '../model.ts'
import { ask, type System, type World } from '../world.ts'

const urls = fc.constantFrom(
  'https://hooks.example.org/a',
  'https://hooks.example.org/b',
  'http://hooks.example.org',
  'https://localhost',
)

function urlFault(url: string) {
  if (url.startsWith('http:')) return faults({ field: 'url', rule: 'not_https' })
  return faults(url.includes('localhost') ? { field: 'url', rule: 'address_not_allowed' } : undefined)
}

async function createWebhook(world: World, accountId: string, url: string): Promise<void> {
  const { model, clock } = world
  const account = accountOf(model, accountId)
  const isFull = account?.webhooks.length === 5 ? { code: 'webhook_limit_reached' } : undefined
  const refusal = account === undefined ? { code: 'account_not_found' } : isFull
  await ask(world, 'createWebhook', ({ sotto }) => sotto.createWebhook({ accountId, url }), {
    refusal: urlFault(url) ?? refusal,
    value: ({ id, secret }) => {
      const webhook = { id, url, createdAtMicros: clock.nowMicros() }
      account?.webhooks.push({ ...webhook, kid: model.keys.active })
      return { ...webhook, secret }
    },
  })
}

/** Every event that waits is replaced by messages. How they are sent is compared between the storages only. */
async function deliver(world: World, kind: 'mail' | 'webhook'): Promise<void> {
  const { model } = world
  const distributed = model.events.length
  model.events = []
  await ask(world, 'distributeEvents', ({ sotto }) => sotto.distributeEvents({ limit: 10_000 }), {
    value: () => ({ distributed, more: false }),
  })
  const leased = new Map<System, readonly Lease[]>()
  await ask(
    world,
    'leaseDeliveries',
    async (system) => {
      // Targets that are due for equally long come in any order, so all of them are leased.
      const given = await system.sotto.leaseDeliveries({ kind, targets: 100, perTarget: 1 })
      return given.map((unsorted) => {
        const leases = unsorted.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
        leased.set(system, leases)
        return leases.map(({ target, deliveries }) => ({ target, deliveries }))
      })
    },
    {},
  )
  const [leases = []] = leased.values()
  for (const [nr, first] of leases.entries()) {
    const call = (system: System) => system.sotto.deliverLease({ lease: leased.get(system)?.[nr] ?? first })
    await ask(world, 'deliverLease', call, {})
  }
}

function nameOf({ target }: Lease): string {
  return target.kind === 'mail' ? target.accountId : target.webhookId
}

export const tellingCommands = [
  command('create webhook', fc.tuple(pick, urls, fc.nat(6)), async (world, [nr, url, more], say) => {
    const accountId = nr % 20 === 19 ? nobody : (picked(world.model.accounts, nr)?.id ?? nobody)
    // Sometimes more than are allowed.
    const times = more === 0 ? 6 : 1
    say(`${url} of ${short(accountId)}, ${times} times`)
    for (let nth = 0; nth < times; nth += 1) await createWebhook(world, accountId, url)
  }),
  command('delete webhook', fc.tuple(pick, pick, pick), async (world, [nr, other, stranger], say) => {
    const all = world.model.accounts.flatMap((account) =>
      account.webhooks.map((webhook) => ({ account, webhook })),
    )
    const own = picked(all, nr)
    const id = perhapsOther(own?.webhook.id, other)
    const accountId = perhapsStranger(world, own?.account.id, stranger)
    say(`${short(id)} of ${short(accountId)}`)
    const isFound = own?.account.id === accountId && own.webhook.id === id.toLowerCase()
    await ask(world, 'deleteWebhook', ({ sotto }) => sotto.deleteWebhook({ accountId, id }), {
      refusal: isFound ? undefined : { code: 'webhook_not_found' },
    })
    if (isFound) remove(own.account.webhooks, own.webhook)
  }),
  ...(['mail', 'webhook'] as const).map((kind) =>
    command('send messages', fc.constant(kind), async (world, _, say) => {
      say(`as ${kind}`)
      await deliver(world, kind)
    }),
  ),
]
