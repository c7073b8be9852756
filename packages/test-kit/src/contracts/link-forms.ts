import { secretLifetimeMicros } from '@sotto/core'
import { ok } from 'neverthrow'
import { noonMicros } from '../samples.ts'
import { okOf, same } from './expect.ts'
import { addLink, formUsed } from './link-store.ts'
import { storageCase, type StorageCase, type StorageUnderTest } from './storage-harness.ts'

/** Cases of the forms that a link remembers. */
export const linkFormsCases: readonly StorageCase[] = [
  storageCase({
    id: 'link-store/form-is-remembered',
    rule: 'A form that has claimed an open is told so from then on; others are not, nor is a question that names none.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const [first, second, unused] = [make.formId(), make.formId(), make.formId()]
      same(await formUsed(store, secret, first), false, 'before it claimed')
      for (const formId of [first, second]) await remember(store, secret.link.lookup, formId)
      same(await formUsed(store, secret, first), true, 'the first')
      same(await formUsed(store, secret, second), true, 'the second')
      same(await formUsed(store, secret, unused), false, 'one that has not claimed')
      same(await formUsed(store, secret, undefined), false, 'none')
      same(
        (await okOf(store.links.find(secret.link.lookup)))?.state.formUsed,
        false,
        'find, which names none',
      )
    },
  }),
  storageCase({
    id: 'link-store/form-is-remembered-only-when-told',
    rule: 'A form is not remembered by naming it, only by a change that says rememberForm.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const formId = make.formId()
      await okOf(store.links.update(secret.link.lookup, formId, () => ok({ opens: 1 })))
      await okOf(store.links.update(secret.link.lookup, formId, () => ok({ opens: 2, rememberForm: false })))
      same(await formUsed(store, secret, formId), false)
    },
  }),
  storageCase({
    id: 'link-store/form-may-be-remembered-again',
    rule: 'Remembering a form that is remembered already is no fault.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const formId = make.formId()
      for (let time = 0; time < 2; time += 1) await remember(store, secret.link.lookup, formId)
      same(await formUsed(store, secret, formId), true)
    },
  }),
  storageCase({
    id: 'link-store/forms-belong-to-one-link',
    rule: 'A form that has claimed an open of one link has claimed none of another.',
    async check(store, make) {
      const { secret, folder } = await addLink(store, make)
      const other = await addLink(store, make, folder)
      const formId = make.formId()
      await remember(store, secret.link.lookup, formId)
      same(await formUsed(store, other.secret, formId), false)
    },
  }),
  storageCase({
    id: 'link-store/forms-are-remembered-to-the-end',
    rule: 'Forms are remembered until the secret is erased: through later changes, the destruction of the note and the expiry.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const { lookup } = secret.link
      const forms = Array.from({ length: 100 }, () => make.formId())
      await Promise.all(forms.map((formId) => remember(store, lookup, formId)))
      await okOf(store.links.update(lookup, undefined, () => ok({ opens: 7, destroyNote: true })))
      await okOf(store.secrets.eraseExpired(secret.link.expiresAtMicros - 1, 10))
      for (const formId of forms) same(await formUsed(store, secret, formId), true)
    },
  }),
  storageCase({
    id: 'link-store/erasure-forgets-forms-and-state',
    rule: 'With an erased secret everything about its link is forgotten: a new one under the same lookup starts fresh.',
    async check(store, make) {
      const { secret, folder } = await addLink(store, make)
      const formId = make.formId()
      await okOf(
        store.links.update(secret.link.lookup, formId, () =>
          ok({ opens: 3, destroyNote: true, rememberForm: true }),
        ),
      )
      same(await okOf(store.secrets.eraseExpired(noonMicros + secretLifetimeMicros, 10)), 1)
      const note = make.note()
      await okOf(store.secrets.insert({ ...make.secret(folder), id: secret.id, link: secret.link }, note))
      const behind = await okOf(store.links.findWithNote(secret.link.lookup))
      same({ opens: behind?.state.opens, note: behind?.note }, { opens: 0, note })
      same(await formUsed(store, secret, formId), false)
    },
  }),
]

async function remember({ links }: StorageUnderTest, lookup: Uint8Array, formId: string): Promise<void> {
  await okOf(links.update(lookup, formId, () => ok({ rememberForm: true })))
}
