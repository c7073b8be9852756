import type { Ciphertext, Encrypted, MovedValue, Uuid } from '@sotto/core'

/** The values of a row by their columns. */
export type NamedRow = Readonly<Record<string, MovedValue>>

/** Asks a row for the values of its columns. */
export interface Values {
  uuid(column: string): Uuid
  integer(column: string): number
  text(column: string): string
  flag(column: string): boolean
  bytes(column: string): Uint8Array
  ciphertext(column: string): Ciphertext
  /** The ciphertext with the key that the row is under. */
  encrypted(column: string): Encrypted
  /** `undefined` where there is none. The caller knows the type of the column. */
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
  maybe<T extends MovedValue>(column: string): T | undefined
}

export function valuesOf(row: NamedRow): Values {
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as above
  const value = <T>(column: string): T => row[column] as T
  return {
    uuid: value,
    integer: value,
    text: value,
    flag: value,
    bytes: value,
    ciphertext: value,
    encrypted: (column) => ({ kid: value('kid'), ciphertext: value(column) }),
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as above
    maybe: <T extends MovedValue>(column: string) => (row[column] ?? undefined) as T | undefined,
  }
}
