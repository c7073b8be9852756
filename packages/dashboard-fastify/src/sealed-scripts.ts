import type { Embedded } from '@sotto/html'
import { sealedAnswerScript } from './drafts/answer-page.ts'
import { sealingRequestScript } from './requests/new-request-page.ts'
import { sealedRequestScript, sealedRequestsScript } from './requests/request-pages.ts'
import { sealingFilesScript, sealingScript } from './secrets/new-secret-page.ts'
import { sealedScript } from './secrets/secret-page.ts'

/** Every script that encrypts or decrypts on the owner's pages, or takes a key there, by its page. */
export const sealedScripts = {
  'new-secret': sealingScript,
  'new-secret-files': sealingFilesScript,
  secret: sealedScript,
  'new-request': sealingRequestScript,
  requests: sealedRequestsScript,
  request: sealedRequestScript,
  'answer-to-request': sealedAnswerScript,
} as const satisfies Readonly<Record<string, Embedded>>
