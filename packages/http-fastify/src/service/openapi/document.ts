import type { Policy } from '@sotto/core'
import { apiVersion, newSecretSchema } from '@sotto/wire'
import type { Origins } from '../../http/request/target.ts'
import { apiPaths } from './api-paths.ts'
import { schemas } from '../../openapi/content.ts'
import { formSchemas } from '../../files/openapi.ts'
import { answerSchemas } from '../../requests/openapi.ts'
import { linkPaths } from './link-paths.ts'
import { headerComponents, responseComponents } from '../../openapi/responses.ts'
import { servicePaths, startPaths } from './service-paths.ts'
import type { OpenApiDocument } from '../../openapi/types.ts'

/** What the OpenAPI document shows of an installation. */
export interface OpenApiOptions extends Origins {
  /** The bounds that it names. */
  readonly policy: Policy
  /** The prefix under which `apiRoutes` is registered; `/api` by default. */
  readonly apiPrefix?: string | undefined
  /** Whether `/` says what the service is, as with {@link serviceRoutes}; true by default. */
  readonly hasStartPage?: boolean | undefined
}

/** The description of the API and of opening links (OpenAPI 3.1), from the schemas that the routes validate with. */
export function openApiDocument({
  baseUrl,
  linkBaseUrl,
  policy,
  apiPrefix = '/api',
  hasStartPage = true,
}: OpenApiOptions): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sotto',
      version: apiVersion,
      summary: 'Stores confidential text and shares it by link.',
      description: descriptionOf({ linkBaseUrl, policy }),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: [
      { name: 'Folders', description: 'Every secret is in a folder.' },
      { name: 'Secrets', description: 'Confidential texts and their links.' },
      {
        name: 'Links',
        description: `Opening a link, on \`${linkBaseUrl}\`. It needs no access token and has no quota.`,
      },
      {
        name: 'Requests',
        description: `Answering a request, on \`${linkBaseUrl}\`. It needs no access token and has no quota.`,
      },
      {
        name: 'Files',
        description: `Fetching the files of an opened secret, on \`${linkBaseUrl}\`. It needs no access token and has no quota.`,
      },
      { name: 'Service', description: 'For operators. Needs no access token and has no quota.' },
    ],
    security: [{ accessToken: [] }],
    paths: {
      ...apiPaths(apiPrefix, policy),
      ...linkPaths(linkBaseUrl, policy),
      ...(hasStartPage && startPaths),
      ...servicePaths,
    },
    components: {
      schemas: {
        ...schemas,
        NewSecret: newSecretSchema(policy),
        ...formSchemas(policy),
        ...answerSchemas(policy),
      },
      headers: headerComponents(policy),
      responses: responseComponents,
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'sotto_ and 46 characters',
          description:
            'An access token of an account. Its scopes are `read`, for requests that only read, and `write`, for all others.',
        },
      },
    },
  }
}

function descriptionOf({ linkBaseUrl, policy }: Pick<OpenApiOptions, 'linkBaseUrl' | 'policy'>): string {
  const { perMinute, perDay } = policy.quota
  return [
    'Secrets are confidential texts. Each is in a folder. A shareable secret has a link that can be given to a ' +
      `recipient: a URL on \`${linkBaseUrl}\` whose path is one opaque token. A secret that is created here is shareable ` +
      'immediately and expires after 30 days. Drafts have no link; they are only counted.',
    'Every request to the API carries an access token: `Authorization: Bearer <token>`. Every answer is JSON in UTF-8, but for the login ' +
      'page that a browser may get with a 401. No answer is cached. Times are in ISO 8601, UTC, with microseconds.',
    `An account may make ${perMinute} requests a minute and ${perDay} a day, with all of its tokens together. The same applies to an ` +
      'IP address (for IPv6 its /64) without a valid token. Each window begins with the first request that is counted in it. On every ' +
      'answer, `x-ratelimit-limit` is the number of requests in a minute, and `x-ratelimit-remaining` how many are left in this minute, or ' +
      'in the day if those are fewer. A request beyond the quota is not counted; `Retry-After` gives the seconds to wait. Every other ' +
      'request is counted once its caller was looked for, whatever its answer.',
    'A request is checked in this order: headers, URL, host, quota (of the account, or of the address without a valid token), access ' +
      'token, scope, path, method, media type, size, JSON, fields. ' +
      'One answer lists all invalid fields. Unknown fields are refused, and no value is converted.',
    'HEAD is answered like GET, without the body. Lists are complete: there are no pages.',
    `Every answer in JSON contains the version of the API, \`${apiVersion}\`. Paths contain no version.`,
  ].join('\n\n')
}
