/**
 * What packages with use-cases of their own are built from, such as `@sotto/identity`: the binding of use-cases, pages, and steps that
 * use-cases share. An application needs none of it.
 */

export {
  type EnsureNamedAccountDeps,
  type WriteNameDeps,
  ensureNamedAccount,
  newAccount,
  readEmail,
  showAccount,
  writeName,
} from '../accounts/accounts.ts'
export type { AccountDisabled } from '../accounts/errors.ts'
export { type FindAccountDeps, type FindAccountError, findAccount } from '../accounts/find-account.ts'
export { type GetAccountDeps, getAccount } from '../accounts/get-account.ts'
export { ensureFirstFolder, ensureFirstFolderNeeds } from '../folders/first-folder.ts'
export type { MailUnavailable, TooManyMails } from '../notifications/mails/errors.ts'
export {
  type MailNowDeps,
  type MailNowError,
  type MailUnderWay,
  type TellOwnerDeps,
  findRecipient,
  tellOfNewEmail,
  tellOfNewPassword,
  tellOwner,
} from '../notifications/mails/mails.ts'
export { type ListWebhooksDeps, webhookHosts, webhooksOf } from '../notifications/webhooks/webhooks.ts'
export {
  accountAttemptLimits,
  addressAttemptLimits,
  countMail,
  mailLimits,
  reserveSignIn,
  settleSignIn,
} from '../quota/sign-in-attempts.ts'
export { isPasswordToVerify } from '../secrets/new-secret.ts'
export { underActiveKey } from '../shared/active-key.ts'
export { base64From, urlAlphabet } from '../shared/base64.ts'
export {
  type InputInvalid,
  type MethodsOf,
  type PortsOf,
  bindAll,
  list,
  result,
  withoutInput,
} from '../shared/bind.ts'
export type { DepsOf } from '../shared/use-case.ts'
export { equalBytes } from '../shared/bytes.ts'
export type { KeyRing } from '../shared/cipher.ts'
export { eraseAll } from '../shared/erase-all.ts'
export type { KeyUnknown } from '../shared/errors.ts'
export { type RuleBroken, addError, shortNameError } from '../shared/fields.ts'
export { foundOr } from '../shared/found-or.ts'
export { hexOf } from '../shared/hex.ts'
export { newId } from '../shared/ids.ts'
export { aListOfStrings, anObject, objectOf, oneOf, optional } from '../shared/inputs.ts'
export { type OpaqueToken, isOpaqueToken, opaqueTokenRandomBytes } from '../shared/opaque-token.ts'
export { creationOf, each, onePage, pagesOf, showRows } from '../shared/pages.ts'
export { account, accountAndId, email, pagesOfAccount, token } from '../shared/old-shapes.ts'
export { codePointCount } from '../shared/text.ts'
export {
  type ExportAccountDeps,
  type ExportAccountError,
  type ExportAccountInput,
  type ExportItem,
  exportParts,
  partsOf,
} from '../storage/export-account.ts'
export {
  type SweepExpiredDeps,
  type SweepExpiredError,
  type SweepExpiredInput,
  sweepExpired,
} from '../storage/sweep-expired.ts'
