import { noonMicros } from '../samples.ts'
import { failsWith, okOf, same, sameIds } from './expect.ts'
import { ascending, isPagedInOrder, tiedPositions } from './paging.ts'
import { storageCase, kids, type StorageCase } from './storage-harness.ts'

export const accountStoreCases: readonly StorageCase[] = [
  storageCase({
    id: 'account-store/insert-is-found-again',
    rule: 'An account is found again exactly as it was added, by its email and in the list.',
    async check({ accounts }, make) {
      const plain = make.account()
      const disabled = make.account({ createdAtMicros: noonMicros + 1, disabledAtMicros: noonMicros + 2 })
      for (const account of [plain, disabled]) {
        const index = make.emailIndex()
        await okOf(accounts.insert(account, [index]))
        same(await okOf(accounts.findByEmail([index])), account, 'found by email')
      }
      same(await okOf(accounts.slice(undefined, 10)), [plain, disabled], 'in the list')
    },
  }),
  storageCase({
    id: 'account-store/is-kept-under-the-first-index',
    rule: 'An account is found by the first of the indexes it was added with, and not by the others.',
    async check({ accounts }, make) {
      const [first, second] = [make.emailIndex(), make.emailIndex()]
      const account = make.account()
      await okOf(accounts.insert(account, [first, second]))
      same(await okOf(accounts.findByEmail([first])), account)
      same(await okOf(accounts.findByEmail([second])), undefined)
    },
  }),
  storageCase({
    id: 'account-store/find-tries-every-index',
    rule: 'findByEmail finds an account under whichever of the indexes it is kept.',
    async check({ accounts }, make) {
      const kept = make.emailIndex()
      const account = make.account()
      await okOf(accounts.insert(account, [kept]))
      same(await okOf(accounts.findByEmail([make.emailIndex(), kept])), account, 'the last of two')
      same(await okOf(accounts.findByEmail([kept, make.emailIndex()])), account, 'the first of two')
    },
  }),
  storageCase({
    id: 'account-store/find-of-none-is-undefined',
    rule: 'findByEmail answers undefined when no account is kept under any of the indexes.',
    async check({ accounts }, make) {
      await okOf(accounts.insert(make.account(), [make.emailIndex()]))
      same(await okOf(accounts.findByEmail([make.emailIndex(), make.emailIndex()])), undefined)
      same(await okOf(accounts.findByEmail([])), undefined, 'for no indexes')
    },
  }),
  storageCase({
    id: 'account-store/email-exists-under-any-index',
    rule: 'An account is refused with account_exists when some account is kept under any of its indexes, and nothing is written.',
    async check({ accounts }, make) {
      const kept = make.emailIndex()
      const first = make.account()
      await okOf(accounts.insert(first, [kept]))
      const fresh = make.emailIndex()
      await failsWith(accounts.insert(make.account(), [kept]), 'account_exists')
      await failsWith(accounts.insert(make.account(), [kept, make.emailIndex()]), 'account_exists')
      await failsWith(accounts.insert(make.account(), [fresh, make.emailIndex(), kept]), 'account_exists')
      same(await okOf(accounts.findByEmail([fresh])), undefined)
      same(await okOf(accounts.slice(undefined, 10)), [first])
    },
  }),
  storageCase({
    id: 'account-store/one-of-parallel-inserts-wins',
    rule: 'Of several adds of one email at once exactly one succeeds, the others are refused with account_exists.',
    async check({ accounts }, make) {
      const indexes = [make.emailIndex(), make.emailIndex()] as const
      const rivals = Array.from({ length: 20 }, () => make.account())
      const answers = await Promise.all(rivals.map((account) => accounts.insert(account, indexes)))
      const winners = rivals.filter((_, at) => answers[at]?.isOk())
      same(winners.length, 1, 'how many succeeded')
      for (const answer of answers) if (answer.isErr()) same(answer.error, { code: 'account_exists' })
      same(await okOf(accounts.slice(undefined, 30)), winners)
    },
  }),
  storageCase({
    id: 'account-store/retired-key-is-refused',
    rule: 'An account whose email is under a retired or an unknown key is refused with key_retired, and nothing is written.',
    async check({ accounts }, make) {
      for (const kid of [kids.retired, kids.unknown]) {
        const index = make.emailIndex()
        const account = make.account({ email: { kid, ciphertext: make.ciphertext() } })
        await failsWith(accounts.insert(account, [index]), 'key_retired')
        same(await okOf(accounts.findByEmail([index])), undefined)
      }
      same(await okOf(accounts.slice(undefined, 10)), [])
    },
  }),
  storageCase({
    id: 'account-store/slice-is-in-order',
    rule: 'Accounts are listed by creation and id ascending, in slices that neither repeat nor miss one, ties included.',
    async check({ accounts }, make) {
      const rows = tiedPositions(make.uuid, noonMicros).map((position) => make.account(position))
      for (const row of rows) await okOf(accounts.insert(row, [make.emailIndex()]))
      await isPagedInOrder(
        (after, limit) => accounts.slice(after, limit),
        (account) => account,
        rows.toSorted(ascending),
      )
    },
  }),
  storageCase({
    id: 'account-store/slice-goes-on-behind-any-position',
    rule: 'A slice goes on behind a position that no account has.',
    async check({ accounts }, make) {
      const between = make.uuid()
      const early = make.account({ createdAtMicros: noonMicros })
      const late = make.account({ createdAtMicros: noonMicros + 2 })
      for (const row of [late, early]) await okOf(accounts.insert(row, [make.emailIndex()]))
      const behind = await okOf(accounts.slice({ createdAtMicros: noonMicros + 1, id: between }, 10))
      sameIds(behind, [late.id])
    },
  }),
  storageCase({
    id: 'account-store/disable-keeps-the-first-moment',
    rule: 'disable sets the moment once; a repeat is answered Ok(true) and keeps the first moment.',
    async check({ accounts }, make) {
      const index = make.emailIndex()
      const account = make.account()
      await okOf(accounts.insert(account, [index]))
      const disabled = { ...account, disabledAtMicros: noonMicros + 5 }
      same(await okOf(accounts.disable(account.id, noonMicros + 5)), true)
      same(await okOf(accounts.findByEmail([index])), disabled)
      same(await okOf(accounts.disable(account.id, noonMicros + 9)), true, 'the repeat')
      same(
        await okOf(accounts.disable(account.id, noonMicros + 1)),
        true,
        'the repeat with an earlier moment',
      )
      same(await okOf(accounts.findByEmail([index])), disabled)
      same(await okOf(accounts.slice(undefined, 10)), [disabled])
    },
  }),
  storageCase({
    id: 'account-store/disable-of-none-is-false',
    rule: 'disable answers Ok(false) when there is no such account, and leaves the others alone.',
    async check({ accounts }, make) {
      const account = make.account()
      await okOf(accounts.insert(account, [make.emailIndex()]))
      same(await okOf(accounts.disable(make.uuid(), noonMicros)), false)
      same(await okOf(accounts.slice(undefined, 10)), [account])
    },
  }),
  storageCase({
    id: 'account-store/disable-concerns-one-account',
    rule: 'disable changes the named account and no other.',
    async check({ accounts }, make) {
      const [one, other] = [make.account(), make.account()]
      for (const account of [one, other]) await okOf(accounts.insert(account, [make.emailIndex()]))
      await okOf(accounts.disable(one.id, noonMicros))
      same(await okOf(accounts.slice(undefined, 10)), [{ ...one, disabledAtMicros: noonMicros }, other])
    },
  }),
]
