import { Type, type Static } from 'typebox'
import { idSchema, timestampSchema } from './scalars.ts'

export const linkSchema = Type.Object(
  {
    url: Type.String({
      format: 'uri',
      description: 'What is handed to the recipient. Its path is one opaque token.',
      examples: ['https://s.example.org/9fVHrA0b7PzQ0m0wC3dUuYl8b1o3eN5JxkT2gRq4iEs'],
    }),
    created_at: timestampSchema('When the link was made.'),
  },
  { additionalProperties: false, description: 'The link of a shareable secret.' },
)

export const secretSchema = Type.Object(
  {
    id: idSchema('Names the secret in the API. Says nothing about its link.'),
    label: Type.String({ description: 'The title of the secret.', examples: ['Database, staging'] }),
    expires_at: timestampSchema('From this moment on the secret is gone: 30 days after its link was made.'),
    folder_id: idSchema('The folder that it lies in.'),
    created_at: timestampSchema('When the secret was made.'),
    link: linkSchema,
  },
  {
    additionalProperties: false,
    description: 'A shareable secret. Neither its note nor its password is ever part of it.',
  },
)

export type WireSecret = Static<typeof secretSchema>
