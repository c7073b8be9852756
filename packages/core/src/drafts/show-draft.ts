import type { Result } from 'neverthrow'
import { splitNote } from '../files/file-rules.ts'
import type { KeyedFile } from '../files/secret-file.ts'
import type { SecretCipher } from '../secrets/secret-cipher.ts'
import type { StoredSecret } from '../secrets/secret-store.ts'
import type { Draft } from '../secrets/secret.ts'
import { showDraft } from '../secrets/show-secret.ts'
import type { TextCipher } from '../shared/cipher.ts'
import type { Encrypted } from '../shared/ciphertext.ts'
import type { DecryptError } from '../shared/errors.ts'
import type { StoredAnswer, StoredDraft } from './draft-store.ts'

// What the use-cases that show drafts have in common.

/** A draft in a list. */
export interface ListedDraft extends Draft, ListedFacts {}

/** What a list tells of a draft besides. */
type ListedFacts = Pick<StoredAnswer, 'filesCount'> & Pick<StoredDraft, 'answers'>

/** A stored draft in a list, as its owner sees it. */
export function showListedDraft(
  cipher: Pick<SecretCipher, 'decryptHead'>,
  { filesCount, answers, ...stored }: StoredSecret & ListedFacts,
): Result<ListedDraft, DecryptError> {
  return showDraft(cipher, stored).map((draft) => ({
    ...draft,
    ...(filesCount !== undefined && { filesCount }),
    ...(answers !== undefined && { answers }),
  }))
}

/** How often a draft can be opened once it is shared, unless its owner says otherwise: an answer once, any other as it says itself. */
export function proposedOpenLimit({
  openLimit,
  answers,
}: Pick<Draft, 'openLimit'> & { readonly answers: StoredDraft['answers'] | undefined }): number | undefined {
  return openLimit ?? (answers === undefined ? undefined : 1)
}

/** The files of a draft that `getDraft` has encrypted for its form; none when they were for another one, or cannot be read any more. */
export function unsealFiles(
  { textCipher }: { readonly textCipher: Pick<TextCipher, 'decryptText'> },
  draft: Pick<StoredDraft['secret'], 'id' | 'accountId'>,
  sealed: Encrypted,
): readonly KeyedFile[] {
  const note = textCipher.decryptText(sealPlace(draft), sealed).unwrapOr('')
  return splitNote(note)?.files ?? []
}

/** What the files of a draft are encrypted as. */
export function sealPlace({ accountId, id }: Pick<StoredDraft['secret'], 'id' | 'accountId'>) {
  return { column: 'draft.files', accountId, rowId: id } as const
}
