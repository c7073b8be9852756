import type { FolderWithCounts } from '@sotto/core'
import * as Type from 'typebox'
import type { Static } from 'typebox'
import { isoMicros } from '../shared/iso-micros.ts'
import { idSchema, timestampSchema } from '../shared/scalars.ts'

/** A folder, with the numbers of its drafts and secrets. */
export const folderSchema = Type.Object(
  {
    id: idSchema('The `folder_id` of a new secret in this folder.'),
    label: Type.String({ description: 'The name of the folder.', examples: ['Customers'] }),
    created_at: timestampSchema('When the folder was created.'),
    drafts_count: Type.Integer({
      minimum: 0,
      description: 'Drafts in the folder. No list of this API contains them.',
      examples: [0],
    }),
    secrets_count: Type.Integer({
      minimum: 0,
      description: 'Shareable secrets in the folder: as many as the list of secrets has of it.',
      examples: [1],
    }),
  },
  { additionalProperties: false, description: 'A folder, with the numbers of its drafts and secrets.' },
)

/** A folder on the wire. */
export type WireFolder = Static<typeof folderSchema>

/** A folder as the wire writes it. */
export function toWireFolder(folder: FolderWithCounts): WireFolder {
  return {
    id: folder.id,
    label: folder.label,
    created_at: isoMicros(folder.createdAtMicros),
    drafts_count: folder.draftsCount,
    secrets_count: folder.secretsCount,
  }
}

/** The document of `folder rename`. */
export function toWireRenamed(id: string, label: string) {
  return { id, label }
}
