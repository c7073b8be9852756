import { passwordField } from '@sotto/html'
import type { DashboardUseCases } from '../use-cases.ts'
import { audit } from '../shared/audit.ts'
import { errorAnswer } from '../shared/errors.ts'
import { lockedProof, type Proof } from '../shared/reauthentication.ts'

/** The password as a proof. What is no proof of another kind is a password. */
export function passwordProof(sotto: Pick<DashboardUseCases, 'ensureReauthentication'>): Proof {
  return {
    ask: ({ localized: { texts } }) =>
      Promise.resolve({
        kind: 'field',
        show: ({ problem, id, label = texts.signIn.password, hasFocus = problem !== undefined }) =>
          passwordField({
            name: 'proof',
            id,
            label,
            autocomplete: 'current-password',
            hint: texts.accounts.settings.reauthenticationHint,
            error: problem,
            hasFocus,
            isRequired: true,
            show: texts.common.showPassword,
          }),
      }),
    async prove(visit, password) {
      const { accountId, session, address, localized } = visit
      const proven = await sotto.ensureReauthentication({ accountId, session, address, password })
      if (proven.isOk()) return 'proven'
      const { fieldErrors } = localized.texts.common
      switch (proven.error.code) {
        case 'proof_required':
          return { problem: fieldErrors.empty, status: 400 }
        case 'password_wrong':
          audit(visit, 'password_refused', { account_id: accountId })
          return { problem: fieldErrors.wrong_password, status: 400 }
        case 'sign_in_locked':
          return lockedProof(visit, proven.error)
        default:
          return errorAnswer(visit, proven.error)
      }
    },
  }
}
