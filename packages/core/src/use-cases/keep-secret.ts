import { err, ok, type Result } from 'neverthrow'
import type { Draft } from '../entities/secret.ts'
import { uuidV7, uuidV7RandomBytes, type Uuid } from '../entities/uuid.ts'
import type { CipherBusy, FieldsInvalid, KeyRetired, StorageError } from '../errors.ts'
import type { PlainSecret } from '../ports/cipher.ts'
import type { Ports } from '../ports/ports.ts'
import type { NewSecret } from '../rules/fields.ts'
import { underActiveKey } from './active-key.ts'
import { checkNewSecret } from './check-new-secret.ts'
import type { FreshLink } from './fresh-link.ts'

export type KeepSecretPorts = Pick<
  Ports,
  'folders' | 'secrets' | 'secretCipher' | 'keyRing' | 'digests' | 'clock' | 'random' | 'limits'
>
export type KeepSecretError = FieldsInvalid | CipherBusy | KeyRetired | StorageError
export type KeepSecretInput = NewSecret & { readonly accountId: Uuid }

/**
 * Checks, encrypts and keeps a new secret, with or without a link: what creating a secret and saving a draft have in common.
 * Ok with the secret as its owner sees it, its link aside.
 */
export async function keepSecret(
  ports: KeepSecretPorts,
  input: KeepSecretInput,
  { nowMicros, link }: { readonly nowMicros: number; readonly link: FreshLink | undefined },
): Promise<Result<Draft, KeepSecretError>> {
  const checked = await checkNewSecret(ports, input)
  if (checked.isErr()) return err(checked.error)
  const { accountId, label, note, openLimit = 0, notify = false, password } = input
  const draft: Draft = {
    id: uuidV7(nowMicros, ports.random.bytes(uuidV7RandomBytes)),
    folderId: input.folderId.toLowerCase(),
    label,
    createdAtMicros: nowMicros,
    // JSON has a negative zero; as a limit it is zero.
    openLimit: openLimit + 0,
    notify,
    hasPassword: password !== undefined,
  }
  const plain: PlainSecret = {
    row: { ...withoutLabel(draft), accountId, link: link?.stored },
    head: { label, linkToken: link?.token },
    note,
    // Composed, so that a password typed on another keyboard or system is the same password (NIST SP 800-63B, 3.1.1.2).
    password: password?.normalize('NFC'),
  }
  const kept = await underActiveKey(ports.keyRing, () => encryptAndInsert(ports, plain))
  return kept.isErr() ? err(kept.error) : ok(draft)
}

/** The label is confided: the store gets it in the encrypted head alone. */
function withoutLabel({ label: _, ...plain }: Draft): Omit<Draft, 'label'> {
  return plain
}

async function encryptAndInsert(
  { secrets, secretCipher }: KeepSecretPorts,
  plain: PlainSecret,
): Promise<Result<void, KeepSecretError>> {
  const encrypted = await secretCipher.encryptSecret(plain)
  if (encrypted.isErr()) return err(encrypted.error)
  const { kid, head, wrap, note } = encrypted.value
  const inserted = await secrets.insert({ ...plain.row, kid, head }, { note, wrap })
  if (inserted.isOk()) return ok()
  // The folder went away after it was checked.
  if (inserted.error.code !== 'folder_not_found') return err(inserted.error)
  return err({ code: 'fields_invalid', faults: [{ field: 'folderId', rule: 'unknown_folder' }] })
}
