import type { ExportedFile } from '@sotto/core'
import * as Type from 'typebox'

export const fileExample = {
  name: 'contract.pdf',
  size: 482_113,
  type: 'application/pdf',
  url: 'https://s.example.org/f/m3tZ0b7PzQ0m0wC3dUuYl8b1o3eN5JxkT2gRq4iEs9f/1',
}

export const openedFileSchema = Type.Object(
  {
    name: Type.String({ description: 'Its name, without a path.' }),
    size: Type.Integer({ minimum: 0, description: 'In bytes.' }),
    type: Type.String({ description: 'The media type that its sender gave. Nothing has checked it.' }),
    url: Type.String({
      format: 'uri',
      description:
        'Where it can be fetched for one hour, as often as needed. Whoever has the URL can fetch it.',
    }),
  },
  { additionalProperties: false, description: 'A file of an opened secret.' },
)

/** The URL of a file of an opened secret. @param number its place in the answer of the open, from 1 */
export function fileUrl(linkBaseUrl: string, ticket: string, number: number): string {
  return `${linkBaseUrl}/f/${ticket}/${number}`
}

/** A file in the download of an account. */
export function toWireExportedFile({ id, secretId, name, size, type }: ExportedFile) {
  return { id, secret_id: secretId, name, size, type }
}

/** A file of the document of `open`. */
export interface WireSavedFile {
  readonly name: string
  readonly size: number
  readonly type: string
  readonly url: string
  /** Absent when the file was not saved. */
  readonly path: string | undefined
}
