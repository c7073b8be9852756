import { Type, type TSchema } from 'typebox'
import { envelopeSchema } from '../schemas/envelope.ts'
import { bodyErrors, commonErrors, dataResponse } from './responses.ts'
import type { MediaType, Operation, PathItem, Response } from './types.ts'

const json = 'application/json; charset=utf-8'
const folder = Type.Ref('#/components/schemas/Folder')
const secret = Type.Ref('#/components/schemas/Secret')

const exampleFolder = {
  id: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3d',
  label: 'Customers',
  created_at: '2026-11-20T09:00:00.000000Z',
  drafts_count: 0,
  secrets_count: 1,
}
const exampleSecret = {
  id: '01936f31-02b4-7e0f-8a61-5b9c3d7e1f20',
  label: 'Database, staging',
  expires_at: '2026-12-20T09:30:00.000000Z',
  folder_id: exampleFolder.id,
  created_at: '2026-11-20T09:30:00.000000Z',
  link: {
    url: 'https://s.example.org/9fVHrA0b7PzQ0m0wC3dUuYl8b1o3eN5JxkT2gRq4iEs',
    created_at: '2026-11-20T09:30:00.000000Z',
  },
}
const exampleNewSecret = {
  label: 'Database, staging',
  note: 'user: app\npassword: correct horse battery staple',
  folder_id: exampleFolder.id,
  open_limit: 1,
  notify: false,
}

/** The paths of the API, below its prefix. */
export function apiPaths(prefix: string): Record<string, PathItem> {
  return {
    [`${prefix}/folders`]: readable({
      operationId: 'listFolders',
      tags: ['Folders'],
      summary: 'Get all folders',
      description: 'The oldest folder comes first.',
      responses: { 200: listResponse('All folders of the account.', folder, exampleFolder), ...commonErrors },
    }),
    [`${prefix}/secrets`]: readable({
      operationId: 'listSecrets',
      tags: ['Secrets'],
      summary: 'Get all secrets',
      description:
        'Shareable secrets with their links, the newest link first; never drafts. A secret whose link has been used up ' +
        'stays until it expires.',
      responses: {
        200: listResponse('All shareable secrets of the account.', secret, exampleSecret),
        ...commonErrors,
      },
    }),
    [`${prefix}/secret/{id}`]: readable(getSecretOperation),
    [`${prefix}/secret`]: { post: createSecretOperation },
  }
}

const getSecretOperation: Operation = {
  operationId: 'getSecret',
  tags: ['Secrets'],
  summary: 'Get one secret',
  description: 'A shareable secret with its link. Its note is only read by opening the link.',
  parameters: [
    {
      name: 'id',
      in: 'path',
      required: true,
      description: 'The id of the secret, from the list of secrets.',
      schema: Type.String({ format: 'uuid' }),
    },
  ],
  responses: {
    200: dataResponse('The secret.', { schema: content(envelopeSchema(secret), exampleSecret) }),
    ...commonErrors,
    404: { $ref: '#/components/responses/SecretNotFound' },
  },
}

const createSecretOperation: Operation = {
  operationId: 'createSecret',
  tags: ['Secrets'],
  summary: 'Create a secret',
  description:
    'Keeps a secret in a folder of yours. Its link exists at once and its 30 days run. An unknown, a malformed and ' +
    "another account's `folder_id` are answered alike.",
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/NewSecret' }, example: exampleNewSecret },
    },
  },
  responses: {
    201: dataResponse('The new secret with its link.', {
      schema: content(envelopeSchema(secret), exampleSecret),
      headers: { location: { $ref: '#/components/headers/Location' } },
    }),
    ...commonErrors,
    ...bodyErrors,
  },
}

function listResponse(description: string, item: TSchema, example: unknown): Response {
  return dataResponse(description, { schema: content(envelopeSchema(Type.Array(item)), [example]) })
}

function content(schema: TSchema, data: unknown): Record<string, MediaType> {
  return { [json]: { schema, example: { success: true, version: '1.0', data } } }
}

/** GET and the HEAD that goes with it: the same answers without their bodies. */
export function readable(get: Operation): PathItem {
  return {
    get,
    head: { ...get, operationId: `${get.operationId}Head`, summary: `${get.summary}: headers only` },
  }
}
