import { parseUuid, type TransferredType, type TransferredValue } from '@sotto/core'

/** Whether a value is what a column of this type may have. */
export function isOfType(type: TransferredType, value: TransferredValue): boolean {
  return value === null || tests[type](value)
}

const tests: Readonly<Record<TransferredType, (value: TransferredValue) => boolean>> = {
  uuid: (value) => typeof value === 'string' && parseUuid(value) === value,
  integer: (value) => Number.isSafeInteger(value),
  text: (value) => typeof value === 'string',
  bytes: (value) => value instanceof Uint8Array,
  boolean: (value) => typeof value === 'boolean',
}
