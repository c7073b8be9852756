import { problemOf, troubleOf } from '../http/answers/problems-of-errors.ts'
import { problemAnswer, troubleAnswer, type LinkAnswer } from '../link/link-answers.ts'
import { gonePage } from '../link/link-page.ts'
import type { FileError } from '../use-cases.ts'

/** The answer to an error while a file is fetched. */
export function fileErrorAnswer(error: FileError): LinkAnswer {
  const problem = problemOf(error)
  switch (error.code) {
    case 'file_not_found':
      return problemAnswer(problem, (localized) => gonePage(localized, localized.texts.files.over))
    case 'storage_unavailable':
      // Fetching a file writes nothing.
      return troubleAnswer(problem, 'busy')
    case 'fields_invalid': // a ticket and a number have the right types
      return troubleAnswer(problem, 'failed')
    default:
      return troubleAnswer(problem, troubleOf(error))
  }
}
