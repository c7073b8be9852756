import type { ServerResponse } from 'node:http'
import type { Page, Pages } from '@sotto/core'
import { envelopeEnd, envelopeStart } from '@sotto/wire'
import type { FastifyBaseLogger } from 'fastify'
import { logError } from '../../http/answers/log.ts'
import type { ApiError } from '../../use-cases.ts'
import type { ListPermit } from './list-semaphore.ts'

/** The error that ends a list whose beginning was already sent. The JSON stays open, and the connection is destroyed. */
class ListCutOff extends Error {}

export interface ListBodyOptions<T> {
  /** The entries that were read already. */
  readonly beginning: string
  /** The pages after them. */
  readonly pages: Pages<T, ApiError>
  readonly permit: ListPermit
  /** Resolves when the list may read its next page. */
  readonly turn: () => Promise<void>
  /** The entries of a page, separated by commas. */
  readonly show: (page: Page<T>) => string
  readonly raw: ServerResponse
  readonly log: FastifyBaseLogger
}

/** The text of a long list, piece by piece. A page is read when the client has taken the ones before it. */
export async function* listBody<T>(options: ListBodyOptions<T>): AsyncGenerator<string, void, void> {
  const { beginning, permit, raw, show, log } = options
  const cutOff = (): void => {
    log.warn('a list was cut off, because too many clients take nothing of theirs')
    raw.destroy()
  }
  permit.pause(cutOff)
  yield `${envelopeStart}[${beginning}`
  let isFirst = beginning === ''
  for await (const page of inTurns(options, cutOff)) {
    if (page.isErr()) {
      logError(log, page.error, 500)
      throw new ListCutOff('a list was cut off')
    }
    const text = show(page.value)
    if (text !== '') yield isFirst ? text : `,${text}`
    isFirst &&= text === ''
  }
  yield `]${envelopeEnd}`
}

/** Pauses after each page. Ends early if the client is gone. */
async function* inTurns<T>(
  { pages, permit, turn, raw, log }: ListBodyOptions<T>,
  cutOff: () => void,
): Pages<T, ApiError> {
  try {
    for (;;) {
      const mayGoOn = await permit.resume()
      if (mayGoOn) await turn()
      if (raw.destroyed) return
      if (!mayGoOn) {
        log.warn('a list was cut off, because its client took nothing for too long and others had its place')
        throw new ListCutOff('a list was cut off')
      }
      const page = await pages.next()
      if (page.done) return
      permit.pause(cutOff)
      yield page.value
    }
  } finally {
    permit.release()
    await pages.return()
  }
}
