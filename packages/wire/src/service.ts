import * as Type from 'typebox'

/** What a service says about itself at its base address. */
export const serviceSchema = Type.Object(
  {
    service: Type.Literal('sotto', { description: 'The name of the software.' }),
    documentation: Type.String({
      format: 'uri',
      description: 'Where the API is described, to read.',
      examples: ['https://api.example.org/docs'],
    }),
    openapi: Type.String({
      format: 'uri',
      description: 'The same for programs.',
      examples: ['https://api.example.org/openapi.json'],
    }),
  },
  { additionalProperties: false },
)

/** The answer at the base address, for the absolute URLs of the documentation. */
export function toWireService(documentationUrl: string, openapiUrl: string) {
  return { service: 'sotto', documentation: documentationUrl, openapi: openapiUrl } as const
}

/** What the checks of a running service answer when they succeed. */
export const statusSchema = Type.Object(
  { status: Type.String({ description: '`alive` or `ready`.', examples: ['ready'] }) },
  { additionalProperties: false },
)
