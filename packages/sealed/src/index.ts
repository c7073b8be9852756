// Encryption in the browser, and the same for programs: the format of sealed secrets, of their files, and of sealed answers to requests.
// Needs WebCrypto and nothing else.

export type { Bytes } from './bytes.ts'
export { contentBytes, type Content, type SealedFile } from './content.ts'
export {
  isSealed,
  keyText,
  lockOf,
  newKey,
  openNote,
  proofOf,
  readKey,
  sealNote,
  type Lock,
} from './secret.ts'
export { listOf, sealUpload } from './upload.ts'
export { openFile, sealedFileBytes, sealFile, Undecryptable } from './records.ts'
export {
  authOf,
  isOwnerKey,
  isSealedAnswer,
  newRequestKeys,
  openAnswer,
  sealAnswer,
  type RequestKeys,
} from './answer.ts'
