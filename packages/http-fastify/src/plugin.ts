/**
 * What a further plugin needs that has pages for the same server: the rules that this package applies to hosts, forms, bodies, answers and the
 * log. `@sotto/dashboard-fastify` is made of it. It follows no versions of its own: take it only with the same version of this package.
 */

// Registering a plugin, and what is wrong with a request whatever it asks for
export { checkRegistration } from './http/plugins/registration.ts'
export { createEarlyProblem, trackClosing } from './http/plugins/early-problem.ts'
export { pageSecurity, requireHttps } from './http/answers/security-headers.ts'

// A request: its addresses, headers and language
export { addressBucket, auditAddress } from './http/request/addresses.ts'
export { bareOrigin } from './http/request/bare-origin.ts'
export { headerValues, isCrossSite, isPlainForm, multipartOf } from './http/request/headers.ts'
export { chosenLanguage, clientLanguage } from './http/request/language.ts'
export { baseHostOnly } from './http/request/target.ts'

// Bodies and forms
export { leaveBodiesUnread, readBody, readRefusedBody } from './http/bodies/bodies.ts'
export { drainBefore, keepConnection } from './http/bodies/drain.ts'
export { fieldsMax, type FormFields, parseForm, withoutCarriageReturns } from './http/bodies/form.ts'
export {
  fileFieldName,
  type FormBounds,
  readFormWithFiles,
  readRefusedForm,
  type SentForm,
} from './http/bodies/form-with-files.ts'
export { allowedAtEnd } from './http/bodies/incoming-form.ts'

// Answers, problems and the log
export { answerFile, type SentFile } from './files/routes.ts'
export { attachment, textFileName } from './http/answers/attachment.ts'
export { pageHeaders } from './http/answers/page-headers.ts'
export { type Problem, problemOfThrown, problems } from './http/answers/problems.ts'
export { isOutcomeUnknown, troubleOf } from './http/answers/problems-of-errors.ts'
export { logCorruption, logError, logOf, logThrown, writeAudit } from './http/answers/log.ts'
export { type BoundedAnswer, boundReader } from './http/answers/bound-reader.ts'

// Time and turns
export { type After, afterMillis } from './http/after.ts'
export { createTurns, type ListTurns } from './http/turns.ts'
