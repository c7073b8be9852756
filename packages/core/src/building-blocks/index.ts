/**
 * What packages with use-cases of their own are built from, such as `@sotto/identity`: the binding of use-cases, pages, and steps that
 * use-cases share. An application needs none of it.
 */

export {
  ensureNamedAccount,
  ensureNamedAccountNeeds,
  newAccount,
  readEmail,
  showAccount,
  writeName,
  writeNameNeeds,
} from '../accounts/accounts.ts'
export type { AccountDisabled } from '../accounts/errors.ts'
export { type GetAccountError, findAccount, getAccount } from '../accounts/find-account.ts'
export { ensureFirstFolder, ensureFirstFolderNeeds } from '../folders/first-folder.ts'
export type { MailUnavailable, TooManyMails } from '../notifications/mails/errors.ts'
export {
  type MailUnderWay,
  findRecipient,
  mailNowNeeds,
  tellOfNewEmail,
  tellOfNewPassword,
  tellOwner,
  tellOwnerNeeds,
} from '../notifications/mails/mails.ts'
export { webhookHosts, webhooksOf } from '../notifications/webhooks/account-webhooks.ts'
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
  type Bound,
  type DepsOf,
  type InputInvalid,
  type ListCase,
  type Need,
  type Options,
  type UseCase,
  bindAll,
  declarations,
} from '../shared/use-case.ts'
export { equalBytes } from '../shared/bytes.ts'
export { eraseAll } from '../shared/erase-all.ts'
export type { KeyUnknown } from '../shared/errors.ts'
export { type RuleBroken, addError, invalid, shortNameError } from '../shared/fields.ts'
export { foundOr } from '../shared/found-or.ts'
export { hexOf } from '../shared/hex.ts'
export { newId } from '../shared/ids.ts'
export {
  type Guard,
  type InputOf,
  type None,
  aBoolean,
  aFunction,
  aListOfStrings,
  aNumber,
  aString,
  anObject,
  anObjectOf,
  oneOf,
} from '../shared/inputs.ts'
export { type OpaqueToken, isOpaqueToken, opaqueTokenRandomBytes } from '../shared/opaque-token.ts'
export { creationOf, each, onePage, pagesOf, showRows } from '../shared/pages.ts'
export { account, accountAndId, email, pages } from '../shared/shapes.ts'
export { codePointCount } from '../shared/text.ts'
export {
  type ExportError,
  type ExportItem,
  exportNeeds,
  exportParts,
  partsOf,
} from '../storage/export-parts.ts'
export { sweepExpired } from '../storage/sweep-expired.ts'
