import type { ReadableFile } from '@sotto/core'
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import {
  pageHeaders,
  pageSecurity,
  drainBefore,
  answerFile,
  attachment,
  logOf,
} from '@sotto/http-fastify/plugin'
import type { OwnerPage } from './layout.ts'
import type { NoticeTexts } from './notices.ts'

/** What a route of the owner's pages answers. */
export type Answer = PageAnswer | RedirectAnswer | DownloadAnswer | FileAnswer | TextAnswer | DoneAnswer

export interface PageAnswer {
  readonly kind: 'page'
  readonly status: number
  readonly page: OwnerPage
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The notice that the same can be tried again later, where the page says nothing else. */
  readonly retryNotice?: NoticeTexts | undefined
}

/** Sends the browser to another page with GET (303), so that a reload repeats nothing. */
export interface RedirectAnswer {
  readonly kind: 'redirect'
  readonly to: string
  /** The values of Set-Cookie headers. */
  readonly cookies?: readonly string[] | undefined
}

/** Tells a program that it is done: 200, without a body. */
export interface DoneAnswer {
  readonly kind: 'done'
}

export const done: DoneAnswer = { kind: 'done' }

/** A file of an owner, which is saved and never shown. */
export interface FileAnswer {
  readonly kind: 'file'
  readonly file: ReadableFile
  /** The answer when the file, or the part of it that is asked for, cannot be sent. */
  readonly refused: (status: number) => PageAnswer
}

export interface DownloadAnswer {
  readonly kind: 'download'
  readonly fileName: string
  readonly content: Readable
  /** Called when the answer begins. */
  readonly begun: (answer: FastifyReply['raw']) => void
}

/** A text that the browser saves as a file, and never shows. */
export interface TextAnswer {
  readonly kind: 'text'
  readonly fileName: string
  readonly text: string
}

export function show(page: OwnerPage, status = 200, headers?: PageAnswer['headers']): PageAnswer {
  return { kind: 'page', status, page, headers }
}

export function redirect(to: string, cookie?: string): RedirectAnswer {
  return { kind: 'redirect', to, ...(cookie !== undefined && { cookies: [cookie] }) }
}

const ownPage = { vary: 'Cookie, Accept-Language', 'x-robots-tag': 'noindex, nofollow, noarchive' }

export async function sendAnswer(reply: FastifyReply, answer: Answer): Promise<FastifyReply> {
  await drainBefore(reply)
  switch (answer.kind) {
    case 'page': {
      const page = (await answer.page.withNews?.()) ?? answer.page
      return reply
        .code(answer.status)
        .headers({ ...pageHeaders(page), ...ownPage, ...answer.headers })
        .send(page.body)
    }
    case 'redirect':
      if (answer.cookies !== undefined) reply.header('set-cookie', answer.cookies)
      return reply
        .code(303)
        .headers({ ...pageSecurity, ...ownPage, location: answer.to })
        .send('')
    case 'done':
      return reply.headers({ ...pageSecurity, ...ownPage }).send('')
    case 'file':
      return sendFile(reply, answer)
    case 'text':
      return reply
        .headers({
          ...pageSecurity,
          ...ownPage,
          'content-type': 'text/plain; charset=utf-8',
          'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
          'content-disposition': attachment(answer.fileName),
        })
        .send(answer.text)
    case 'download':
      answer.begun(reply.raw)
      return reply
        .headers({
          ...pageSecurity,
          ...ownPage,
          'content-type': 'application/json; charset=utf-8',
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
          'content-disposition': `attachment; filename="${answer.fileName}"`,
        })
        .send(answer.content)
  }
}

async function sendFile(reply: FastifyReply, { file, refused }: FileAnswer): Promise<FastifyReply> {
  const { request, server } = reply
  const sent = await answerFile(request, reply, file, logOf(server, request))
  if ('json' in sent) return sendAnswer(reply, refused(sent.status))
  return reply
    .code(sent.status)
    .headers({ ...sent.headers, ...ownPage })
    .send(sent.content)
}
