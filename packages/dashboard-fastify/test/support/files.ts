import type { Uuid } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import {
  bytesOf,
  disposition,
  multipartBody,
  multipartType,
  type SentPart,
} from '../../../http-fastify/test/support/multipart.ts'
import {
  startDashboard,
  type Dashboard,
  type DashboardOptions,
  type Fields,
  type Owner,
  type Sent,
} from './app.ts'

/** What a file has at most, and what ten files of an account count, each 4,096 bytes and what the cipher adds to them. */
export const limits = { maxBytes: 1_000, accountMaxBytes: 10 * 4_128 }

/** An owner with a folder, where files are taken. */
export interface FilesDashboard extends Dashboard {
  readonly owner: Owner
  readonly folder: Uuid
  /** Sends a form as browsers do: its fields, then its files. */
  sendFiles(
    path: string,
    fields: Fields,
    files?: readonly SentPart[],
    sent?: Sent,
  ): Promise<LightMyRequestResponse>
  /** How many contents are stored, and how many files are known. */
  counts(): { readonly contents: number; readonly files: number }
}

export async function startWithFiles(t: Test, options: DashboardOptions = {}): Promise<FilesDashboard> {
  const dashboard = await startDashboard(t, { files: limits, ...options })
  const owner = await dashboard.makeOwner()
  const folder = await dashboard.makeFolder(owner.accountId)
  return {
    ...dashboard,
    owner,
    folder,
    sendFiles(path, fields, files = [noFile], sent = {}) {
      const parts = Object.entries(fields).map(([name, value]): SentPart => [disposition(name), value])
      return dashboard.request('POST', path, {
        as: owner,
        ...sent,
        headers: { 'content-type': multipartType, ...sent.headers },
        body: multipartBody([...parts, ...files]),
      })
    },
    counts: () => ({
      contents: dashboard.memory.fileContents.contents.size,
      files: dashboard.memory.data.files.size,
    }),
  }
}

/** A file as browsers send it. */
export function file(name: string, content: string | Uint8Array = name): SentPart {
  return [[disposition('files', name), 'Content-Type: text/plain'], content]
}

/** What browsers send where no file was chosen. */
export const noFile: SentPart = [[disposition('files', ''), 'Content-Type: application/octet-stream'], '']

export const fieldsOf = ({ folder }: FilesDashboard): Fields => ({
  note: 'the note',
  opens: '1',
  expires: '3600',
  label: 'A label',
  folder,
})

/** Names and contents that a recipient gets. */
export async function opened({ sotto }: Dashboard, token: string): Promise<readonly string[][]> {
  const { attached } = expectOk(await sotto.openSecret({ token }))
  const read = (attached?.files ?? []).map(async ({ name }, at) => {
    const found = expectOk(await sotto.readTicket({ ticket: attached?.ticket ?? '', number: at + 1 }))
    return [name, (await bytesOf(found.read())).toString()]
  })
  return Promise.all(read)
}

/** The id in the path that an answer leads to. */
export function idIn({ headers }: LightMyRequestResponse): string {
  return /[0-9a-f-]{36}/.exec(String(headers.location))?.[0] ?? 'no id'
}
