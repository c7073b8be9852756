import { err, ok, okAsync, ResultAsync, type Result } from 'neverthrow'
import type { StoredAccount } from '../accounts/account-store.ts'
import { showAccount } from '../accounts/accounts.ts'
import type { SecretEvent } from '../secrets/secret-event.ts'
import type { StorageError } from '../shared/errors.ts'
import { newId } from '../shared/ids.ts'
import { aNumber } from '../shared/inputs.ts'
import { useCase, type DepsOf } from '../shared/use-case.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { NewDelivery, Target } from './queue/delivery-store.ts'
import type { OwnerEvent } from './queue/owner-event.ts'
import { webhookTargets, webhookTargetsNeeds } from './webhooks/webhook-targets.ts'

/**
 * Messages about opens of a secret that allows more than these join while they wait. Mails: those without limit, of which nobody wants a
 * mail for each open. Webhooks: whoever has the link could otherwise fill the storage with messages to a receiver that fails.
 */
const openLimitToJoin: Readonly<Record<Target['kind'], number>> = {
  mail: Number.MAX_SAFE_INTEGER,
  webhook: 1_000,
}

/** Events that one call reads by default. */
const defaultLimit = 100

const needs = [
  ...webhookTargetsNeeds,
  'outbox.page',
  'outbox.distribute',
  'accounts.find',
  'textCipher.decryptText',
  'mailSender?.send',
  'clock.nowMicros',
  'random.bytes',
] as const

type Deps = DepsOf<(typeof needs)[number]>

/** What one call did. */
export interface Distributed {
  /** Events that this call replaced by deliveries, or erased because nobody is to hear of them. */
  readonly distributed: number
  /** Whether there may be more. */
  readonly more: boolean
}

/**
 * Decides who is notified of the events that wait longest. Replaces each by a delivery to the account's email address, if its owner wants
 * mails, and by one to each webhook that is not disabled. There is none when the account is disabled or gone. Messages about opens of a
 * secret without limit join, and those to webhooks also with a limit above 1,000. Where no mails can be sent, or nothing is posted, there
 * is no such delivery.
 */
export const distributeEvents = useCase({
  needs,
  mayTake: {
    /** How many events are read at most; 100 by default. */
    limit: aNumber,
  },
  async run(deps, { limit = defaultLimit }) {
    const page = await deps.outbox.page(undefined, limit)
    if (page.isErr()) return page
    const events = page.value
    if (events.length === 0) return ok<Distributed>({ distributed: 0, more: false })
    const targets = await targetsOfAccounts(deps, new Set(events.map(({ accountId }) => accountId)))
    if (targets.isErr()) return targets
    const replaced = await deps.outbox.distribute(
      events.map((event) => ({
        eventId: event.id,
        deliveries: (targets.value.get(event.accountId) ?? []).map((target) =>
          deliveryOf(deps, event, target),
        ),
      })),
    )
    return replaced.map((distributed): Distributed => ({ distributed, more: events.length === limit }))
  },
})

async function targetsOfAccounts(
  deps: Deps,
  accountIds: ReadonlySet<Uuid>,
): Promise<Result<ReadonlyMap<Uuid, readonly Target[]>, StorageError>> {
  const targets = new Map<Uuid, readonly Target[]>()
  for (const accountId of accountIds) {
    const found = await targetsOf(deps, accountId)
    if (found.isErr()) return err(found.error)
    targets.set(accountId, found.value)
  }
  return ok(targets)
}

async function targetsOf(deps: Deps, accountId: Uuid): Promise<Result<readonly Target[], StorageError>> {
  const found = await deps.accounts.find(accountId)
  if (found.isErr()) return err(found.error)
  const account = found.value
  if (account === undefined || account.disabledAtMicros !== undefined) return ok([])
  const targets = await ResultAsync.combine([mailTargets(deps, account), webhookTargets(deps, accountId)])
  return targets.map((all) => all.flat())
}

/** The email address of an account, if its owner wants mails. */
function mailTargets(deps: Deps, account: StoredAccount): ResultAsync<readonly Target[], never> {
  return okAsync(wantsMails(deps, account) ? [{ kind: 'mail', accountId: account.id }] : [])
}

/** An account whose name does not decrypt may have an address: the delivery fails visibly then, instead of being forgotten. */
function wantsMails({ mailSender, textCipher }: Deps, account: StoredAccount): boolean {
  if (mailSender === undefined || !account.mails.enabled) return false
  const shown = showAccount(textCipher, account)
  return shown.isErr() || shown.value.email !== undefined
}

function deliveryOf({ clock, random }: Deps, event: OwnerEvent, target: Target): NewDelivery {
  const dueAtMicros = clock.nowMicros()
  const joins = event.type === 'secret.opened' && opensAllowed(event) > openLimitToJoin[target.kind]
  return { id: newId(random, dueAtMicros), target, event, dueAtMicros, joins }
}

function opensAllowed({ opens, opensLeft }: SecretEvent): number {
  return opensLeft === undefined ? Infinity : opens + opensLeft
}
