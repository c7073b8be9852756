import { Type, type TString } from 'typebox'

/** A moment as the API writes it. */
export function timestampSchema(description: string): TString {
  return Type.String({
    format: 'date-time',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$',
    description: `${description} ISO 8601, UTC, microseconds.`,
    examples: ['2026-11-20T09:30:00.000000Z'],
  })
}

/** An id as the API writes it. */
export function idSchema(description: string): TString {
  return Type.String({ format: 'uuid', description, examples: ['01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3d'] })
}
