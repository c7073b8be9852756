// Access tokens
export * from './access-tokens/authenticate.ts'
export * from './access-tokens/access-tokens.ts'

// Sessions
export * from './sessions/authenticate-session.ts'
export * from './sessions/sessions.ts'

// What an account's owner can sign in with
export * from './authenticators/account-authenticators.ts'

// Passwords
export * from './passwords/sign-in.ts'
export * from './passwords/ensure-reauthentication.ts'
export * from './passwords/change-password.ts'

// Passkeys
export * from './passkeys/sign-in-with-passkey.ts'
export * from './passkeys/reauthenticate-with-passkey.ts'
export * from './passkeys/add-passkey.ts'
export * from './passkeys/passkeys.ts'

// One-time links
export * from './invitations/invitations.ts'
export * from './invitations/request-reset.ts'
export * from './invitations/preview-invitation.ts'
export * from './invitations/choose-password.ts'

// Single sign-on
export * from './single-sign-on/begin-sso.ts'
export * from './single-sign-on/sign-in-with-identity.ts'
export * from './single-sign-on/reauthenticate-with-identity.ts'
export * from './single-sign-on/take-invitation.ts'
export * from './single-sign-on/end-sessions-of-identity.ts'
export * from './single-sign-on/identities.ts'

// Changes of email addresses
export * from './email-changes/request-email-change.ts'
export * from './email-changes/confirm-email-change.ts'
export * from './email-changes/change-email.ts'

// What replaces the use-cases of the same name of the core
export * from './storage/sweep-expired.ts'
export * from './storage/export-account.ts'
