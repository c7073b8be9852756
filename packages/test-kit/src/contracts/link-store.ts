import {
  noAttempts,
  secretLifetimeMicros,
  type StoredFolder,
  type StoredNote,
  type StoredShareableSecret,
} from '@sotto/core'
import { ok } from 'neverthrow'
import { noonMicros, type Samples } from '../samples.ts'
import { okOf, same } from './expect.ts'
import {
  addFolder,
  addSecrets,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
} from './storage-harness.ts'

/** The state of a link that nobody has met yet. */
export const fresh = { opens: 0, hasNote: true, attempts: noAttempts, formUsed: false }

/** Cases of `find` and `findWithNote`. */
export const linkStoreCases: readonly StorageCase[] = [
  storageCase({
    id: 'link-store/find-gives-secret-and-state',
    rule: 'find gives the secret exactly as it was added, and a new link has no opens, no attempts, no used form, and its note.',
    async check(store, make) {
      const { secret, folder } = await addLink(store, make)
      const other = await addLink(store, make, folder)
      for (const each of [secret, other.secret]) {
        same(await okOf(store.links.find(each.link.lookup)), { secret: each, state: fresh })
      }
    },
  }),
  storageCase({
    id: 'link-store/find-with-note-gives-the-note',
    rule: 'findWithNote gives the same as find, and note and wrap exactly as they were added.',
    async check(store, make) {
      const { secret, note, folder } = await addLink(store, make)
      await addLink(store, make, folder)
      same(await okOf(store.links.findWithNote(secret.link.lookup)), { secret, state: fresh, note })
    },
  }),
  storageCase({
    id: 'link-store/find-shows-expired-links',
    rule: 'An expired link is found like any other, with its note, until it is erased.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const secret = make.secret(folder, noonMicros - 2 * secretLifetimeMicros)
      const note = make.note()
      await okOf(store.secrets.insert(secret, note))
      same(await okOf(store.links.find(secret.link.lookup)), { secret, state: fresh })
      same(await okOf(store.links.findWithNote(secret.link.lookup)), { secret, state: fresh, note })
      same(await okOf(store.links.update(secret.link.lookup, undefined, () => ok({ opens: 1 }))), {
        opens: 1,
      })
    },
  }),
  storageCase({
    id: 'link-store/find-of-none-is-undefined',
    rule: 'A lookup that leads nowhere is answered undefined by find and by findWithNote.',
    async check(store, make) {
      const { secret, folder } = await addLink(store, make)
      await addSecrets(store, make, [make.draft(folder)])
      const close = Uint8Array.from(secret.link.lookup, (byte, at) => (at === 31 ? byte ^ 1 : byte))
      for (const lookup of [make.bytes(32), close, new Uint8Array(32)]) {
        same(await okOf(store.links.find(lookup)), undefined)
        same(await okOf(store.links.findWithNote(lookup)), undefined)
      }
    },
  }),
  storageCase({
    id: 'link-store/finding-changes-nothing',
    rule: 'find and findWithNote change nothing, however often they are called.',
    async check(store, make) {
      const { secret, note } = await addLink(store, make)
      for (let time = 0; time < 5; time += 1) {
        same(await okOf(store.links.findWithNote(secret.link.lookup)), { secret, state: fresh, note })
        same(await okOf(store.links.find(secret.link.lookup)), { secret, state: fresh })
      }
    },
  }),
]

export interface AddedLink {
  readonly folder: StoredFolder
  readonly secret: StoredShareableSecret
  readonly note: StoredNote
}

/** Adds a shareable secret with a note, in a folder of its own unless told which. */
export async function addLink(
  store: StorageUnderTest,
  make: Samples,
  given?: StoredFolder,
): Promise<AddedLink> {
  const folder = given ?? (await addFolder(store, make))
  const secret = make.secret(folder)
  const note = make.note()
  await okOf(store.secrets.insert(secret, note), 'adding a secret')
  return { folder, secret, note }
}

/** Whether the form has claimed an open of this link, as a decision learns it. */
export async function formUsed(
  store: StorageUnderTest,
  { link }: StoredShareableSecret,
  formId: string | undefined,
): Promise<boolean | undefined> {
  let used: boolean | undefined
  await okOf(
    store.links.update(link.lookup, formId, ({ state }) => {
      used = state.formUsed
      return ok({})
    }),
  )
  return used
}
