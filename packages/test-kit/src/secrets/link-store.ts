import { noAttempts, type Ciphertext, type FoundLink } from '@sotto/core'
import { ok, type Result } from 'neverthrow'
import { casesOf, contractOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { durableCase, storageCase, type StorageCase, together } from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { linkConcurrencyCases } from './link-concurrency.ts'
import { linkFormsCases } from './link-forms.ts'
import { linkUpdateCases } from './link-updates.ts'
import {
  addFolder,
  addLink,
  addSecrets,
  destroyNote,
  formUsed,
  freshState,
  linkedOf,
  longAgoMicros,
  linkRecordOf,
  recordWithNote,
} from '../stores/rows.ts'

const aloneCases: readonly StorageCase[] = casesOf({
  'link-store/find-of-none-is-undefined': storageCase({
    rule: 'find and findWithNote answer undefined for an unknown lookup.',
    async check(store, make) {
      const { secret, folder } = await addLink(store, make)
      await addSecrets(store, make, [make.draft(folder)])
      const close = Uint8Array.from(secret.link.lookup, (byte, at) => (at === 31 ? byte ^ 1 : byte))
      for (const lookup of [make.bytes(32), close, new Uint8Array(32)]) {
        same(expectOk(await store.links.find(lookup, longAgoMicros)), undefined)
        same(await recordWithNote(store, lookup), undefined)
      }
    },
  }),
})

const togetherCases: readonly StorageCase[] = together({
  'link-store/find-gives-secret-and-state': storageCase({
    rule: 'find gives the secret as it was inserted; a new link has no opens, no attempts, no used form, and its note.',
    async check(store, make) {
      const { secret, folder } = await addLink(store, make)
      const other = await addLink(store, make, folder)
      for (const each of [secret, other.secret]) {
        const found = expectOk(await store.links.find(each.link.lookup, noonMicros))
        same(found, { secret: each, state: freshState })
      }
    },
  }),
  'link-store/find-with-note-gives-the-note': storageCase({
    rule: 'findWithNote gives the same as find, and note and wrapped key as they were inserted.',
    async check(store, make) {
      const { secret, note, folder } = await addLink(store, make)
      await addLink(store, make, folder)
      const found = await recordWithNote(store, secret.link.lookup)
      same(found, { secret, state: freshState, note })
    },
  }),
  'link-store/note-with-password-is-read-on-demand': storageCase({
    rule: 'findWithNote gives a secret with a password without its note, unless the query asks for it; all others with their note.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      for (const hasPassword of [true, false]) {
        const secret = make.secret(folder, noonMicros, { hasPassword })
        // Stores may keep long and short notes in different places.
        for (const note of [make.note(), { ...make.note(), note: make.bytes(5_000) as Ciphertext }]) {
          const row = { ...secret, id: make.uuid(), link: make.link() }
          expectOk(await store.secrets.insert(row, note))
          const found = async (evenWithPassword: boolean) =>
            expectOk(
              await store.links.findWithNote(row.link.lookup, { nowMicros: noonMicros, evenWithPassword }),
            )
          const whole = { secret: row, state: freshState, note }
          same(await found(true), whole)
          same(await found(false), hasPassword ? { ...whole, note: undefined } : whole)
        }
      }
    },
  }),
  'link-store/find-knows-only-live-links': storageCase({
    rule: 'find and findWithNote answer undefined from the moment of the expiry on, and once the note is destroyed.',
    async check(store, make) {
      const [live, destroyed] = [await addLink(store, make), await addLink(store, make)]
      await destroyNote(store, destroyed.secret)
      const { lookup, expiresAtMicros } = live.secret.link
      const find = async (of: Uint8Array, nowMicros: number) => [
        expectOk(await store.links.find(of, nowMicros)),
        expectOk(await store.links.findWithNote(of, { nowMicros, evenWithPassword: true })),
      ]
      const { secret, note } = live
      const found = { secret, state: freshState }
      same(await find(lookup, expiresAtMicros - 1), [found, { ...found, note }])
      same(await find(lookup, expiresAtMicros), [undefined, undefined], 'expired')
      same(await find(destroyed.secret.link.lookup, noonMicros), [undefined, undefined], 'destroyed')
    },
  }),
  'link-store/update-works-after-the-expiry': storageCase({
    rule: 'update finds an expired link like any other, until it is erased.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const secret = make.secret(folder, 0, { link: make.link(noonMicros - 10, 1) })
      expectOk(await store.secrets.insert(secret, make.note()))
      const { lookup } = secret.link
      same(await linkRecordOf(store, lookup), { secret: linkedOf(secret), state: freshState })
      same(expectOk(await store.links.update(lookup, undefined, () => ok({ opens: 1 }))), { opens: 1 })
    },
  }),
  'link-store/link-of-an-account-being-erased-is-absent': storageCase({
    rule: 'Once the erasure of an account has begun, find and findWithNote answer undefined and update link_not_found for its links; those of other and of disabled accounts stay.',
    async check(store, make) {
      const [gone, disabled] = [await addLink(store, make), await addLink(store, make)]
      expectOk(await store.accounts.disable(disabled.folder.accountId, noonMicros))
      expectOk(await store.accounts.beginErasure(gone.folder.accountId))
      const { lookup } = gone.secret.link
      same(expectOk(await store.links.find(lookup, noonMicros)), undefined)
      for (const evenWithPassword of [true, false]) {
        const query = { nowMicros: noonMicros, evenWithPassword }
        same(expectOk(await store.links.findWithNote(lookup, query)), undefined)
      }
      expectErr(await store.links.update(lookup, undefined, () => ok({ opens: 1 })), 'link_not_found')
      const record = { secret: disabled.secret, state: freshState, note: disabled.note }
      same(await recordWithNote(store, disabled.secret.link.lookup), record)
    },
  }),
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
        return found.map((each: Result<FoundLink | undefined, unknown>) => expectOk(each)?.from)
      }
      for (const displayName of [make.displayName(), make.displayName(), undefined]) {
        expectOk(await store.accounts.setDisplayName(secret.accountId, displayName))
        same(await namesOf(secret.link), [displayName, displayName])
        same(await namesOf(other.secret.link), [undefined, undefined], 'of another account')
      }
    },
  }),
  'link-store/finding-changes-nothing': storageCase({
    rule: 'find and findWithNote change nothing, however often they are called.',
    async check(store, make) {
      const { secret, note } = await addLink(store, make)
      const { lookup } = secret.link
      for (let time = 0; time < 5; time += 1) {
        same(await recordWithNote(store, lookup), { secret, state: freshState, note })
        same(expectOk(await store.links.find(lookup, noonMicros)), {
          secret,
          state: freshState,
        })
      }
    },
  }),
})

/** Cases of `find` and `findWithNote`. */
const linkFindCases: readonly StorageCase[] = [...aloneCases, ...togetherCases]

const togetherCases2: readonly StorageCase[] = together({
  'link-store/updates-are-durable': durableCase({
    rule: 'Opens, attempts, forms and the destruction of a note are found after reopening.',
    async act(store, make) {
      const [open, destroyed] = [await addLink(store, make), await addLink(store, make)]
      const formId = make.formId()
      const attempts = { ...noAttempts, wrongAtMicros: [noonMicros], wrongTotal: 7 }
      const change = { opens: 5, attempts, rememberForm: true }
      expectOk(await store.links.update(open.secret.link.lookup, formId, () => ok(change)))
      await destroyNote(store, destroyed.secret)
      return (each) => [
        formUsed(each, open.secret, formId),
        ...[open, destroyed].map(({ secret }) => linkRecordOf(each, secret.link.lookup)),
        recordWithNote(each, destroyed.secret.link.lookup),
      ]
    },
  }),
})

/** The contract of the link store. */
export const linkStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('link-store', 'links', ['accounts', 'keys', 'folders', 'secrets']),
  ...togetherCases2,
  ...linkFindCases,
  ...linkUpdateCases,
  ...linkFormsCases,
  ...linkConcurrencyCases,
])
