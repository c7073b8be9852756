import { filesMax, takesFiles, type Policy } from '@sotto/core'
import { answerSchema } from '@sotto/wire'
import * as Type from 'typebox'
import type { TSchema } from 'typebox'
import { problemOf } from '../http/answers/problems-of-errors.ts'
import { problems } from '../http/answers/problems.ts'
import { badForm } from '../link/link-body.ts'
import { answerOrPage, bodyContent, problemOrPage, readable } from '../openapi/content.ts'
import type { Operation, PathItem } from '../openapi/types.ts'
import { requestProblems } from './problems.ts'

/**
 * The path on which requests are answered.
 * @param linkBaseUrl its origin
 * @param linkProblemsOf the problems of every request for a link
 * @param policy whether answers may have files
 */
export function requestPaths(
  linkBaseUrl: string,
  linkProblemsOf: Operation['responses'],
  policy: Pick<Policy, 'files'>,
): Record<string, PathItem> {
  const responses = {
    ...linkProblemsOf,
    404: problemOrPage(
      'The same for an unknown, a malformed, an expired, an answered and a closed request.',
      problemOf({ code: 'request_not_found' }),
    ),
  }
  return {
    '/r/{request_token}': {
      servers: [{ url: linkBaseUrl }],
      ...readable(previewRequest(responses)),
      post: answerRequest(responses, takesFiles(policy.files)),
    },
  }
}

/** The form that answers a request with files, as a component of the document; none where no files are taken. */
export function answerSchemas({ files }: Pick<Policy, 'files'>): Record<string, TSchema> {
  if (!takesFiles(files)) return {}
  const file = Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/octet-stream' })
  return {
    AnswerWithFiles: Type.Object(
      {
        answer: {
          ...Type.Partial(answerSchema),
          description:
            'Comes first, with `Content-Type: application/json` or none: the fields of `Answer`, without `note` where a file says it all.',
        },
        file: Type.Array(file, {
          maxItems: filesMax,
          description:
            `At most ${filesMax} files, each with a \`filename\` without a path, of at most 255 bytes of UTF-8. ` +
            `Each has at most ${files.maxBytes} bytes.`,
        }),
      },
      {
        additionalProperties: false,
        description:
          'An answer with files, as `multipart/form-data`, where the request takes some. The page of the request sends another form.',
      },
    ),
  }
}

const requestToken = {
  name: 'request_token',
  in: 'path',
  required: true,
  description: 'The opaque token of the request. It opens nothing.',
  schema: Type.String(),
} as const

const previewRequest = (responses: Operation['responses']): Operation => ({
  operationId: 'previewRequest',
  tags: ['Requests'],
  summary: 'Look at a request',
  description:
    'Changes nothing, however often it is requested. Answers with the page on which somebody hands in what is asked for, or with JSON if ' +
    '`Accept` prefers it.',
  security: [],
  parameters: [requestToken],
  responses: {
    200: answerOrPage('The request can be answered.', 'RequestPreview'),
    303: {
      description:
        'Punctuation follows the token. `Location` is the path of the request, whether or not there is one.',
    },
    ...responses,
  },
})

const answerRequest = (responses: Operation['responses'], hasFiles: boolean): Operation => ({
  operationId: 'answerRequest',
  tags: ['Requests'],
  summary: 'Answer a request',
  description:
    'Hands in a text, perhaps with files, which the owner of the request can read from then on. Whether the request can be answered, and whether the address may, ' +
    'is decided before the body is read.',
  security: [],
  parameters: [requestToken],
  requestBody: {
    required: true,
    content: {
      'application/json': bodyContent('Answer'),
      'application/x-www-form-urlencoded': bodyContent('AnswerForm'),
      ...(hasFiles && {
        'multipart/form-data': { schema: Type.Ref('#/components/schemas/AnswerWithFiles') },
      }),
    },
  },
  responses: {
    ...responses,
    201: answerOrPage('It was received, and is durable.', 'AnswerReceipt'),
    400: problemOrPage(
      'Not valid HTTP, a missing or malformed Host, invalid JSON or form, or invalid fields: all of them are listed.',
      badForm,
    ),
    403: problemOrPage('It comes from a page of another site.', requestProblems.crossSite),
    413: problemOrPage(
      'The body or a file is too large, or there is no room for the files.',
      problems.bodyTooLarge,
    ),
    415: problemOrPage(
      'The body is neither JSON nor a form in UTF-8, it is compressed, or it has files that the request does not take.',
      requestProblems.mediaType,
    ),
    422: problemOrPage(
      'The request has a key, and the note is no sealed answer, or too long.',
      problemOf({ code: 'answer_not_sealed' }),
    ),
    429: problemOrPage(
      'Too many answers from this address within an hour.',
      problemOf({ code: 'too_many_answers', retryAfterSeconds: 1_800 }),
    ),
    ...(hasFiles && {
      507: problemOrPage('There is no room for files on the disk of the service.', requestProblems.diskFull),
    }),
  },
})
