import type { LinkChange, LinkNotFound, LinkRecord } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { expectErr, expectOk } from '../contract/expect.ts'
import { same } from '../contract/compare.ts'
import {
  besideCase,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from '../stores/harness.ts'
import { addLink, formUsed, linkRecordOf, recordWithNote } from '../stores/rows.ts'

const callers = 120
const openLimit = 40

/** Cases of `update` by many callers at the same time, and beside an erasure. */
export const linkConcurrencyCases: readonly StorageCase[] = together({
  'link-store/parallel-updates-do-not-interleave': storageCase({
    rule: 'No update comes between the read and the write of another one: of many parallel claims exactly as many succeed as the limit allows.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const { lookup } = secret.link
      const claims = await Promise.all(
        Array.from({ length: callers }, () => store.links.update(lookup, undefined, claimBelow(openLimit))),
      )
      const opens = claims.map((claim) => (claim.isOk() ? claim.value.opens : 0)).filter((each) => each > 0)
      same(
        opens.toSorted((one, other) => one - other),
        upTo(openLimit),
        'the opens that were claimed',
      )
      same((await linkRecordOf(store, lookup))?.state.opens, openLimit, 'the opens that are stored')
    },
  }),
  'link-store/one-of-parallel-claims-destroys': storageCase({
    rule: 'Of many parallel claims of the last open exactly one succeeds, and the note is erased with it.',
    async check(store, make) {
      for (let round = 0; round < 5; round += 1) {
        const { secret } = await addLink(store, make)
        const { lookup } = secret.link
        const claim = ({ state }: LinkRecord): Result<LinkChange, LinkNotFound> =>
          state.hasNote ? ok({ opens: state.opens + 1, destroyNote: true }) : err({ code: 'link_not_found' })
        const claims = await Promise.all(
          Array.from({ length: 20 }, () => store.links.update(lookup, undefined, claim)),
        )
        same(claims.filter((each) => each.isOk()).length, 1, 'how many succeeded')
        same(await recordWithNote(store, lookup), undefined)
        same((await linkRecordOf(store, lookup))?.state.opens, 1, 'the opens that are stored')
      }
    },
  }),
  'link-store/one-of-parallel-uses-of-a-form-claims': storageCase({
    rule: 'Of many parallel uses of one form exactly one finds the form unused.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const formId = make.formId()
      const claim = ({ state }: LinkRecord): Result<LinkChange, LinkNotFound> =>
        state.formUsed ? err({ code: 'link_not_found' }) : ok({ opens: state.opens + 1, rememberForm: true })
      const claims = await Promise.all(
        Array.from({ length: 20 }, () => store.links.update(secret.link.lookup, formId, claim)),
      )
      same(claims.filter((each) => each.isOk()).length, 1, 'how many succeeded')
      same(await formUsed(store, secret, formId), true)
    },
  }),
  'link-store/links-do-not-mix-in-parallel': storageCase({
    rule: 'Parallel updates of different links change one link each.',
    async check(store, make) {
      const { folder, ...first } = await addLink(store, make)
      const added = [first]
      while (added.length < 8) added.push(await addLink(store, make, folder))
      await Promise.all(
        added.flatMap(({ secret }, at) =>
          Array.from({ length: at + 1 }, () =>
            store.links.update(secret.link.lookup, undefined, claimBelow(100)),
          ),
        ),
      )
      for (const [at, { secret }] of added.entries()) {
        same((await linkRecordOf(store, secret.link.lookup))?.state.opens, at + 1, `the opens of link ${at}`)
      }
    },
  }),
  'link-store/updates-from-two-storages-do-not-interleave': besideCase({
    rule: 'No update of another storage on the same data comes between the read and the write of an update.',
    async check(store, beside, make) {
      const { secret } = await addLink(store, make)
      const { lookup } = secret.link
      const claims = await Promise.all(
        Array.from({ length: callers }, (_, at) =>
          (at % 2 === 0 ? store : beside).links.update(lookup, undefined, claimBelow(openLimit)),
        ),
      )
      same(claims.filter((each) => each.isOk()).length, openLimit, 'how many succeeded')
      for (const { links } of [store, beside]) {
        same((await linkRecordOf({ links }, lookup))?.state.opens, openLimit, 'the opens that are stored')
      }
    },
  }),
  'link-store/no-update-succeeds-after-an-erase': besideCase({
    rule: 'Updates beside an erase of the secret succeed before it or answer link_not_found; after it none succeeds, in no storage on the same data.',
    async check(store, beside, make) {
      const { secret } = await addLink(store, make)
      const claim = ({ links }: StorageUnderTest) =>
        links.update(secret.link.lookup, undefined, claimBelow(callers))
      const claimAll = () => [store, beside, store, beside].map(claim)
      // Each store has updated the link before, so that it may remember it.
      for (const result of await Promise.all(claimAll())) expectOk(result)
      const sooner = claimAll()
      const erasing = store.secrets.erase(secret.accountId, secret.id)
      const atOnce = [...sooner, ...claimAll()]
      same(expectOk(await erasing), true)
      for (const result of await Promise.all(claimAll())) expectErr(result, 'link_not_found')
      for (const result of await Promise.all(atOnce)) if (result.isErr()) expectErr(result, 'link_not_found')
    },
  }),
})

function claimBelow(limit: number) {
  return ({ state }: LinkRecord): Result<LinkChange & { readonly opens: number }, LinkNotFound> =>
    state.opens < limit ? ok({ opens: state.opens + 1 }) : err({ code: 'link_not_found' })
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at + 1)
}
