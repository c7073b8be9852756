import type { Embedded } from '@sotto/html'
import { sealingFilesScript, sealingScript } from './secrets/new-secret-page.ts'
import { sealedScript } from './secrets/secret-page.ts'

/** Every script that encrypts on the owner's pages, or takes a key there, by its page. */
export const sealedScripts: Readonly<Record<'new-secret' | 'new-secret-files' | 'secret', Embedded>> = {
  'new-secret': sealingScript,
  'new-secret-files': sealingFilesScript,
  secret: sealedScript,
}
