import type { Limits } from '@sotto/core'

/** A legal note can grow sixfold in JSON (`\u0001` is one byte of it); the other fields and the punctuation fit into 16 KiB. */
export function bodyMaxBytes({ noteMaxBytes }: Pick<Limits, 'noteMaxBytes'>): number {
  return 6 * noteMaxBytes + 16 * 1024
}
