import * as Type from 'typebox'

/** What a proof of a sealed secret's key looks like: 32 bytes in base64url. */
export const proofShape = /^[A-Za-z0-9_-]{43}$/

/** Says of a sealed secret that it is one; other secrets have no such field. */
export const sealedSchema = (description: string) =>
  Type.Optional(
    Type.Literal(true, {
      description: `${description} Absent for a secret that is not sealed.`,
      examples: [true],
    }),
  )
