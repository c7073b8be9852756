import type { Translation } from '../translation.ts'

export const sealed = {
  box: 'Encrypt in this browser',
  /** The hint beside the box. */
  hint: 'Then this server cannot read it. Its key is only in the link.',
  /** Follows the hint of the title while the box is ticked. */
  readable: 'This server can read it, too.',
  /** The text in place of the hint about drafts while the box is ticked. */
  noDraft: 'A draft cannot be encrypted in the browser. To keep one, untick that box.',
  /** The text while it is encrypted, before it is sent. */
  encrypting: 'Encrypting…',
  /** Shown beside the link once, right after it was made. */
  keyNow: 'Copy the link now. Its key is not stored and cannot be shown again.',
  /** The text in place of the link ever after. */
  keyElsewhere: 'The key is only in the link that you copied.',
  /** A fact about a secret. */
  inBrowser: 'Encrypted in the browser',
  /** Words after a title, in small letters. */
  inList: 'encrypted in the browser',
} as const

/** The texts about what is encrypted in the browser, in one language. Plain text without markup. */
export type SealedTexts = Translation<typeof sealed>
