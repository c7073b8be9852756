import { err, ok, okAsync, ResultAsync, type Result } from 'neverthrow'
import type { OwnerEvent } from './queue/owner-event.ts'
import type { SecretEvent } from '../secrets/secret-event.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { StorageError } from '../shared/errors.ts'
import type { AccountStore, StoredAccount } from '../accounts/account-store.ts'
import type { NewDelivery, Target } from './queue/delivery-store.ts'
import type { OutboxStore } from './queue/outbox-store.ts'
import { webhookTargets, type WebhookTargetsDeps } from './webhooks/webhook-targets.ts'
import type { TextCipher } from '../shared/cipher.ts'
import type { Clock } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import type { MailSender } from './queue/senders.ts'
import { showAccount } from '../accounts/accounts.ts'
import { newId } from '../shared/ids.ts'

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

export interface DistributeEventsDeps extends WebhookTargetsDeps {
  readonly outbox: Pick<OutboxStore, 'page' | 'distribute'>
  readonly accounts: Pick<AccountStore, 'find'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
  readonly clock: Clock
  readonly random: Random
  readonly mailSender?: Pick<MailSender, 'send'> | undefined
}
export interface DistributeEventsInput {
  /** How many events are read at most; 100 by default. */
  readonly limit?: number | undefined
}
export type DistributeEventsError = StorageError

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
export function distributeEvents(
  deps: DistributeEventsDeps,
  { limit = defaultLimit }: DistributeEventsInput = {},
): ResultAsync<Distributed, DistributeEventsError> {
  return new ResultAsync(distribute(deps, limit))
}

async function distribute(
  deps: DistributeEventsDeps,
  limit: number,
): Promise<Result<Distributed, DistributeEventsError>> {
  const page = await deps.outbox.page(undefined, limit)
  if (page.isErr()) return err(page.error)
  const events = page.value
  if (events.length === 0) return ok({ distributed: 0, more: false })
  const targets = await targetsOfAccounts(deps, new Set(events.map(({ accountId }) => accountId)))
  if (targets.isErr()) return err(targets.error)
  const replaced = await deps.outbox.distribute(
    events.map((event) => ({
      eventId: event.id,
      deliveries: (targets.value.get(event.accountId) ?? []).map((target) => deliveryOf(deps, event, target)),
    })),
  )
  return replaced.map((distributed) => ({ distributed, more: events.length === limit }))
}

async function targetsOfAccounts(
  deps: DistributeEventsDeps,
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

async function targetsOf(
  deps: DistributeEventsDeps,
  accountId: Uuid,
): Promise<Result<readonly Target[], StorageError>> {
  const found = await deps.accounts.find(accountId)
  if (found.isErr()) return err(found.error)
  const account = found.value
  if (account === undefined || account.disabledAtMicros !== undefined) return ok([])
  const targets = await ResultAsync.combine([mailTargets(deps, account), webhookTargets(deps, accountId)])
  return targets.map((all) => all.flat())
}

/** The email address of an account, if its owner wants mails. */
function mailTargets(
  deps: DistributeEventsDeps,
  account: StoredAccount,
): ResultAsync<readonly Target[], never> {
  return okAsync(wantsMails(deps, account) ? [{ kind: 'mail', accountId: account.id }] : [])
}

/** An account whose name does not decrypt may have an address: the delivery fails visibly then, instead of being forgotten. */
function wantsMails({ mailSender, textCipher }: DistributeEventsDeps, account: StoredAccount): boolean {
  if (mailSender === undefined || !account.mails.enabled) return false
  const shown = showAccount(textCipher, account)
  return shown.isErr() || shown.value.email !== undefined
}

function deliveryOf({ clock, random }: DistributeEventsDeps, event: OwnerEvent, target: Target): NewDelivery {
  const dueAtMicros = clock.nowMicros()
  const joins = event.type === 'secret.opened' && opensAllowed(event) > openLimitToJoin[target.kind]
  return { id: newId(random, dueAtMicros), target, event, dueAtMicros, joins }
}

function opensAllowed({ opens, opensLeft }: SecretEvent): number {
  return opensLeft === undefined ? Infinity : opens + opensLeft
}
