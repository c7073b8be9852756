import { ok } from 'neverthrow'
import { contractOf } from '../../contract.ts'
import { expectOk } from '../../expect.ts'
import { noonMicros } from '../../samples.ts'
import { same } from '../compare.ts'
import { reopenCase, storageCase, type StorageCase } from './harness.ts'
import { linkConcurrencyCases } from './link-concurrency.ts'
import { linkFormsCases } from './link-forms.ts'
import { linkUpdateCases } from './link-updates.ts'
import { addFolder, addLink, addSecrets, destroyNote, formUsed, freshState } from './rows.ts'

/** Cases of `find` and `findWithNote`. */
const linkFindCases: readonly StorageCase[] = [
  storageCase({
    id: 'link-store/find-gives-secret-and-state',
    rule: 'find gives the secret as it was inserted; a new link has no opens, no attempts, no used form, and its note.',
    needs: ['together'],
    async check(store, make) {
      const { secret, folder } = await addLink(store, make)
      const other = await addLink(store, make, folder)
      for (const each of [secret, other.secret]) {
        same(expectOk(await store.links.find(each.link.lookup)), { secret: each, state: freshState })
      }
    },
  }),
  storageCase({
    id: 'link-store/find-with-note-gives-the-note',
    rule: 'findWithNote gives the same as find, and the note and wrap as they were inserted.',
    needs: ['together'],
    async check(store, make) {
      const { secret, note, folder } = await addLink(store, make)
      await addLink(store, make, folder)
      const found = expectOk(await store.links.findWithNote(secret.link.lookup))
      same(found, { secret, state: freshState, note })
    },
  }),
  storageCase({
    id: 'link-store/find-shows-expired-links',
    rule: 'An expired link is found and updated like any other, with its note, until it is erased.',
    needs: ['together'],
    async check(store, make) {
      const folder = await addFolder(store, make)
      const secret = make.secret(folder, 0, { link: make.link(noonMicros - 10, 1) })
      const note = make.note()
      expectOk(await store.secrets.insert(secret, note))
      const { lookup } = secret.link
      same(expectOk(await store.links.find(lookup)), { secret, state: freshState })
      same(expectOk(await store.links.findWithNote(lookup)), { secret, state: freshState, note })
      same(expectOk(await store.links.update(lookup, undefined, () => ok({ opens: 1 }))), { opens: 1 })
    },
  }),
  storageCase({
    id: 'link-store/find-of-none-is-undefined',
    rule: 'find and findWithNote answer undefined for an unknown lookup.',
    async check(store, make) {
      const { secret, folder } = await addLink(store, make)
      await addSecrets(store, make, [make.draft(folder)])
      const close = Uint8Array.from(secret.link.lookup, (byte, at) => (at === 31 ? byte ^ 1 : byte))
      for (const lookup of [make.bytes(32), close, new Uint8Array(32)]) {
        same(expectOk(await store.links.find(lookup)), undefined)
        same(expectOk(await store.links.findWithNote(lookup)), undefined)
      }
    },
  }),
  storageCase({
    id: 'link-store/finding-changes-nothing',
    rule: 'find and findWithNote change nothing, however often they are called.',
    needs: ['together'],
    async check(store, make) {
      const { secret, note } = await addLink(store, make)
      const { lookup } = secret.link
      for (let time = 0; time < 5; time += 1) {
        same(expectOk(await store.links.findWithNote(lookup)), { secret, state: freshState, note })
        same(expectOk(await store.links.find(lookup)), { secret, state: freshState })
      }
    },
  }),
]

/** The contract of the link store. */
export const linkStoreContract: readonly StorageCase[] = contractOf([
  ...linkFindCases,
  ...linkUpdateCases,
  ...linkFormsCases,
  ...linkConcurrencyCases,
  reopenCase({
    id: 'link-store/updates-are-durable',
    rule: 'Opens, attempts, forms and the destruction of a note are found after reopening.',
    needs: ['together'],
    async before(store, make) {
      const [open, destroyed] = [await addLink(store, make), await addLink(store, make)]
      const formId = make.formId()
      const attempts = {
        underWay: [{ id: 'a1', sinceMicros: noonMicros }],
        wrongAtMicros: [noonMicros],
        wrongTotal: 7,
        lockedUntilMicros: noonMicros + 1,
      }
      const change = { opens: 5, attempts, rememberForm: true }
      expectOk(await store.links.update(open.secret.link.lookup, formId, () => ok(change)))
      await destroyNote(store, destroyed.secret)
      return { open: open.secret, destroyed: destroyed.secret, formId, attempts }
    },
    async after(store, { open, destroyed, formId, attempts }) {
      const state = { opens: 5, hasNote: true, attempts, formUsed: false }
      same(expectOk(await store.links.find(open.link.lookup))?.state, state)
      same(await formUsed(store, open, formId), true)
      same(expectOk(await store.links.findWithNote(destroyed.link.lookup)), undefined)
      same(expectOk(await store.links.find(destroyed.link.lookup))?.state.opens, 1)
    },
  }),
])
