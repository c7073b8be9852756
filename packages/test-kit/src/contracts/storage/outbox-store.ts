import type { OutboxMessage, StoredShareableSecret } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { contractOf } from '../../contract.ts'
import { expectErr, expectOk } from '../../expect.ts'
import { noonMicros, type Samples } from '../../samples.ts'
import { same, sameIds } from '../compare.ts'
import { besideCase, reopenCase, storageCase, type StorageCase, type StorageUnderTest } from './harness.ts'
import { ascending, isPagedInOrder, tiedPositions } from './paging.ts'
import { addLink } from './rows.ts'

/** The contract of the outbox. */
export const outboxStoreContract: readonly StorageCase[] = contractOf([
  storageCase({
    id: 'outbox-store/messages-of-a-change-are-stored',
    rule: 'The messages of a change are in the outbox once the change is made, exactly as they were given.',
    needs: ['together'],
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const body = JSON.stringify({ openedAt: '2026-01-01T00:00:00Z', opens: 1, text: 'Grüße 👋🏽 "\\\u0000' })
      const messages = [
        make.message(secret.accountId, { body }),
        make.message(secret.accountId, { type: 'secret.destroyed', createdAtMicros: 2 ** 52 + 1 }),
      ]
      expectOk(await store.links.update(secret.link.lookup, undefined, () => ok({ opens: 1, messages })))
      same(expectOk(await store.outbox.page(undefined, 10)), messages)
      expectOk(await store.links.update(secret.link.lookup, undefined, () => ok({ opens: 2 })))
      same(expectOk(await store.outbox.page(undefined, 10)), messages, 'after a change without messages')
    },
  }),
  storageCase({
    id: 'outbox-store/refused-update-adds-no-message',
    rule: 'An update that answers an Err adds no message: neither an Err of the decision nor link_not_found.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const messages = [make.message(secret.accountId)]
      const { lookup } = secret.link
      const refused = await store.links.update(lookup, undefined, () => err({ opens: 1, messages }))
      same(refused.isErr(), true, 'whether the update answered an Err')
      const unknown = await store.links.update(make.bytes(32), undefined, () => ok({ opens: 1, messages }))
      expectErr(unknown, 'link_not_found')
      same(expectOk(await store.outbox.page(undefined, 10)), [])
    },
  }),
  storageCase({
    id: 'outbox-store/one-message-per-change',
    rule: 'Of many parallel updates each one that succeeds adds its message exactly once, and the others add none.',
    needs: ['together'],
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const messages = Array.from({ length: 40 }, (_, at) =>
        make.message(secret.accountId, { createdAtMicros: noonMicros + at }),
      )
      const results = await Promise.all(
        messages.map((message) =>
          store.links.update(secret.link.lookup, undefined, ({ state }) =>
            state.opens < 15 ? ok({ opens: state.opens + 1, messages: [message] }) : err('used up' as const),
          ),
        ),
      )
      const expected = messages.filter((_, at) => results[at]?.isOk())
      same(expected.length, 15, 'how many updates succeeded')
      same(expectOk(await store.outbox.page(undefined, 100)), expected)
    },
  }),
  storageCase({
    id: 'outbox-store/page-is-in-order',
    rule: 'Messages are listed by creation and id, ascending; pages neither repeat nor miss one, even among equal times.',
    needs: ['together'],
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const messages = tiedPositions(make.uuid, noonMicros).map((position) =>
        make.message(secret.accountId, position),
      )
      for (const message of messages) await addMessages(store, secret, [message])
      await isPagedInOrder(
        (after, limit) => store.outbox.page(after, limit),
        (message) => message,
        messages.toSorted(ascending),
      )
    },
  }),
  storageCase({
    id: 'outbox-store/remove-removes-one-message',
    rule: 'remove removes the message and answers Ok(true), and Ok(false) the second time; other messages stay.',
    needs: ['together'],
    async check(store, make) {
      const [removed, other] = await addTwoMessages(store, make)
      same(expectOk(await store.outbox.remove(removed.id)), true)
      sameIds(expectOk(await store.outbox.page(undefined, 10)), [other.id])
      same(expectOk(await store.outbox.remove(removed.id)), false, 'the second time')
      sameIds(expectOk(await store.outbox.page(undefined, 10)), [other.id])
    },
  }),
  storageCase({
    id: 'outbox-store/remove-of-none-is-false',
    rule: 'remove of an unknown id answers Ok(false) and removes nothing.',
    needs: ['together'],
    async check(store, make) {
      const messages = await addTwoMessages(store, make)
      same(expectOk(await store.outbox.remove(make.uuid())), false)
      same(expectOk(await store.outbox.page(undefined, 10)), messages)
    },
  }),
  reopenCase({
    id: 'outbox-store/writes-are-durable',
    rule: 'Messages that were added are found after reopening, and those that were removed are not.',
    needs: ['together'],
    async before(store, make) {
      const [removed, other] = await addTwoMessages(store, make)
      expectOk(await store.outbox.remove(removed.id))
      return other
    },
    async after({ outbox }, other) {
      same(expectOk(await outbox.page(undefined, 10)), [other])
    },
  }),
  besideCase({
    id: 'outbox-store/messages-are-seen-beside',
    rule: 'A message that one storage adds or removes is at once there or gone for another storage on the same data.',
    needs: ['together'],
    async check(store, beside, make) {
      const [first, second] = await addTwoMessages(store, make)
      same(expectOk(await beside.outbox.page(undefined, 10)), [first, second])
      same(expectOk(await beside.outbox.remove(first.id)), true)
      same(expectOk(await store.outbox.page(undefined, 10)), [second])
    },
  }),
])

async function addMessages(
  { links }: StorageUnderTest,
  { link }: StoredShareableSecret,
  messages: readonly OutboxMessage[],
): Promise<void> {
  expectOk(await links.update(link.lookup, undefined, () => ok({ messages })), 'adding messages')
}

async function addTwoMessages(
  store: StorageUnderTest,
  make: Samples,
): Promise<readonly [OutboxMessage, OutboxMessage]> {
  const { secret } = await addLink(store, make)
  const messages = [make.message(secret.accountId), make.message(secret.accountId)] as const
  await addMessages(store, secret, messages)
  return messages
}
