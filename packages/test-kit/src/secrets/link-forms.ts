import { ok } from 'neverthrow'
import { expectOk } from '../contract/expect.ts'
import { same } from '../contract/compare.ts'
import { storageCase, type StorageCase, type StorageUnderTest, together } from '../stores/harness.ts'
import {
  addLink,
  formUsed,
  freshState,
  linkRecordOf,
  recordWithNote,
  reportsNothing,
} from '../stores/rows.ts'

/** Cases of the forms that a link remembers. */
export const linkFormsCases: readonly StorageCase[] = together({
  'link-store/form-is-remembered': storageCase({
    rule: 'formUsed is true for a form that has claimed an open, and false for other forms and without a form.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const [first, second, unused] = [make.formId(), make.formId(), make.formId()]
      same(await formUsed(store, secret, first), false, 'before it claimed an open')
      for (const formId of [first, second]) await remember(store, secret.link.lookup, formId)
      same(await formUsed(store, secret, first), true, 'the first')
      same(await formUsed(store, secret, second), true, 'the second')
      same(await formUsed(store, secret, unused), false, 'one that has not claimed an open')
      same(await formUsed(store, secret, undefined), false, 'no form')
      same(
        (await linkRecordOf(store, secret.link.lookup))?.state.formUsed,
        false,
        'find, which names no form',
      )
    },
  }),
  'link-store/form-is-remembered-on-request-only': storageCase({
    rule: 'A form is remembered by rememberForm, not by merely naming it.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const formId = make.formId()
      expectOk(await store.links.update(secret.link.lookup, formId, () => ok({ opens: 1 })))
      expectOk(
        await store.links.update(secret.link.lookup, formId, () => ok({ opens: 2, rememberForm: false })),
      )
      same(await formUsed(store, secret, formId), false)
    },
  }),
  'link-store/form-may-be-remembered-again': storageCase({
    rule: 'Remembering a form twice is not an error.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const formId = make.formId()
      for (let time = 0; time < 2; time += 1) await remember(store, secret.link.lookup, formId)
      same(await formUsed(store, secret, formId), true)
    },
  }),
  'link-store/forms-belong-to-one-link': storageCase({
    rule: 'A form that was used for one link is unused for another.',
    async check(store, make) {
      const { secret, folder } = await addLink(store, make)
      const other = await addLink(store, make, folder)
      const formId = make.formId()
      await remember(store, secret.link.lookup, formId)
      same(await formUsed(store, other.secret, formId), false)
    },
  }),
  'link-store/forms-are-remembered-until-erasure': storageCase({
    rule: 'Forms are remembered until the secret is erased: through later changes, the destruction of the note, and the expiry.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const { lookup } = secret.link
      const forms = Array.from({ length: 100 }, () => make.formId())
      await Promise.all(forms.map((formId) => remember(store, lookup, formId)))
      expectOk(await store.links.update(lookup, undefined, () => ok({ opens: 7, destroyNote: true })))
      expectOk(await store.secrets.eraseExpired(secret.link.expiresAtMicros - 1, 10, reportsNothing))
      for (const formId of forms) same(await formUsed(store, secret, formId), true)
    },
  }),
  'link-store/erasure-forgets-forms-and-state': storageCase({
    rule: 'Nothing about a link survives its erasure: a new secret with the same id and lookup starts with a fresh state.',
    async check(store, make) {
      const { secret, folder } = await addLink(store, make)
      const formId = make.formId()
      expectOk(
        await store.links.update(secret.link.lookup, formId, () =>
          ok({ opens: 3, destroyNote: true, rememberForm: true }),
        ),
      )
      same(expectOk(await store.secrets.eraseExpired(secret.link.expiresAtMicros, 10, reportsNothing)), 1)
      const note = make.note()
      expectOk(await store.secrets.insert({ ...make.secret(folder), id: secret.id, link: secret.link }, note))
      const found = await recordWithNote(store, secret.link.lookup)
      same({ state: found?.state, note: found?.note }, { state: freshState, note })
      same(await formUsed(store, secret, formId), false)
    },
  }),
})

async function remember({ links }: StorageUnderTest, lookup: Uint8Array, formId: string): Promise<void> {
  expectOk(await links.update(lookup, formId, () => ok({ rememberForm: true })))
}
