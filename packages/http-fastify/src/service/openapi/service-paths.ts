import { serviceSchema, statusSchema } from '@sotto/wire'
import * as Type from 'typebox'
import { problems } from '../../http/answers/problems.ts'
import {
  dataContent,
  exampleOf,
  json,
  pageContent,
  problemContent,
  problemHeaders,
  readable,
} from '../../openapi/content.ts'
import type { Operation, PathItem, Response } from '../../openapi/types.ts'

/** The path of the page that says what the service is. */
export const startPaths: Readonly<Record<string, PathItem>> = {
  '/': readable({
    ...operation('start', 'What is this?'),
    responses: {
      200: {
        description:
          'What this service is and where it is described: a page for a client that prefers HTML, else JSON.',
        content: { ...pageContent, ...dataContent(serviceSchema, exampleOf(serviceSchema)) },
      },
    },
  }),
}

/** The paths of a server beside the API and the links. */
export const servicePaths: Readonly<Record<string, PathItem>> = {
  '/healthz': readable({
    ...operation('health', 'Is the service alive?'),
    responses: { 200: yes('alive') },
  }),
  '/readyz': readable({
    ...operation('readiness', 'Can the service write?'),
    responses: {
      200: yes('ready'),
      503: {
        description: 'It cannot, or it is shutting down.',
        headers: problemHeaders(problems.unwritable),
        content: problemContent(problems.unwritable),
      },
    },
  }),
  '/openapi.json': readable({
    ...operation('openapi', 'This description, for programs'),
    responses: { 200: { description: 'OpenAPI 3.1.', content: { [json]: { schema: Type.Object({}) } } } },
  }),
  '/docs': readable({
    ...operation('docs', 'This description, to read'),
    responses: { 200: { description: 'A page.', content: pageContent } },
  }),
}

function operation(operationId: string, summary: string): Omit<Operation, 'responses'> {
  return { operationId, tags: ['Service'], summary, security: [] }
}

function yes(status: string): Response {
  return { description: 'Yes.', content: dataContent(statusSchema, { status }) }
}
