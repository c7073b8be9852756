import { countedMinBytes, filesMax, takesFiles, type Policy } from '@sotto/core'
import { newSecretWithFilesSchema } from '@sotto/wire'
import * as Type from 'typebox'
import type { TSchema } from 'typebox'
import { problemOf } from '../http/answers/problems-of-errors.ts'
import { problemOrPage, readable } from '../openapi/content.ts'
import type { Content, Header, Operation, PathItem } from '../openapi/types.ts'
import { fileProblems } from './problems.ts'

/**
 * The path on which the files of an opened secret are fetched.
 * @param linkBaseUrl its origin
 * @param linkProblemsOf the problems of every request for a link
 */
export function filePaths(
  linkBaseUrl: string,
  linkProblemsOf: Operation['responses'],
): Record<string, PathItem> {
  return {
    '/f/{ticket}/{number}': { servers: [{ url: linkBaseUrl }], ...readable(getFile(linkProblemsOf)) },
  }
}

/** The form that creates a secret with files, as a component of the document; none where no files are taken. */
export function formSchemas({
  files,
  noteMaxBytes,
}: Pick<Policy, 'files' | 'noteMaxBytes'>): Record<string, TSchema> {
  if (!takesFiles(files)) return {}
  const file = Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/octet-stream' })
  return {
    NewSecretForm: Type.Object(
      {
        secret: {
          ...newSecretWithFilesSchema({ noteMaxBytes }),
          description:
            'Comes first, with `Content-Type: application/json` or none: the fields of `NewSecret`, without `note` where a file says it all.',
        },
        file: Type.Array(file, {
          maxItems: filesMax,
          description:
            `At most ${filesMax} files, each with a \`filename\` without a path, of at most 255 bytes of UTF-8. ` +
            `Each has at most ${files.maxBytes} bytes. All files of the account together count at most ${files.accountMaxBytes}: what is ` +
            `stored of each, which is at most an eighth more, and at least ${countedMinBytes}.`,
        }),
      },
      {
        additionalProperties: false,
        description:
          'A new secret with files, as `multipart/form-data`. For example: `curl -F "secret=<secret.json" -F file=@contract.pdf`.',
      },
    ),
  }
}

/** The body that is the form of {@link formSchemas}. */
export function formContent({ files }: Pick<Policy, 'files'>): Content {
  if (!takesFiles(files)) return {}
  return { 'multipart/form-data': { schema: Type.Ref('#/components/schemas/NewSecretForm') } }
}

const ticket = {
  name: 'ticket',
  in: 'path',
  required: true,
  description: 'From the `url` of the file. Good for one hour after the open.',
  schema: Type.String(),
} as const

const number = {
  name: 'number',
  in: 'path',
  required: true,
  description: 'The place of the file in the list, from 1.',
  schema: Type.Integer({ minimum: 1, maximum: filesMax }),
} as const

const rangeParameter = {
  name: 'range',
  in: 'header',
  required: false,
  description:
    'One range of bytes. With `If-Range` and the `ETag` of the file, a download that broke off is continued.',
  schema: Type.String({ examples: ['bytes=1048576-'] }),
} as const

const content: Content = { 'application/octet-stream': {} }
const etag: Header = { description: 'Names the content.', schema: Type.String() }
const contentRange: Header = {
  description: 'Which bytes these are, and how many there are.',
  schema: Type.String(),
  example: 'bytes 1048576-2097151/2097152',
}
const headers = {
  etag,
  'accept-ranges': { description: 'Parts can be asked for.', schema: Type.Literal('bytes') },
  'content-disposition': {
    description: 'The file is saved, with its name (RFC 6266).',
    schema: Type.String(),
  },
} satisfies Record<string, Header>

const getFile = (linkProblemsOf: Operation['responses']): Operation => ({
  operationId: 'getFile',
  tags: ['Files'],
  summary: 'Fetch a file of an opened secret',
  description:
    'The bytes of the file, or a part of them. No open is counted, however often it is requested. A connection that ends early means an ' +
    'error: every answer says how many bytes it has.',
  security: [],
  parameters: [ticket, number, rangeParameter],
  responses: {
    200: { description: 'The file.', headers, content },
    206: {
      description: 'The part that was asked for.',
      headers: { ...headers, 'content-range': contentRange },
      content,
    },
    304: { description: '`If-None-Match` names the file.', headers: { etag } },
    ...linkProblemsOf,
    404: problemOrPage(
      'The same for an unknown, a malformed and an ended ticket, for one whose secret was destroyed, and for a number without a file.',
      problemOf({ code: 'file_not_found' }),
    ),
    412: problemOrPage('`If-Match` names another file.', fileProblems.otherFile),
    416: problemOrPage('The file has no byte of the range.', fileProblems.noSuchRange),
  },
})
