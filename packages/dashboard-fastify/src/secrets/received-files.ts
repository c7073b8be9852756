import { takesFiles, type ErrorOf, type FileUsage, type NewFiles, type Upload } from '@sotto/core'
import { ok, type Result } from 'neverthrow'
import { filledText } from '@sotto/html'
import { logError, isOutcomeUnknown } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import type { Answer } from '../shared/answers.ts'
import { errorAnswer } from '../shared/errors.ts'
import { fieldProblems, type FieldProblems } from '../shared/fields.ts'
import { formNames, type SecretFieldName } from './secret-form.ts'
import type { OwnerVisit } from '../shared/visit.ts'

export type FileUseCases = Pick<DashboardUseCases, 'policy' | 'fileUsage' | 'uploadFiles' | 'dropUpload'>

/** How much the account uses of what its files may have; `undefined` where none are taken. */
export async function shownFileUsage(
  sotto: FileUseCases,
  { accountId }: OwnerVisit,
): Promise<Result<FileUsage | undefined, ErrorOf<FileUseCases['fileUsage']>>> {
  return takesFiles(sotto.policy.files) ? sotto.fileUsage({ accountId }) : ok(undefined)
}

/** Why a form with files is shown again, and with which status. */
export interface RefusedFiles {
  readonly problems: FieldProblems<SecretFieldName>
  readonly status: number
}

/** Stores the files of a form while they arrive. Ok with nothing when it has none. */
export async function receiveFiles(
  sotto: FileUseCases,
  visit: OwnerVisit,
  files: NewFiles | undefined,
  draft?: Parameters<FileUseCases['uploadFiles']>[0]['draft'],
): Promise<Result<Upload | undefined, RefusedFiles | Answer>> {
  if (files === undefined) return ok(undefined)
  const uploaded = await sotto.uploadFiles({ accountId: visit.accountId, files, draft })
  return uploaded.mapErr((error) => refusedFiles(visit, error) ?? errorAnswer(visit, error))
}

type UploadError = ErrorOf<FileUseCases['uploadFiles']>

/** What the form says when its files are not taken; `undefined` for an error that has a page of its own. */
export function refusedFiles(
  { localized }: OwnerVisit,
  error: UploadError | { readonly code: string },
): RefusedFiles | undefined {
  const { files } = localized.texts
  const refused = error as UploadError
  switch (refused.code) {
    case 'file_too_large':
    case 'files_full': {
      const text = refused.code === 'files_full' ? files.full : files.tooLarge
      return {
        problems: { files: filledText(text, { limit: localized.size(refused.maxBytes) }) },
        status: 413,
      }
    }
    case 'disk_full':
      return { problems: { files: files.diskFull }, status: 507 }
    case 'upload_broken':
      return { problems: { files: files.broken }, status: 400 }
    case 'fields_invalid':
      return { problems: fieldProblems(localized, refused.errors, formNames), status: 400 }
    default:
      return undefined
  }
}

/** Drops files that did not become part of a secret. Where that is unknown, a sweep drops those that no row names. */
export async function dropUnused(
  sotto: FileUseCases,
  { request }: OwnerVisit,
  upload: Upload | undefined,
  error: Parameters<typeof isOutcomeUnknown>[0],
): Promise<void> {
  if (upload === undefined || isOutcomeUnknown(error)) return
  const dropped = await sotto.dropUpload(upload)
  if (dropped.isErr()) logError(request.log, dropped.error, 503)
}

export function isAnswer(refusal: RefusedFiles | Answer): refusal is Answer {
  return 'kind' in refusal
}
