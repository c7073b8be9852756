import { expectOk } from '@sotto/test-kit'
import type { Ciphertext, Encrypted } from '../src/shared/ciphertext.ts'
import { shareFiles } from './files.ts'
import { addWebhook, ask, newSecret, type World } from './world.ts'

/** The bytes with one bit of each changed. */
export function flipped(bytes: Uint8Array): Ciphertext {
  return Uint8Array.from(bytes, (byte) => byte ^ 1) as Ciphertext
}

/** Corrupts the ciphertext of a head, a wrapped key or a note. */
export function corruptSecret(
  { deps }: World,
  id: string,
  column: 'headCiphertext' | 'wrappedKey' | 'note',
): void {
  const { secrets } = deps.data
  const row = secrets.get(id)!
  const note = row.note!
  secrets.set(
    id,
    column === 'headCiphertext'
      ? { ...row, secret: { ...row.secret, headCiphertext: flipped(row.secret.headCiphertext) } }
      : { ...row, note: { ...note, [column]: flipped(note[column]) } },
  )
}

/** Corrupts the name of the world's account. */
export function corruptName({ deps, accountId }: World): void {
  const { accounts } = deps.data
  const row = accounts.get(accountId)!
  accounts.set(accountId, { ...row, account: { ...row.account, name: corrupted(row.account.name) } })
}

/** Corrupts the label of the world's folder. */
export function corruptLabel({ deps, folderId }: World): void {
  const { folders } = deps.data
  const row = folders.get(folderId)!
  folders.set(folderId, { ...row, label: corrupted(row.label) })
}

/** Corrupts address and signing secret of a webhook. */
export function corruptEndpoint({ deps }: World, id: string): void {
  const { webhooks } = deps.data
  const row = webhooks.get(id)!
  webhooks.set(id, { ...row, endpoint: corrupted(row.endpoint) })
}

/** Corrupts the display name of the world's account. Returns the id of its row. */
export function corruptDisplayName({ deps, accountId }: World): string {
  const { accounts } = deps.data
  const row = accounts.get(accountId)!
  const { id, name } = row.account.displayName!
  const account = { ...row.account, displayName: { id, name: corrupted(name) } }
  accounts.set(accountId, { ...row, account })
  return id
}

/** Corrupts title, text and link of a request. */
export function corruptRequest({ deps }: World, id: string): void {
  const { requests } = deps.data
  const row = requests.get(id)!
  requests.set(id, { ...row, request: { ...row.request, content: corrupted(row.request.content) } })
}

/** Corrupts name, size and type of a file. */
export function corruptFile({ deps }: World, id: string): void {
  const { files } = deps.data
  const row = files.get(id)!
  files.set(id, { ...row, about: corrupted(row.about) })
}

/** Adds to the world a row of every kind that is corrupted. Returns the ids of all corrupted rows. */
export async function corruptEachKind(world: World) {
  const { sotto, accountId, folderId, deps } = world
  expectOk(await sotto.setDisplayName({ accountId, displayName: 'Ada' }))
  const displayName = corruptDisplayName(world)
  const webhook = await addWebhook(world)
  corruptEndpoint(world, webhook)
  const { id: draft } = expectOk(await sotto.saveDraft(newSecret(world)))
  const secret = expectOk(await sotto.createSecret(newSecret(world)))
  const locked = expectOk(await sotto.createSecret(newSecret(world, { password: 'p' })))
  corruptName(world)
  corruptLabel(world)
  corruptSecret(world, draft, 'headCiphertext')
  corruptSecret(world, secret.id, 'wrappedKey')
  corruptSecret(world, locked.id, 'note')
  const { id: request } = await ask(world)
  corruptRequest(world, request)
  await shareFiles(world, ['a.pdf'])
  const file = [...deps.data.files.keys()].at(-1)!
  corruptFile(world, file)
  const texts = {
    account: accountId,
    folder: folderId,
    webhook,
    display_name: displayName,
    request,
    file,
  }
  return { ...texts, draft, secret: secret.id, locked: locked.id }
}

/** The text with one bit of each of its bytes changed. */
export function corrupted({ kid, ciphertext }: Encrypted): Encrypted {
  return { kid, ciphertext: flipped(ciphertext) }
}
