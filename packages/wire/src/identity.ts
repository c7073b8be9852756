/**
 * What the command prints and pages offer of `@sotto/identity`, which this path needs: access tokens, sessions, identities, one-time links,
 * and the download of an account, which has these too.
 */

export { toWireAccessToken, toWireNewAccessToken, toWireRevoked } from './access-tokens/access-token.ts'
export { toWireSession } from './sessions/session.ts'
export { toWireDisconnected, toWireIdentity } from './single-sign-on/identity.ts'
export { invitationUrl, toWireInvitation, toWireMailedInvitation } from './invitations/invitation.ts'
export { confirmUrl } from './email-changes/confirm-url.ts'
export { exportLists, toWireExportItem } from './export.ts'
