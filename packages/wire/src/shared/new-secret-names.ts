import type { NewSecret } from '@sotto/core'

/** The names that the fields of a new secret have on the wire. */
export const newSecretNames = {
  label: 'label',
  note: 'note',
  folderId: 'folder_id',
  openLimit: 'open_limit',
  notify: 'notify',
  password: 'password',
} as const satisfies Record<keyof NewSecret, string>
