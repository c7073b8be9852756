import { casesOf } from '../../contract.ts'
import { expectErr, expectOk } from '../../expect.ts'
import { noonMicros } from '../../samples.ts'
import { same } from '../compare.ts'
import { kids, storageCase, type StorageCase, together } from './harness.ts'
import { addLink } from './rows.ts'

/** Cases of `AccountStore.setDisplayName`. */
export const displayNameCases: readonly StorageCase[] = casesOf({
  'account-store/display-name-is-set': storageCase({
    rule: 'setDisplayName sets the display name of the account and of no other, replaces it, or takes it away, and answers Ok(true).',
    async check({ accounts }, make) {
      const [account, other] = [make.account(), make.account()]
      const index = make.nameIndex()
      expectOk(await accounts.insert(account, [index]))
      expectOk(await accounts.insert(other, [make.nameIndex()]))
      const longer = { id: make.uuid(), name: { ...make.encrypted(), ciphertext: make.ciphertext(96) } }
      for (const displayName of [make.displayName(), make.displayName(), longer, undefined]) {
        same(expectOk(await accounts.setDisplayName(account.id, displayName)), true)
        same(expectOk(await accounts.page(undefined, 10)), [{ ...account, displayName }, other])
        same(expectOk(await accounts.find(account.id)), { ...account, displayName })
        same(expectOk(await accounts.findByName([index])), { ...account, displayName })
      }
    },
  }),
  'account-store/display-name-of-none-is-false': storageCase({
    rule: 'setDisplayName of an unknown account answers Ok(false) and changes nothing.',
    async check({ accounts }, make) {
      const account = make.account()
      expectOk(await accounts.insert(account, [make.nameIndex()]))
      for (const displayName of [make.displayName(), undefined])
        same(expectOk(await accounts.setDisplayName(make.uuid(), displayName)), false)
      same(expectOk(await accounts.page(undefined, 10)), [account])
    },
  }),
  'account-store/display-name-under-a-retired-key-is-refused': storageCase({
    rule: 'setDisplayName answers key_retired when the name is under a retired or an unknown key, and the name before stays.',
    needs: ['together'],
    async check({ accounts }, make) {
      const account = make.account()
      expectOk(await accounts.insert(account, [make.nameIndex()]))
      const displayName = make.displayName()
      expectOk(await accounts.setDisplayName(account.id, displayName))
      for (const kid of [kids.retired, kids.unknown]) {
        const name = { kid, ciphertext: make.ciphertext() }
        expectErr(await accounts.setDisplayName(account.id, { id: make.uuid(), name }), 'key_retired')
        same(expectOk(await accounts.find(account.id)), { ...account, displayName })
      }
    },
  }),
})

/** How the link store shows the name. */
export const linkOwnerCases: readonly StorageCase[] = together({
  'link-store/find-shows-the-display-name': storageCase({
    rule: 'find and findWithNote give the display name of the account that the secret belongs to, and none when it has none.',
    async check(store, make) {
      const [{ secret }, other] = [await addLink(store, make), await addLink(store, make)]
      const namesOf = async ({ lookup }: { readonly lookup: Uint8Array }) => {
        const query = { nowMicros: noonMicros, evenWithPassword: true }
        const found = [
          await store.links.find(lookup, noonMicros),
          await store.links.findWithNote(lookup, query),
        ]
        return found.map((each) => expectOk(each)?.from)
      }
      for (const displayName of [make.displayName(), make.displayName(), undefined]) {
        expectOk(await store.accounts.setDisplayName(secret.accountId, displayName))
        same(await namesOf(secret.link), [displayName, displayName])
        same(await namesOf(other.secret.link), [undefined, undefined], 'of another account')
      }
    },
  }),
})
