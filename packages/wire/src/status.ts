import * as Type from 'typebox'

/** What the checks of a running service answer when they succeed. */
export const statusSchema = Type.Object(
  { status: Type.String({ description: '`alive` or `ready`.', examples: ['ready'] }) },
  { additionalProperties: false },
)
