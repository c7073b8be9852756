import type { LinkChange, LinkNotFound, LinkRecord } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { okOf, same } from './expect.ts'
import { addLink, formUsed } from './link-store.ts'
import { besideCase, storageCase, type StorageCase } from './storage-harness.ts'

const callers = 120
const openLimit = 40

/** Cases of `update` by many callers at once. */
export const linkConcurrencyCases: readonly StorageCase[] = [
  storageCase({
    id: 'link-store/parallel-updates-are-one-by-one',
    rule: 'No other update comes between the reading and the change of one: of many claims at once exactly as many succeed as there is room for.',
    async check({ links, ...store }, make) {
      const { secret } = await addLink({ links, ...store }, make)
      const { lookup } = secret.link
      const claims = await Promise.all(
        Array.from({ length: callers }, () => links.update(lookup, undefined, claimBelow(openLimit))),
      )
      const opens = claims.map((claim) => (claim.isOk() ? claim.value.opens : 0)).filter((each) => each > 0)
      same(
        opens.toSorted((one, other) => one - other),
        upTo(openLimit),
        'the opens that were claimed',
      )
      same((await okOf(links.find(lookup)))?.state.opens, openLimit, 'the opens that are kept')
    },
  }),
  storageCase({
    id: 'link-store/one-of-parallel-claims-destroys',
    rule: 'Of many claims of the last open at once exactly one succeeds, and the note is gone with it.',
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
        same(await okOf(store.links.findWithNote(lookup)), undefined)
        same((await okOf(store.links.find(lookup)))?.state.opens, 1, 'the opens that are kept')
      }
    },
  }),
  storageCase({
    id: 'link-store/one-of-parallel-posts-of-a-form-claims',
    rule: 'Of many posts of one form at once exactly one is told that the form is unused.',
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
  storageCase({
    id: 'link-store/links-do-not-mix-in-parallel',
    rule: 'Updates of different links at once each change their own.',
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
        same(
          (await okOf(store.links.find(secret.link.lookup)))?.state.opens,
          at + 1,
          `the opens of link ${at}`,
        )
      }
    },
  }),
  besideCase({
    id: 'link-store/updates-from-two-storages-are-one-by-one',
    rule: 'No update of another storage on the same data comes between the reading and the change of one.',
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
        same((await okOf(links.find(lookup)))?.state.opens, openLimit, 'the opens that are kept')
      }
    },
  }),
]

function claimBelow(limit: number) {
  return ({ state }: LinkRecord): Result<LinkChange & { readonly opens: number }, LinkNotFound> =>
    state.opens < limit ? ok({ opens: state.opens + 1 }) : err({ code: 'link_not_found' })
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at + 1)
}
