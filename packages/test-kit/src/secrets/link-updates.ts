import { casesOf } from '../contract/contract.ts'
import { noAttempts, type AttemptState, type LinkChange, type LinkRecord } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { storageCase, type StorageCase, together } from '../stores/harness.ts'
import {
  addLink,
  formUsed,
  freshState,
  linkedOf,
  linkRecordOf,
  recordWithNote,
  secretOf,
} from '../stores/rows.ts'

/** Every field of the attempts in use. */
const manyAttempts: AttemptState = {
  underWay: [
    { id: 'a1', sinceMicros: noonMicros },
    { id: 'b2', sinceMicros: noonMicros + 1 },
  ],
  wrongAtMicros: [noonMicros - 3, noonMicros - 2, noonMicros - 2],
  wrongTotal: 99,
  lockedUntilMicros: Number.MAX_SAFE_INTEGER,
}

const aloneCases: readonly StorageCase[] = casesOf({
  'link-store/update-of-none-is-an-error': storageCase({
    rule: 'update of an unknown lookup answers link_not_found without calling the decision.',
    async check(store, make) {
      await addLink(store, make)
      let isCalled = false
      const result = await store.links.update(make.bytes(32), undefined, () => {
        isCalled = true
        return ok({ opens: 1 })
      })
      expectErr(result, 'link_not_found')
      same(isCalled, false, 'whether the decision was called')
    },
  }),
})

const togetherCases: readonly StorageCase[] = together({
  'link-store/update-decides-on-the-record': storageCase({
    rule: 'update passes the current record, as find gives it, to the decision, and answers with what the decision returned.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const seen: LinkRecord[] = []
      for (const opens of [1, 2]) {
        const before = await linkRecordOf(store, secret.link.lookup)
        const change = { opens, destroyNote: false, more: 'for the caller' }
        const answer = expectOk(
          await store.links.update(secret.link.lookup, undefined, (record) => {
            seen.push(record)
            return ok(change)
          }),
        )
        same(seen.at(-1), before, 'what the decision was given')
        same(answer, change, 'the answer')
      }
      same(seen.at(-1)?.state.opens, 1, 'the opens that the second decision saw')
    },
  }),
  'link-store/update-changes-what-is-named': storageCase({
    rule: 'update sets what the change names; what it does not name stays.',
    async check(store, make) {
      const { secret, note } = await addLink(store, make)
      const { lookup } = secret.link
      const change = async (named: LinkChange) => {
        expectOk(await store.links.update(lookup, undefined, () => ok(named)))
        return await recordWithNote(store, lookup)
      }
      const opened = { ...freshState, opens: 3 }
      const attempted = { ...opened, attempts: manyAttempts }
      same(await change({ opens: 3 }), { secret, state: opened, note }, 'opens')
      same(await change({ attempts: manyAttempts }), { secret, state: attempted, note }, 'attempts')
      same(await change({}), { secret, state: attempted, note }, 'nothing')
      same(
        await change({ destroyNote: false, rememberForm: false }),
        { secret, state: attempted, note },
        'two fields that are false',
      )
      same(await change({ opens: 4 }), { secret, state: { ...attempted, opens: 4 }, note }, 'opens again')
      same(
        await change({ attempts: noAttempts }),
        { secret, state: { ...freshState, opens: 4 }, note },
        'no attempts',
      )
    },
  }),
  'link-store/update-changes-one-link': storageCase({
    rule: 'update changes the link with the lookup, and no other link of the folder.',
    async check(store, make) {
      const one = await addLink(store, make)
      const other = await addLink(store, make, one.folder)
      const formId = make.formId()
      const everything = { opens: 2, attempts: manyAttempts, destroyNote: true, rememberForm: true }
      expectOk(await store.links.update(one.secret.link.lookup, formId, () => ok(everything)))
      const found = await recordWithNote(store, other.secret.link.lookup)
      same(found, { secret: other.secret, state: freshState, note: other.note })
      same(await formUsed(store, other.secret, formId), false)
    },
  }),
  'link-store/numbers-are-stored-exactly': storageCase({
    rule: 'Opens and times beyond 32 bits come back as they were.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const far = { ...manyAttempts, wrongAtMicros: [0, Number.MAX_SAFE_INTEGER] }
      for (const opens of [2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]) {
        expectOk(await store.links.update(secret.link.lookup, undefined, () => ok({ opens, attempts: far })))
        same((await linkRecordOf(store, secret.link.lookup))?.state, {
          ...freshState,
          opens,
          attempts: far,
        })
      }
    },
  }),
  'link-store/error-of-the-decision-changes-nothing': storageCase({
    rule: 'An Err of the decision is returned as it is and changes nothing.',
    async check(store, make) {
      const { secret, note } = await addLink(store, make)
      const { lookup } = secret.link
      expectOk(await store.links.update(lookup, undefined, () => ok({ opens: 1 })))
      const before = { secret, state: { ...freshState, opens: 1 }, note }
      const error = { code: 'made_up', detail: ['by the decision'] }
      same(expectErr(await store.links.update(lookup, make.formId(), () => err(error))), error)
      same(await recordWithNote(store, lookup), before)
    },
  }),
  'link-store/destroyed-note-is-gone': storageCase({
    rule: 'destroyNote erases the note in the same step: findWithNote answers undefined, hasNote is false, the secret stays listed.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const { accountId, id, link } = secret
      expectOk(await store.links.update(link.lookup, undefined, () => ok({ opens: 1, destroyNote: true })))
      same(await recordWithNote(store, link.lookup), undefined, 'with its note')
      const left = { secret: linkedOf(secret), state: { ...freshState, opens: 1, hasNote: false } }
      same(await linkRecordOf(store, link.lookup), left, 'without it')
      same(
        expectOk(await store.secrets.page({ accountId, nowMicros: noonMicros }, undefined, 10)),
        [secret],
        'in the list',
      )
      same(await secretOf(store, accountId, id), secret, 'by its id')
    },
  }),
  'link-store/update-works-without-note': storageCase({
    rule: 'A link whose note is destroyed can still be updated, and the note does not come back.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const { lookup } = secret.link
      expectOk(await store.links.update(lookup, undefined, () => ok({ destroyNote: true })))
      expectOk(
        await store.links.update(lookup, undefined, () => ok({ attempts: manyAttempts, destroyNote: false })),
      )
      expectOk(await store.links.update(lookup, undefined, () => ok({ destroyNote: true })))
      same(await recordWithNote(store, lookup), undefined)
      const state = { ...freshState, hasNote: false, attempts: manyAttempts }
      same(await linkRecordOf(store, lookup), { secret: linkedOf(secret), state })
    },
  }),
})

/** Cases of `update`, one call at a time. */
export const linkUpdateCases: readonly StorageCase[] = [...aloneCases, ...togetherCases]
