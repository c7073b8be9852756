import {
  accountNameText,
  isTokenUsable,
  type ErrorOf,
  type Ports,
  type Sotto,
  type StorageError,
  type StoredAccessToken,
  type Uuid,
} from '@sotto/core'
import { toWireNewSecret } from '@sotto/wire'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Installation } from './installation.ts'

export const ownerEmail = 'owner@localhost'
const folderLabel = 'Inbox'
const tokenName = 'First start'

/** How long another process may take to equip the owner that it has just created. After that the process was interrupted. */
const equippingMicros = 60 * 1_000_000

/** What a first start made. */
export interface FirstStart {
  readonly email: string
  readonly folderId: Uuid
  readonly folderLabel: string
  /** The access token, which cannot be read again. */
  readonly token: string
}

/**
 * Why nothing was made:
 * - `not_first`: there are accounts already.
 * - `under_way`: the owner was created less than a minute ago and has no token yet: another process is equipping it, or was killed.
 * - `unused`: there is only what a first start made, and its token was never used: perhaps nobody has seen it.
 */
export type NoFirstStart = 'not_first' | 'under_way' | 'unused'

export type FirstStartError =
  ErrorOf<Sotto['createAccount' | 'createFolder' | 'listFolders' | 'createAccessToken']> | StorageError

/** The parts of an installation that a first start works with. */
type Parts = Pick<Installation, 'sotto' | 'ports'>

/**
 * Makes the first account, with a folder and an access token, in an installation without accounts. Of several processes that try at once,
 * one does. What a killed process left incomplete is completed by a start a minute later.
 *
 * @returns what was made, or why nothing was
 */
export function makeFirstAccount(parts: Parts): ResultAsync<FirstStart | NoFirstStart, FirstStartError> {
  return new ResultAsync(makeUnlessThere(parts))
}

async function makeUnlessThere(parts: Parts): Promise<Result<FirstStart | NoFirstStart, FirstStartError>> {
  const { sotto, ports } = parts
  const found = await ports.accounts.page(undefined, 2)
  if (found.isErr()) return err(found.error)
  const [account, ...others] = found.value
  if (account === undefined) {
    const created = await sotto.createAccount({ email: ownerEmail })
    if (created.isOk()) return equip(sotto, created.value.id)
    return created.error.code === 'account_exists' ? ok('under_way') : err(created.error)
  }
  if (others.length > 0) return ok('not_first')
  const owner = await hasActiveOwner(ports)
  if (owner.isErr()) return err(owner.error)
  if (!owner.value) return ok('not_first')
  const tokens = await ports.accessTokens.page(account.id, undefined, 2)
  if (tokens.isErr()) return err(tokens.error)
  const [token] = tokens.value
  const nowMicros = ports.clock.nowMicros()
  if (token !== undefined) {
    return ok(tokens.value.length === 1 && isUnused(token, nowMicros) ? 'unused' : 'not_first')
  }
  const ageMicros = Math.abs(nowMicros - account.createdAtMicros)
  return ageMicros < equippingMicros ? ok('under_way') : equip(sotto, account.id)
}

/** Whether the owner's account exists and is not disabled. Decrypts nothing, so damaged data cannot prevent a start. */
function hasActiveOwner({ accounts, digests }: Ports): ResultAsync<boolean, StorageError> {
  const name = accountNameText({ email: ownerEmail, externalId: undefined })
  return accounts
    .findByName(digests.accountIndexes(name))
    .map((owner) => owner !== undefined && owner.disabledAtMicros === undefined)
}

function isUnused(token: StoredAccessToken, nowMicros: number): boolean {
  return token.lastUsedAtMicros === undefined && isTokenUsable(token, nowMicros)
}

/** Gives the owner what is missing: the folder, then the token. */
async function equip(sotto: Sotto, accountId: Uuid): Promise<Result<FirstStart, FirstStartError>> {
  const folder = await firstFolder(sotto, accountId)
  if (folder.isErr()) return err(folder.error)
  const token = await sotto.createAccessToken({ accountId, name: tokenName })
  if (token.isErr()) return err(token.error)
  const { id: folderId, label } = folder.value
  return ok({ email: ownerEmail, folderId, folderLabel: label, token: token.value.token })
}

async function firstFolder(
  sotto: Sotto,
  accountId: Uuid,
): Promise<Result<{ readonly id: Uuid; readonly label: string }, FirstStartError>> {
  for await (const page of sotto.listFolders({ accountId })) {
    if (page.isErr()) return err(page.error)
    const [folder] = page.value.items
    if (folder !== undefined) return ok(folder)
  }
  return sotto.createFolder({ accountId, label: folderLabel })
}

/** What a first start prints, once: the token, a first request to paste, and how to make more. */
export function firstStartText(made: FirstStart, baseUrl: string): string {
  return `
This is the first start. There is now an account, ${made.email}, with a folder, "${made.folderLabel}", and this access
token, which is shown only once:

  ${made.token}

To create a first secret, paste:

  ${curlLine(made, baseUrl)}

To make more (in a checkout write "pnpm --silent sotto" or "npm run --silent sotto --" for "sotto"):

  sotto account create --email ann@example.org
  sotto folder create --account ann@example.org --label "Door codes"
  sotto token create --account ann@example.org --name laptop
`
}

/** What a start prints that was not the first one, where the operator may need help. */
export const noFirstStartTexts: Readonly<Record<NoFirstStart, string>> = {
  not_first: '',
  under_way: `
The account ${ownerEmail} was created a moment ago and has no access token yet. If another server has just been started on
this data, that server prints the token. Otherwise start again in a minute, or run:

  sotto folder create --account ${ownerEmail} --label ${folderLabel}
  sotto token create --account ${ownerEmail} --name "${tokenName}"
`,
  unused: `
The access token of the first start has not been used yet. If it is lost, make another one:

  sotto token create --account ${ownerEmail} --name laptop
`,
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
