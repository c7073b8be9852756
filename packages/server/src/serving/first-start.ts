import type { FullPorts, FullSotto, StoredAccessToken } from '@sotto/identity'
import type { FirstStartError } from '../errors/errors.ts'
import { accountNameText, firstFolderLabel, normalizeEmail, type StorageError, type Uuid } from '@sotto/core'
import { isoMicros, toWireNewSecret } from '@sotto/wire'
import { invitationUrl } from '@sotto/wire/identity'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { defaultOwnerEmail } from '../config/settings-schema.ts'
import type { Installation } from '../installation/installation.ts'

const tokenName = 'First start'

/** How long the first token lives: a journal or a terminal's history may keep what a first start prints. */
const tokenSeconds = 86_400

/** How long another process may take to equip the owner that it has just created. After that the process was interrupted. */
const equippingMicros = 60 * 1_000_000

/** What a first start made. */
export interface FirstStart {
  readonly email: string
  readonly folderId: Uuid
  readonly folderLabel: string
  /** The access token, which cannot be read again. */
  readonly token: string
  readonly tokenExpiresAtMicros: number
  /** The token of the one-time link with which the owner chooses a password. */
  readonly invitationToken: string
}

/**
 * Why nothing was made:
 * - `not_first`: there are accounts already.
 * - `under_way`: the owner was created less than a minute ago and has no token yet: another process is equipping it, or was killed.
 * - `unused`: the owner has no password and no token that was used, but a token or a one-time link. Perhaps nobody has seen what printed
 *   them.
 */
export type NoFirstStart = 'not_first' | 'under_way' | 'unused'

/** The parts of an installation that a first start works with. */
type Parts = Pick<Installation, 'sotto' | 'ports'>

/**
 * Makes the first account, with a folder and an access token, in an installation without accounts. Of several processes that try at the
 * same time, one does. What a killed process left incomplete is completed by a start a minute later. An owner who has a password, or a
 * one-time link that somebody may be about to open, gets nothing.
 *
 * @returns what was made, or why nothing was
 */
export function makeFirstAccount(
  parts: Parts,
  email = defaultOwnerEmail,
): ResultAsync<FirstStart | NoFirstStart, FirstStartError> {
  return new ResultAsync(makeUnlessThere(parts, email))
}

async function makeUnlessThere(
  parts: Parts,
  email: string,
): Promise<Result<FirstStart | NoFirstStart, FirstStartError>> {
  const { sotto, ports } = parts
  const found = await ports.accounts.page(undefined, 2)
  if (found.isErr()) return err(found.error)
  const [account, ...others] = found.value
  if (account === undefined) {
    const created = await sotto.createAccount({ email })
    if (created.isOk()) return equip(sotto, created.value.id, email)
    return created.error.code === 'account_exists' ? ok('under_way') : err(created.error)
  }
  if (others.length > 0) return ok('not_first')
  const owner = await hasActiveOwner(ports, email)
  if (owner.isErr()) return err(owner.error)
  if (!owner.value) return ok('not_first')
  const use = await useOf(ports, account.id)
  if (use.isErr()) return err(use.error)
  if (use.value !== 'none') return ok(use.value)
  const ageMicros = Math.abs(ports.clock.nowMicros() - account.createdAtMicros)
  if (ageMicros < equippingMicros) return ok('under_way')
  const invitation = await ports.invitations.findOfAccount(account.id, ports.clock.nowMicros())
  if (invitation.isErr()) return err(invitation.error)
  return invitation.value === undefined ? equip(sotto, account.id, email) : ok('unused')
}

/** What the owner's password and tokens say about a first start; `none` when there are none. */
async function useOf(
  { accessTokens, passwords }: FullPorts,
  accountId: Uuid,
): Promise<Result<'not_first' | 'unused' | 'none', StorageError>> {
  const password = await passwords.find(accountId)
  if (password.isErr()) return err(password.error)
  if (password.value !== undefined) return ok('not_first')
  const tokens = await accessTokens.page(accountId, undefined, 2)
  if (tokens.isErr()) return err(tokens.error)
  const [token, ...others] = tokens.value
  if (token === undefined) return ok('none')
  return ok(others.length === 0 && isUnused(token) ? 'unused' : 'not_first')
}

/** Whether the owner's account exists and is not disabled. Decrypts nothing, so corrupted data cannot prevent a start. */
function hasActiveOwner({ accounts, digests }: FullPorts, email: string): ResultAsync<boolean, StorageError> {
  const name = accountNameText({ email: normalizeEmail(email), externalId: undefined })
  return accounts
    .findByName(digests.accountIndexes(name))
    .map((owner) => owner !== undefined && owner.disabledAtMicros === undefined)
}

function isUnused({ lastUsedAtMicros, revokedAtMicros }: StoredAccessToken): boolean {
  return lastUsedAtMicros === undefined && revokedAtMicros === undefined
}

/** Gives the owner what is missing: the folder, the one-time link, and last the token, which shows that nothing is missing. */
async function equip(
  sotto: FullSotto,
  accountId: Uuid,
  email: string,
): Promise<Result<FirstStart, FirstStartError>> {
  // This makes the folder, too.
  const invitation = await sotto.inviteAccount({ email })
  if (invitation.isErr()) return err(invitation.error)
  const folder = await firstFolder(sotto, accountId)
  if (folder.isErr()) return err(folder.error)
  const made = await sotto.createAccessToken({ accountId, name: tokenName, expiresInSeconds: tokenSeconds })
  if (made.isErr()) return err(made.error)
  const { token, createdAtMicros } = made.value
  return ok({
    email,
    folderId: folder.value.id,
    folderLabel: folder.value.label,
    token,
    tokenExpiresAtMicros: createdAtMicros + tokenSeconds * 1_000_000,
    invitationToken: invitation.value.token,
  })
}

async function firstFolder(
  sotto: FullSotto,
  accountId: Uuid,
): Promise<Result<{ readonly id: Uuid; readonly label: string }, FirstStartError>> {
  for await (const page of sotto.listFolders({ accountId })) {
    if (page.isErr()) return err(page.error)
    const [folder] = page.value.items
    if (folder !== undefined) return ok(folder)
  }
  return sotto.createFolder({ accountId, label: firstFolderLabel })
}

/** How the command is called where this runs: a checkout runs the sources themselves. */
const commandHere = import.meta.filename.endsWith('.ts') ? 'npm run --silent sotto --' : 'sotto'

/** What a first start prints, once: the link for a browser, the token, a first request to paste, and how to make more. */
export function firstStartText(made: FirstStart, baseUrl: string): string {
  return `
This is the first start. There is now an account, ${made.email}, with a folder, "${made.folderLabel}". To choose its
password and sign in, open this one-time link in a browser within 72 hours:

  ${invitationUrl(baseUrl, made.invitationToken)}

For programs there is an access token, which is shown only once and expires in 24 hours, at
${isoMicros(made.tokenExpiresAtMicros)}:

  ${made.token}

To create a first secret with it, paste:

  ${curlLine(made, baseUrl)}

To make more:

  ${commandHere} account invite --email ann@example.org
  ${commandHere} folder create --account ann@example.org --label "Door codes"
  ${commandHere} token create --account ann@example.org --name laptop
${made.email === defaultOwnerEmail ? renameText : ''}`
}

/** The account needs an address of its owner before it can get mails. */
const renameText = `
${defaultOwnerEmail} stands for your own email address. To sign in with that one instead:

  ${commandHere} account rename --email ${defaultOwnerEmail} --to ann@example.org
`

/** What a start prints that was not the first one, where the operator may need help. */
export function noFirstStartText(reason: NoFirstStart, email: string): string {
  if (reason === 'not_first') return ''
  const invite = `${commandHere} account invite --email ${email}`
  const token = `${commandHere} token create --account ${email} --name`
  return reason === 'under_way'
    ? `
The account ${email} was created a moment ago and has no access token yet. If another server has just been started on
this data, that server prints the token and a one-time link. Otherwise start again in a minute, or run:

  ${invite}
  ${token} "${tokenName}"
`
    : `
The account ${email} has no password yet, and its one-time link or its access token has not been used. If they are
lost or have expired, make others:

  ${invite}
  ${token} laptop
`
}

/** A request that works as printed: a shell passes the text between single quotes on unchanged. */
function curlLine({ token, folderId }: FirstStart, baseUrl: string): string {
  const body = toWireNewSecret({ label: 'First secret', note: 'It works.\nThis is line two.', folderId })
  return [
    `curl -sS ${baseUrl}/api/secret`,
    `-H 'Authorization: Bearer ${token}'`,
    `-H 'Accept: application/json'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(body)}'`,
  ].join(' ')
}
