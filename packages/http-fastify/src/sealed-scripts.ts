import type { Embedded } from '@sotto/html'
import { pageHeaders } from './http/answers/page-headers.ts'
import { sealedLinkScript, sealedRequestPageScript } from './link/scripts.ts'
import { sealedOpenedFilesScript, sealedOpenedScript, whenReady } from './sealed/pages.ts'

/** Every script that encrypts or decrypts on the pages of links, by its page: `link` is every page of a sealed link that is not opened yet. */
export const sealedScripts: Readonly<Record<'link' | 'opened' | 'opened-files' | 'answer', Embedded>> = {
  link: sealedLinkScript,
  opened: sealedOpenedScript,
  'opened-files': sealedOpenedFilesScript,
  answer: sealedRequestPageScript,
}

/**
 * What every page of a sealed link that is not opened yet has, whatever its language, brand and secret are: what its form is known by, and the
 * headers that say what a browser may do with it. The policy here allows no style sheet; those of pages are there by their digests.
 */
export const sealedLinkPage: { readonly mark: string; readonly type: string; readonly policy: string } = {
  mark: whenReady.text,
  ...headersOf(),
}

function headersOf() {
  const page = { body: Buffer.of(), language: 'en', hasForm: true, embedded: [sealedLinkScript] }
  const { 'content-type': type = '', 'content-security-policy': policy = '' } = pageHeaders(page)
  return { type, policy }
}
