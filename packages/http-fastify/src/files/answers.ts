import { problemOf } from '../http/answers/problems-of-errors.ts'
import { busyAnswer, failedAnswer, problemAnswer, type LinkAnswer } from '../link/link-answers.ts'
import { gonePage } from '../link/link-page.ts'
import type { FileError } from '../use-cases.ts'

/** The answer to an error while a file is fetched. */
export function fileErrorAnswer(error: FileError): LinkAnswer {
  const problem = problemOf(error)
  switch (error.code) {
    case 'file_not_found':
      return problemAnswer(problem, (localized) => gonePage(localized, localized.texts.files.over))
    case 'storage_unavailable':
      return busyAnswer(problem)
    case 'fields_invalid': // a ticket and a number have the right types
    case 'file_missing':
    case 'storage_failed':
    case 'data_damaged':
      return failedAnswer(problem)
  }
}
