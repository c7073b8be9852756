import { invitationUrl } from '@sotto/wire/identity'
import type { FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { redirect, show, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { formOf } from '../shared/form.ts'
import type { Later } from '../shared/later.ts'
import { keepingLanguage } from '../shared/next-path.ts'
import { fieldProblems } from '../shared/fields.ts'
import { operatorPage, resetPage } from './reset-page.ts'
import { untilReported } from '../shared/report-mail.ts'
import type { Router } from '../shared/router.ts'
import type { Visit } from '../shared/visit.ts'
import type { Channels } from '../shared/channels.ts'

export interface ResetRoutesOptions {
  readonly router: Router
  readonly sotto: Pick<DashboardUseCases, 'requestReset'>
  readonly baseUrl: string
  readonly channels: Channels
  /** Does what follows a request that was answered. */
  readonly later: Later
}

/** `/login/reset`: a one-time link for somebody who forgot a password; where no mails are sent, whom to ask. */
export function addResetRoutes(options: ResetRoutesOptions): void {
  const { canMail } = options.channels
  options.router.anyone('/login/reset', {
    get: ({ localized }) =>
      Promise.resolve(show(canMail ? resetPage(localized, {}) : operatorPage(localized))),
    ...(canMail && { post: (visit: Visit, fields: FormFields) => askForReset(options, visit, fields) }),
  })
}

/**
 * Answers somebody who asks for a reset. The answer is the same whether there is an account or not, and takes as long: nothing is looked up
 * until later.
 */
async function askForReset(
  { sotto, baseUrl, later }: ResetRoutesOptions,
  visit: Visit,
  fields: FormFields,
): Promise<Answer> {
  const { localized, address } = visit
  const form = formOf(fields, ['email'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { email } = form.value
  const asked = await sotto.requestReset({ email, address, urlOf: (token) => invitationUrl(baseUrl, token) })
  if (asked.isOk()) {
    audit(visit, 'reset_asked', {})
    const { mail } = asked.value
    later(() => untilReported(visit, mail()))
    return redirect(keepingLanguage(localized, '/login?reset-asked=1'))
  }
  const { error } = asked
  switch (error.code) {
    case 'fields_invalid': {
      const problems = fieldProblems(localized, error.errors, { email: 'email' })
      return show(resetPage(localized, { email, problems }), 400)
    }
    case 'too_many_mails': {
      const { retryAfterSeconds } = error
      audit(visit, 'reset_refused', {})
      const page = resetPage(localized, { email, lockedForSeconds: retryAfterSeconds })
      return show(page, 429, { 'retry-after': String(retryAfterSeconds) })
    }
    default:
      return errorAnswer(visit, error)
  }
}
