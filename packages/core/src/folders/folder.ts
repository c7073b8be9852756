import type { Uuid } from '../shared/uuid.ts'

/** A folder of an account. */
export interface Folder {
  readonly id: Uuid
  readonly label: string
  readonly createdAtMicros: number
}

/** A folder with what lies in it now. `secretsCount` is the number of its entries in the owner's list of secrets. */
export interface FolderWithCounts extends Folder {
  readonly draftsCount: number
  readonly secretsCount: number
}
