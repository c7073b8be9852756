import type { SecretRequest } from '@sotto/core'
import { isoMicros, timeOrNull } from '../shared/iso-micros.ts'

/** The address at which somebody answers a request. */
export function requestUrl(linkBaseUrl: string, token: string): string {
  return `${linkBaseUrl}/r/${token}`
}

/** The document of `request create`. `url` is confidential: whoever has it may answer. */
export function toWireNewRequest(request: SecretRequest, linkBaseUrl: string) {
  return {
    id: request.id,
    url: requestUrl(linkBaseUrl, request.link.token),
    title: request.title,
    folder_id: request.folderId,
    answers_allowed: request.answersAllowed,
    closes_at: isoMicros(request.closesAtMicros),
  }
}

/** The document of `request list`. `closed_at`: when its owner closed it. `takes_files`: whether an answer may have files. `key`: what its answers are
 * encrypted with, where they are. */
export function toWireListedRequest(request: SecretRequest, linkBaseUrl: string) {
  return {
    ...toWireNewRequest(request, linkBaseUrl),
    answers: request.answers,
    closed_at: timeOrNull(request.closedAtMicros),
    takes_files: request.takesFiles,
    ...(request.key !== undefined && { key: request.key }),
  }
}

/** A request in the download of an account. */
export function toWireRequest(request: SecretRequest, linkBaseUrl: string) {
  const { text, notify, createdAtMicros } = request
  return {
    ...toWireListedRequest(request, linkBaseUrl),
    ...{ text, notify, created_at: isoMicros(createdAtMicros) },
  }
}

/** The document of `request close`. */
export function toWireClosed(id: string) {
  return { id, closed: true }
}
