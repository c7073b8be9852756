import type { ShareableSecret } from '@sotto/core'
import * as Type from 'typebox'
import type { Static } from 'typebox'
import { isoMicros } from '../shared/iso-micros.ts'
import { sealedSchema } from '../sealed/sealed.ts'
import { expiryExample, idSchema, timestampSchema } from '../shared/scalars.ts'

export const linkSchema = Type.Object(
  {
    url: Type.String({
      format: 'uri',
      description: 'What is given to the recipient. Its path is one opaque token.',
      examples: ['https://s.example.org/9fVHrA0b7PzQ0m0wC3dUuYl8b1o3eN5JxkT2gRq4iEs'],
    }),
    created_at: timestampSchema('When the link was created.'),
  },
  { additionalProperties: false, description: 'The link of a shareable secret.' },
)

/** A shareable secret with its link. It never contains the note or the password. */
export const secretSchema = Type.Object(
  {
    id: idSchema(
      'Names the secret in the API. It has nothing in common with the token of the link.',
      '01936f31-02b4-7e0f-8a61-5b9c3d7e1f20',
    ),
    label: Type.String({ description: 'The title of the secret.', examples: ['Database, staging'] }),
    expires_at: timestampSchema(
      'From this time on the secret no longer exists. A secret that was created through this API expires 30 days after its link was created. ' +
        'One that was made on the pages may expire sooner.',
      expiryExample,
    ),
    folder_id: idSchema('The folder that contains it.'),
    created_at: timestampSchema('When the secret was created.'),
    link: linkSchema,
    sealed: sealedSchema('Its note is encrypted, and this service cannot read it.'),
  },
  {
    additionalProperties: false,
    description: 'A shareable secret. It never contains the note or the password.',
  },
)

/** A shareable secret on the wire, without note and password. */
export type WireSecret = Static<typeof secretSchema>

/**
 * A secret as the wire writes it, with its link.
 * @param linkBaseUrl the bare origin on which links are opened, without a slash at its end
 */
export function toWireSecret(secret: ShareableSecret, linkBaseUrl: string): WireSecret {
  const { createdAtMicros, link, sealed } = secret
  const createdAt = isoMicros(createdAtMicros)
  return {
    id: secret.id,
    label: secret.label,
    expires_at: isoMicros(secret.expiresAtMicros),
    folder_id: secret.folderId,
    created_at: createdAt,
    link: {
      url: linkUrl(linkBaseUrl, link.token),
      // Most secrets get their link when they are created. In a long list, writing the same time twice costs.
      created_at: link.createdAtMicros === createdAtMicros ? createdAt : isoMicros(link.createdAtMicros),
    },
    ...(sealed && { sealed }),
  }
}

/** The URL that is given to a recipient. */
export function linkUrl(linkBaseUrl: string, linkToken: string): string {
  return `${linkBaseUrl}/${linkToken}`
}
