import { errorKinds } from '@sotto/core'
import { accessTokenErrorKinds } from './access-tokens/errors.ts'
import { authenticatorErrorKinds } from './authenticators/errors.ts'
import { emailChangeErrorKinds } from './email-changes/errors.ts'
import { invitationErrorKinds } from './invitations/errors.ts'
import { passkeyErrorKinds } from './passkeys/errors.ts'
import { passwordErrorKinds } from './passwords/errors.ts'
import { sessionErrorKinds } from './sessions/errors.ts'
import { identityErrorKinds } from './single-sign-on/errors.ts'

/** The kind of each error of the core and of identity, by its code. */
export const fullErrorKinds = {
  ...errorKinds,
  ...accessTokenErrorKinds,
  ...sessionErrorKinds,
  ...authenticatorErrorKinds,
  ...passwordErrorKinds,
  ...passkeyErrorKinds,
  ...invitationErrorKinds,
  ...identityErrorKinds,
  ...emailChangeErrorKinds,
}
