import type { Limits } from '@sotto/core'
import type { Origins } from '../hosts.ts'
import { apiVersion, errorSchema } from '../schemas/envelope.ts'
import { folderSchema } from '../schemas/folder.ts'
import { newSecretSchema } from '../schemas/new-secret.ts'
import { secretSchema } from '../schemas/secret.ts'
import { apiPaths } from './api-paths.ts'
import { headerComponents, responseComponents } from './responses.ts'
import { servicePaths } from './service-paths.ts'
import type { OpenApiDocument } from './types.ts'

export interface OpenApiOptions extends Origins {
  readonly limits: Limits
  /** Under which prefix the API is registered; `/api` by default. */
  readonly prefix?: string
}

/** The description of the API (OpenAPI 3.1), put together from the schemas that its routes validate with. */
export function openApiDocument({
  baseUrl,
  linkBaseUrl,
  limits,
  prefix = '/api',
}: OpenApiOptions): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sotto',
      version: apiVersion,
      summary: 'Keeps confidential text and hands it over by link.',
      description: descriptionOf({ linkBaseUrl, limits }),
    },
    servers: [{ url: baseUrl }],
    tags: [
      { name: 'Folders', description: 'Every secret lies in a folder.' },
      { name: 'Secrets', description: 'Confidential texts and their links.' },
      { name: 'Service', description: 'For operators. Needs no access token and counts against no limit.' },
    ],
    security: [{ accessToken: [] }],
    paths: { ...apiPaths(prefix), ...servicePaths },
    components: {
      schemas: {
        Folder: folderSchema,
        Secret: secretSchema,
        NewSecret: newSecretSchema(limits),
        Error: errorSchema,
      },
      headers: headerComponents(limits),
      responses: responseComponents,
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'sotto_ and 46 characters',
          description:
            'An access token of an account. Its scopes are `read`, for whatever only reads, and `write`, for all the rest.',
        },
      },
    },
  }
}

function descriptionOf({ linkBaseUrl, limits }: Pick<OpenApiOptions, 'linkBaseUrl' | 'limits'>): string {
  const { perMinute, perDay } = limits.quota
  return [
    'Secrets are confidential texts. Each lies in a folder. A shareable secret has a link that can be handed to a ' +
      `recipient: an address on \`${linkBaseUrl}\` whose path is one opaque token. A secret created here is shareable ` +
      'at once and lives for 30 days. Drafts have no link; they are only counted.',
    'Every request carries an access token: `Authorization: Bearer <token>`. Every answer is JSON in UTF-8 and is ' +
      'never cached. Moments are in ISO 8601, UTC, with microseconds.',
    `An account may make ${perMinute} requests a minute and ${perDay} a day, with all of its tokens together. So may an ` +
      'address without a valid token. Each window begins with the first request counted in it. Every answer says in ' +
      '`x-ratelimit-limit` how many requests a minute holds, and in `x-ratelimit-remaining` how many are left now. ' +
      'Refused requests are not counted; `Retry-After` says when to come again.',
    'A request is judged in this order: host, access token, limits, scope, path, method, media type, size, JSON, fields. ' +
      'One answer lists all fields at fault. Fields that are not known are refused, and no value is converted.',
    'HEAD is answered like GET, without the body. Lists are complete: there are no pages.',
    `Every answer names the version of the API, \`${apiVersion}\`. Paths have no version in them.`,
  ].join('\n\n')
}
