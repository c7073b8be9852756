import { bounds, parseUuid, type Uuid } from '@sotto/core'

/** Where the boxes of a list are sent. */
export const selectionPath = '/secrets/delete'

/** The most fields that are read: enough to say that more than `bounds.deletedMax` are too many, and within the bytes of a short form. */
export const selectionMaxFields = 4 * bounds.deletedMax

/** A secret or draft that was ticked in a list. */
export interface Selected {
  readonly kind: 'secret' | 'draft'
  readonly id: Uuid
}

/** The name of the box beside a secret or draft. */
export function boxName({ kind, id }: { readonly kind: Selected['kind']; readonly id: string }): string {
  return kind === 'draft' ? `draft-${id}` : id
}

/** Reads what {@link boxName} wrote; `undefined` when it is something else. */
export function selectedOf(name: string): Selected | undefined {
  const [, prefix, text = ''] = /^(draft-)?(.{36})$/.exec(name) ?? []
  const id = parseUuid(text)
  return id === undefined ? undefined : { kind: prefix === undefined ? 'secret' : 'draft', id }
}
