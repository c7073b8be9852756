import { Type, type Static } from 'typebox'
import { idSchema, timestampSchema } from './scalars.ts'

export const folderSchema = Type.Object(
  {
    id: idSchema('What `folder_id` of a new secret names.'),
    label: Type.String({ description: 'The name of the folder.', examples: ['Customers'] }),
    created_at: timestampSchema('When the folder was made.'),
    drafts_count: Type.Integer({
      minimum: 0,
      description: 'Drafts in the folder. No list shows them.',
      examples: [0],
    }),
    secrets_count: Type.Integer({
      minimum: 0,
      description: 'Shareable secrets in the folder: as many as the list of secrets shows.',
      examples: [2],
    }),
  },
  { additionalProperties: false, description: 'A folder with what lies in it.' },
)

export type WireFolder = Static<typeof folderSchema>
