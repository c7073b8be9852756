import { err, ok } from 'neverthrow'
import { opensLeft } from './secret.ts'
import type { SecretFile } from '../files/secret-file.ts'
import { token } from '../shared/shapes.ts'
import { useCase } from '../shared/use-case.ts'
import { linkNotFound } from './errors.ts'
import { isOpenable } from './opening.ts'
import { showDisplayName } from '../accounts/accounts.ts'
import { showFile } from '../files/file-rows.ts'
import { lookupOf } from './links.ts'
import { sealedMark, type SealedMark } from '../sealed/sealed-note.ts'

/** What a recipient may know about a link before opening it. */
export interface LinkPreview extends SealedMark {
  /** Whether opening takes a password. */
  readonly passwordRequired: boolean
  readonly expiresAtMicros: number
  /** How long it takes until the link expires, in whole seconds. */
  readonly remainingSeconds: number
  /** How often it can still be opened; `undefined` means without limit. */
  readonly opensLeft: number | undefined
  /** The display name of its owner; `undefined` when there is none. */
  readonly from: string | undefined
  /** The secret's files, when its owner lets recipients see them before they open the link; without those whose names are corrupted. */
  readonly files: readonly SecretFile[]
}

/**
 * Finds out whether a link can be opened. Changes and consumes nothing, so previews, scanners and reloads are harmless.
 * @errors `link_not_found`, the same for an unknown, malformed, expired, used-up, destroyed or disabled link
 */
export const previewLink = useCase({
  needs: [
    'links.find',
    'secretCipher.decryptHead',
    'textCipher.decryptText',
    'digests.linkLookup',
    'clock.nowMicros',
  ],
  takes: token,
  async run({ links, secretCipher, textCipher, digests, clock }, { token }) {
    const nowMicros = clock.nowMicros()
    const found = await links.find(lookupOf(digests, token), nowMicros)
    if (found.isErr()) return found
    const record = found.value
    if (record === undefined || !isOpenable(record, nowMicros)) return err(linkNotFound)
    const head = secretCipher.decryptHead(record.secret)
    if (head.isErr()) return head
    const { accountId, hasPassword, link, openLimit } = record.secret
    const shown = record.shownFiles ?? []
    return ok<LinkPreview>({
      passwordRequired: hasPassword,
      ...sealedMark(head.value),
      expiresAtMicros: link.expiresAtMicros,
      remainingSeconds: Math.floor((link.expiresAtMicros - nowMicros) / 1_000_000),
      opensLeft: opensLeft(openLimit, record.state.opens),
      from: showDisplayName(textCipher, accountId, record.from),
      // A name that cannot be read keeps nobody from opening the link.
      files: shown.flatMap((row) => showFile({ textCipher }, row).unwrapOr([])),
    })
  },
})
