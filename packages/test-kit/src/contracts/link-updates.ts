import assert from 'node:assert/strict'
import { noAttempts, type AttemptState, type LinkChange, type LinkRecord } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { noonMicros } from '../samples.ts'
import { failsWith, okOf, same } from './expect.ts'
import { addLink, formUsed, fresh } from './link-store.ts'
import { storageCase, type StorageCase } from './storage-harness.ts'

/** As full as a state gets. */
const manyAttempts: AttemptState = {
  underWay: [
    { id: 'a1', sinceMicros: noonMicros },
    { id: 'b2', sinceMicros: noonMicros + 1 },
  ],
  wrongAtMicros: [noonMicros - 3, noonMicros - 2, noonMicros - 2],
  wrongTotal: 99,
  lockedUntilMicros: Number.MAX_SAFE_INTEGER,
}

/** Cases of `update` by one caller. */
export const linkUpdateCases: readonly StorageCase[] = [
  storageCase({
    id: 'link-store/update-decides-on-the-record',
    rule: 'update hands over the record as find gives it at that moment, and answers with what was decided.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const seen: LinkRecord[] = []
      for (const opens of [1, 2]) {
        const before = await okOf(store.links.find(secret.link.lookup))
        const change = { opens, destroyNote: false, told: 'the caller' }
        const answer = await okOf(
          store.links.update(secret.link.lookup, undefined, (record) => {
            seen.push(record)
            return ok(change)
          }),
        )
        same(seen.at(-1), before, 'what was handed over')
        same(answer, change, 'what was answered')
      }
      same(seen.at(-1)?.state.opens, 1, 'the opens that the second decision saw')
    },
  }),
  storageCase({
    id: 'link-store/update-changes-what-is-named',
    rule: 'What a change names is set, what it does not name stays.',
    async check(store, make) {
      const { secret, note } = await addLink(store, make)
      const { lookup } = secret.link
      const change = async (named: LinkChange) => {
        await okOf(store.links.update(lookup, undefined, () => ok(named)))
        return okOf(store.links.findWithNote(lookup))
      }
      const opened = { ...fresh, opens: 3 }
      const attempted = { ...opened, attempts: manyAttempts }
      same(await change({ opens: 3 }), { secret, state: opened, note }, 'opens')
      same(await change({ attempts: manyAttempts }), { secret, state: attempted, note }, 'attempts')
      same(await change({}), { secret, state: attempted, note }, 'nothing')
      same(
        await change({ destroyNote: false, rememberForm: false }),
        { secret, state: attempted, note },
        'two refusals',
      )
      same(await change({ opens: 4 }), { secret, state: { ...attempted, opens: 4 }, note }, 'opens again')
      same(
        await change({ attempts: noAttempts }),
        { secret, state: { ...fresh, opens: 4 }, note },
        'no attempts',
      )
    },
  }),
  storageCase({
    id: 'link-store/update-concerns-one-link',
    rule: 'A change concerns the link behind the lookup, and no other of the same folder.',
    async check(store, make) {
      const one = await addLink(store, make)
      const other = await addLink(store, make, one.folder)
      const formId = make.formId()
      const everything = { opens: 2, attempts: manyAttempts, destroyNote: true, rememberForm: true }
      await okOf(store.links.update(one.secret.link.lookup, formId, () => ok(everything)))
      const behind = await okOf(store.links.findWithNote(other.secret.link.lookup))
      same(behind, { secret: other.secret, state: fresh, note: other.note })
      same(await formUsed(store, other.secret, formId), false)
    },
  }),
  storageCase({
    id: 'link-store/numbers-are-kept-exactly',
    rule: 'Opens and times beyond 32 bits are kept exactly.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const far = { ...manyAttempts, wrongAtMicros: [0, Number.MAX_SAFE_INTEGER] }
      for (const opens of [2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]) {
        await okOf(store.links.update(secret.link.lookup, undefined, () => ok({ opens, attempts: far })))
        same((await okOf(store.links.find(secret.link.lookup)))?.state, { ...fresh, opens, attempts: far })
      }
    },
  }),
  storageCase({
    id: 'link-store/update-of-none-is-an-error',
    rule: 'update of a lookup that leads nowhere is refused with link_not_found, without asking for a decision.',
    async check(store, make) {
      await addLink(store, make)
      let asked = false
      const answer = store.links.update(make.bytes(32), undefined, () => {
        asked = true
        return ok({ opens: 1 })
      })
      await failsWith(answer, 'link_not_found')
      assert.equal(asked, false, 'a decision was asked for')
    },
  }),
  storageCase({
    id: 'link-store/refusal-changes-nothing',
    rule: 'An Err of the decision is handed through as it is, and changes nothing.',
    async check(store, make) {
      const { secret, note } = await addLink(store, make)
      const { lookup } = secret.link
      await okOf(store.links.update(lookup, undefined, () => ok({ opens: 1 })))
      const before = { secret, state: { ...fresh, opens: 1 }, note }
      const refusal = { code: 'made_up', detail: ['by the decision'] }
      const answer = await store.links.update(lookup, make.formId(), () => err(refusal))
      same(answer.isErr() && answer.error, refusal)
      same(await okOf(store.links.findWithNote(lookup)), before)
    },
  }),
  storageCase({
    id: 'link-store/destroyed-note-is-gone',
    rule: 'With destroyNote the note is gone in the same step: findWithNote answers undefined, find says so, the secret stays listed.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const { accountId, id, link } = secret
      await okOf(store.links.update(link.lookup, undefined, () => ok({ opens: 1, destroyNote: true })))
      same(await okOf(store.links.findWithNote(link.lookup)), undefined, 'with its note')
      const left = { secret, state: { ...fresh, opens: 1, hasNote: false } }
      same(await okOf(store.links.find(link.lookup)), left, 'without it')
      same(await okOf(store.secrets.slice(accountId, noonMicros, undefined, 10)), [secret], 'in the list')
      same(await okOf(store.secrets.find(accountId, id)), secret, 'by its id')
    },
  }),
  storageCase({
    id: 'link-store/update-goes-on-without-note',
    rule: 'A link whose note is destroyed can still be updated, and the note does not come back.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const { lookup } = secret.link
      await okOf(store.links.update(lookup, undefined, () => ok({ destroyNote: true })))
      await okOf(
        store.links.update(lookup, undefined, () => ok({ attempts: manyAttempts, destroyNote: false })),
      )
      await okOf(store.links.update(lookup, undefined, () => ok({ destroyNote: true })))
      same(await okOf(store.links.findWithNote(lookup)), undefined)
      const state = { ...fresh, hasNote: false, attempts: manyAttempts }
      same(await okOf(store.links.find(lookup)), { secret, state })
    },
  }),
]
