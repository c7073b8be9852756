import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Fixed inputs, and what the format makes of them with the salt 160, 161, … 175. Other programs can be checked with the same file. */
export interface Vectors {
  readonly key: string
  readonly proof: string
  readonly notes: readonly {
    readonly text: string
    readonly password?: string
    readonly files?: readonly (readonly [key: string, name: string, size: number, type: string])[]
    readonly note: string
    readonly sentPassword?: string
  }[]
  readonly files: readonly { readonly size: number; readonly sealedSize: number; readonly sha256: string }[]
  readonly requests: readonly {
    readonly publicKey: string
    readonly auth: string
    readonly ownerKey: string
    readonly text: string
    readonly answer: string
  }[]
}

export function readVectors(): Vectors {
  return JSON.parse(readFileSync(join(import.meta.dirname, '..', 'vectors.json'), 'utf8')) as Vectors
}
