import {
  createAccessToken,
  createAccount,
  createFolder,
  listFolders,
  type Ports,
  type SottoError,
  type StoredAccessToken,
  type Uuid,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'

export const ownerEmail = 'owner@localhost'
const folderLabel = 'Inbox'
const tokenName = 'First start'

/** An owner without a token who is younger than this is being given one by another process; an older one was left behind. */
const settlingMicros = 60 * 1_000_000

/** What a first start made. */
export interface FirstStart {
  readonly email: string
  readonly folderId: Uuid
  readonly folderLabel: string
  /** The access token, which can be read now only. */
  readonly token: string
}

/**
 * Why nothing was made:
 * - `not_first`: there are accounts already.
 * - `under_way`: the owner was made less than a minute ago and has no token. Another process is at it, or was killed.
 * - `unused`: all that there is was made by a first start, and its token was never used: perhaps nobody ever saw it.
 */
export type NoFirstStart = 'not_first' | 'under_way' | 'unused'

/**
 * Makes the first account with a folder and an access token in an installation that has no account. Of several processes that
 * try at once, one does. What one that was killed in between has left behind is completed by a start a minute later.
 *
 * @returns what was made, or why nothing was
 */
export async function makeFirstAccount(ports: Ports): Promise<Result<FirstStart | NoFirstStart, SottoError>> {
  const { accounts, accessTokens, clock } = ports
  const found = await accounts.slice(undefined, 2)
  if (found.isErr()) return err(found.error)
  const [account, ...others] = found.value
  if (account === undefined) {
    const created = await createAccount(ports, { email: ownerEmail })
    if (created.isOk()) return equip(ports, created.value.id)
    return created.error.code === 'account_exists' ? ok('under_way') : err(created.error)
  }
  if (others.length > 0) return ok('not_first')
  // Found by its email's index: nothing is decrypted, so nothing that is damaged can stop a start.
  const owner = await accounts.findByEmail(ports.digests.emailIndexes(ownerEmail))
  if (owner.isErr()) return err(owner.error)
  if (owner.value === undefined || owner.value.disabledAtMicros !== undefined) return ok('not_first')
  const tokens = await accessTokens.slice(account.id, undefined, 2)
  if (tokens.isErr()) return err(tokens.error)
  const [token] = tokens.value
  if (token !== undefined) return ok(tokens.value.length === 1 && isUnused(token) ? 'unused' : 'not_first')
  const age = Math.abs(clock.nowMicros() - account.createdAtMicros)
  return age < settlingMicros ? ok('under_way') : equip(ports, account.id)
}

function isUnused({ lastUsedAtMicros, revokedAtMicros }: StoredAccessToken): boolean {
  return lastUsedAtMicros === undefined && revokedAtMicros === undefined
}

/** Gives the owner what is missing: the folder, then the token. */
async function equip(ports: Ports, accountId: Uuid): Promise<Result<FirstStart, SottoError>> {
  const folder = await firstFolder(ports, accountId)
  if (folder.isErr()) return err(folder.error)
  const token = await createAccessToken(ports, { accountId, name: tokenName })
  if (token.isErr()) return err(token.error)
  const { id: folderId, label } = folder.value
  return ok({ email: ownerEmail, folderId, folderLabel: label, token: token.value.token })
}

async function firstFolder(
  ports: Ports,
  accountId: Uuid,
): Promise<Result<{ readonly id: Uuid; readonly label: string }, SottoError>> {
  for await (const slice of listFolders(ports, { accountId })) {
    if (slice.isErr()) return err(slice.error)
    const [folder] = slice.value
    if (folder !== undefined) return ok(folder)
  }
  return createFolder(ports, { accountId, label: folderLabel })
}

/** What a first start tells, once: the token, a first request to paste, and how to make more. */
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

/** What a start tells that was not the first one, and may have to help. */
export const noFirstStartTexts: Readonly<Record<NoFirstStart, string>> = {
  not_first: '',
  under_way: `
The account ${ownerEmail} was made a moment ago and has no access token yet. If another server has just been started on
this data, it shows the token. Otherwise start again in a minute, or run:

  sotto folder create --account ${ownerEmail} --label ${folderLabel}
  sotto token create --account ${ownerEmail} --name "${tokenName}"
`,
  unused: `
The access token of the first start has not been used yet. Should it be lost, make another one:

  sotto token create --account ${ownerEmail} --name laptop
`,
}

/** A request that works as it stands: a shell takes the text between the single quotes as it is. */
function curlLine({ token, folderId }: FirstStart, baseUrl: string): string {
  const body = { label: 'First secret', note: 'It works.\nThis is line two.', folder_id: folderId }
  return [
    `curl -sS ${baseUrl}/api/secret`,
    `-H 'Authorization: Bearer ${token}'`,
    `-H 'Accept: application/json'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(body)}'`,
  ].join(' ')
}
