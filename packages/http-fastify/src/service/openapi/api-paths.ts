import { idempotencyKeyMaxLength, takesFiles, type Policy } from '@sotto/core'
import * as Type from 'typebox'
import { problemOf } from '../../http/answers/problems-of-errors.ts'
import { bodyContent, listContent, objectContent, readable } from '../../openapi/content.ts'
import { formContent } from '../../files/openapi.ts'
import { bodyProblems, commonProblems, dataResponse, problemResponse } from '../../openapi/responses.ts'
import type { Operation, PathItem } from '../../openapi/types.ts'

const idInPath = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the secret, from the list of secrets.',
  schema: Type.String({ format: 'uuid' }),
} as const

/** The paths of the API, under its prefix. */
export function apiPaths(prefix: string, policy: Pick<Policy, 'files'>): Record<string, PathItem> {
  return {
    [`${prefix}/folders`]: readable(listFolders),
    [`${prefix}/secrets`]: readable(listSecrets),
    [`${prefix}/secret/{id}`]: { ...readable(getSecret), delete: deleteSecret },
    [`${prefix}/secret`]: { post: createSecret(policy) },
  }
}

const listFolders: Operation = {
  operationId: 'listFolders',
  tags: ['Folders'],
  summary: 'Get all folders',
  description: 'The oldest folder comes first.',
  responses: {
    200: dataResponse('All folders of the account.', listContent('Folder')),
    ...commonProblems,
  },
}

const listSecrets: Operation = {
  operationId: 'listSecrets',
  tags: ['Secrets'],
  summary: 'Get all secrets',
  description:
    'Shareable secrets with their links, the newest link first; never drafts. A secret whose link is used up ' +
    'stays in the list until it expires.',
  responses: {
    200: dataResponse('All shareable secrets of the account.', listContent('Secret')),
    ...commonProblems,
  },
}

const getSecret: Operation = {
  operationId: 'getSecret',
  tags: ['Secrets'],
  summary: 'Get one secret',
  description: 'A shareable secret with its link. Its note can only be read by opening the link.',
  parameters: [idInPath],
  responses: {
    200: dataResponse('The secret.', objectContent('Secret')),
    ...commonProblems,
    404: { $ref: '#/components/responses/SecretNotFound' },
  },
}

const deleteSecret: Operation = {
  operationId: 'deleteSecret',
  tags: ['Secrets'],
  summary: 'Destroy a secret',
  description:
    'Takes a secret back: its link is dead, its note is erased, and no list shows it any more. The answer is the secret as it was. A ' +
    'second request is answered like one for an unknown id. An open that was counted before the request is still delivered. This ' +
    "operation is an addition to the API's reference: another service with this API may answer 405.",
  parameters: [idInPath],
  responses: {
    200: dataResponse('The secret as it was.', objectContent('Secret')),
    ...commonProblems,
    404: { $ref: '#/components/responses/SecretNotFound' },
  },
}

/** A part of the operation alone: where no files are taken, the document has no use for it. */
const diskFull = problemResponse(
  'There is no room for files on the disk of the service. Nothing was created.',
  problemOf({ code: 'disk_full' }),
)

const createSecret = (policy: Pick<Policy, 'files'>): Operation => ({
  operationId: 'createSecret',
  tags: ['Secrets'],
  summary: 'Create a secret',
  description:
    'Stores a secret in one of your folders. The secret has a link and expires 30 days later. The answer is the same for an ' +
    "unknown folder, a malformed id and another account's folder. With `Idempotency-Key` the request can be sent again when its " +
    'answer was lost: it creates one secret.',
  parameters: [
    {
      name: 'idempotency-key',
      in: 'header',
      required: false,
      description:
        'A random name for this request, such as a UUID; another one for each secret. For 24 hours the same key and the same ' +
        'fields and files get the first answer again. A request that failed is not remembered.',
      schema: Type.String({ minLength: 1, maxLength: idempotencyKeyMaxLength, pattern: '^[!-~]+$' }),
    },
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': bodyContent('NewSecret'),
      ...formContent(policy),
    },
  },
  responses: {
    201: dataResponse('The new secret with its link.', objectContent('Secret'), {
      location: { $ref: '#/components/headers/Location' },
      'idempotent-replayed': { $ref: '#/components/headers/IdempotentReplayed' },
    }),
    ...commonProblems,
    ...bodyProblems,
    409: { $ref: '#/components/responses/RequestUnderWay' },
    410: { $ref: '#/components/responses/SecretGone' },
    422: { $ref: '#/components/responses/KeyReused' },
    ...(takesFiles(policy.files) && { 507: diskFull }),
  },
})
