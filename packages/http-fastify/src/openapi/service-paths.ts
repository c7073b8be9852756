import { Type } from 'typebox'
import { envelopeSchema } from '../schemas/envelope.ts'
import { readable } from './api-paths.ts'
import { refusals } from '../refusals.ts'
import type { Operation, PathItem } from './types.ts'

const json = 'application/json; charset=utf-8'
const statusSchema = envelopeSchema(Type.Object({ status: Type.String() }, { additionalProperties: false }))

/** The paths beside the API. */
export const servicePaths: Readonly<Record<string, PathItem>> = {
  '/healthz': readable(statusOperation('health', 'Is the service alive?', 'alive')),
  '/readyz': readable({
    ...statusOperation('readiness', 'Can the service write?', 'ready'),
    responses: {
      ...statusOperation('readiness', 'Can the service write?', 'ready').responses,
      503: {
        description: 'It cannot, or it is shutting down.',
        headers: { 'retry-after': { $ref: '#/components/headers/RetryAfter' } },
        content: {
          [json]: {
            schema: { $ref: '#/components/schemas/Error' },
            example: { success: false, version: '1.0', message: refusals.notReady.message },
          },
        },
      },
    },
  }),
  '/openapi.json': readable({
    ...open('openapi', 'This description'),
    responses: { 200: { description: 'OpenAPI 3.1.', content: { [json]: { schema: Type.Object({}) } } } },
  }),
  '/docs': readable({
    ...open('docs', 'This description, to read'),
    responses: {
      200: { description: 'A page.', content: { 'text/html; charset=utf-8': { schema: Type.String() } } },
    },
  }),
}

function open(operationId: string, summary: string): Omit<Operation, 'responses'> {
  return { operationId, tags: ['Service'], summary, security: [] }
}

function statusOperation(operationId: string, summary: string, status: string): Operation {
  const example = { success: true, version: '1.0', data: { status } }
  return {
    ...open(operationId, summary),
    responses: { 200: { description: 'Yes.', content: { [json]: { schema: statusSchema, example } } } },
  }
}
