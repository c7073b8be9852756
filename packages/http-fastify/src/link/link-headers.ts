import type { Page } from '@sotto/html'
import { pageHeaders } from '../http/answers/page-headers.ts'
import { jsonHeaders, redirectHeaders } from '../http/answers/security-headers.ts'

type Headers = Readonly<Record<string, string>>

/** The headers of every answer of a link, beside those of all answers: not indexed. */
const common: Headers = {
  'cross-origin-opener-policy': 'same-origin',
  vary: 'Accept, Accept-Language',
  'x-robots-tag': 'noindex, nofollow, noarchive',
}

/** The headers of every answer of a link, as JSON or as a page. */
export const linkHeaders = {
  json: { ...jsonHeaders, ...common } as Headers,
  /** The headers of a file, which is saved and never shown. */
  file: {
    ...redirectHeaders,
    ...common,
    'accept-ranges': 'bytes',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'content-type': 'application/octet-stream',
  } as Headers,
  redirect: { ...redirectHeaders, ...common } as Headers,
  page: (page: Page): Headers => ({ ...pageHeaders(page), ...common }),
}
