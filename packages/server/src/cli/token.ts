import { createAccessToken, listAccessTokens, revokeAccessToken, type AccessToken } from '@sotto/core'
import { InvalidArgumentError, type Command } from 'commander'
import { err } from 'neverthrow'
import { addAccountCommand, type Cli } from './command.ts'
import { parseDuration } from './duration.ts'
import { widths, type ListLayout } from './output.ts'
import { timeOrEmpty, timeOrNull } from './wire.ts'

/** `sotto token …` */
export function addTokenCommands(program: Command, cli: Cli): void {
  const token = program.command('token').description('access tokens: what API clients call with')
  addCreate(token, cli)
  addList(token, cli)
  addRevoke(token, cli)
}

interface CreateOptions {
  readonly name: string
  readonly expiresIn?: number
  readonly scopes?: string[]
}

function addCreate(token: Command, cli: Cli): void {
  addAccountCommand<CreateOptions>(token, 'create', {
    description: 'Makes an access token and prints it: the only time that it is shown.',
    examples:
      '$ sotto token create --account ann@example.org --name backup-job --expires-in 90d --scopes read',
    cli,
    work: async ({ installation: { ports }, output, accountId }, options) => {
      const { name, scopes, expiresIn: expiresInSeconds } = options
      const created = await createAccessToken(ports, { accountId, name, scopes, expiresInSeconds })
      if (created.isErr()) return err(created.error)
      const { id, token } = created.value
      return output.answer({ text: token, json: { id, token } })
    },
  })
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires-in <duration>', 'such as 90d, 12h, 30m or 45s (default: never)', durationOption)
    .option('--scopes <scopes>', 'read, write, or both separated by a comma (default: read,write)', (text) =>
      text.split(',').map((scope) => scope.trim()),
    )
}

function addList(token: Command, cli: Cli): void {
  addAccountCommand(token, 'list', {
    description: 'Lists the access tokens of an account, oldest first, revoked and expired ones included.',
    examples: '$ sotto token list --account ann@example.org',
    cli,
    work: ({ installation: { ports }, output, accountId }) =>
      output.list(listAccessTokens(ports, { accountId }), layout),
  })
}

function addRevoke(token: Command, cli: Cli): void {
  addAccountCommand(token, 'revoke <id>', {
    description:
      'Revokes an access token for good: it is refused from now on. The id is in: sotto token list',
    examples: '$ sotto token revoke --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    cli,
    work: async ({ installation: { ports }, output, accountId }, _options, id = '') => {
      const revoked = await revokeAccessToken(ports, { accountId, id })
      if (revoked.isErr()) return err(revoked.error)
      const tokenId = id.toLowerCase()
      return output.answer({ text: `${tokenId} is revoked`, json: { id: tokenId, revoked: true } })
    },
  })
}

function durationOption(text: string): number {
  const seconds = parseDuration(text)
  if (seconds === undefined) throw new InvalidArgumentError('must be a duration such as 90d, 12h, 30m or 45s')
  return seconds
}

const layout: ListLayout<AccessToken> = {
  columns: [
    { title: 'ID', width: widths.id, text: ({ id }) => id },
    { title: 'CREATED', width: widths.time, text: (token) => timeOrEmpty(token.createdAtMicros) },
    { title: 'EXPIRES', width: widths.time, text: (token) => timeOrEmpty(token.expiresAtMicros) },
    { title: 'REVOKED', width: widths.time, text: (token) => timeOrEmpty(token.revokedAtMicros) },
    { title: 'LAST USED', width: widths.time, text: (token) => timeOrEmpty(token.lastUsedAtMicros) },
    { title: 'SCOPES', width: 10, text: ({ scopes }) => scopes.join(',') },
    { title: 'NAME', width: 0, text: ({ name }) => name },
  ],
  json: ({ id, name, scopes, createdAtMicros, expiresAtMicros, revokedAtMicros, lastUsedAtMicros }) => ({
    id,
    name,
    scopes,
    created_at: timeOrNull(createdAtMicros),
    expires_at: timeOrNull(expiresAtMicros),
    revoked_at: timeOrNull(revokedAtMicros),
    last_used_at: timeOrNull(lastUsedAtMicros),
  }),
}
