import type { AccessToken } from '@sotto/identity'
import { durationOption } from '../cli/option-values.ts'
import { toWireAccessToken, toWireNewAccessToken, toWireRevoked } from '@sotto/wire/identity'
import type { Command } from 'commander'
import { err } from 'neverthrow'
import { addAccountCommand, type Cli } from '../cli/command.ts'
import { timeCell, widths, type ListLayout } from '../cli/output.ts'

/** `sotto token …` */
export function addTokenCommands(program: Command, cli: Cli): void {
  const token = program.command('token').description('access tokens: what API clients authenticate with')
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
    description: 'Creates an access token and prints it. It is not shown again.',
    examples:
      '$ sotto token create --account ann@example.org --name backup-job --expires-in 90d --scopes read',
    cli,
    work: async ({ sotto, output, accountId }, { name, scopes, expiresIn: expiresInSeconds }) => {
      const created = await sotto.createAccessToken({ accountId, name, scopes, expiresInSeconds })
      if (created.isErr()) return err(created.error)
      return output.answer({ text: created.value.token, json: toWireNewAccessToken(created.value) })
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
    description:
      'Lists the access tokens of an account, oldest first, including revoked and expired ones. Never the tokens themselves.',
    examples: '$ sotto token list --account ann@example.org',
    cli,
    work: ({ sotto, output, accountId }) => output.list(sotto.listAccessTokens({ accountId }), layout),
  })
}

function addRevoke(token: Command, cli: Cli): void {
  addAccountCommand(token, 'revoke <id>', {
    description:
      'Revokes an access token for good: from now on it is refused. For its id see: sotto token list',
    examples: '$ sotto token revoke --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    cli,
    work: async ({ sotto, output, accountId }, _options, id = '') => {
      const revoked = await sotto.revokeAccessToken({ accountId, id })
      if (revoked.isErr()) return err(revoked.error)
      const tokenId = id.toLowerCase()
      return output.answer({ text: `${tokenId} is revoked`, json: toWireRevoked(tokenId) })
    },
  })
}

const layout: ListLayout<AccessToken> = {
  columns: [
    { title: 'ID', width: widths.id, text: ({ id }) => id },
    { title: 'EXPIRES', width: widths.time, text: expiryCell },
    { title: 'LAST USED', width: widths.time, text: (token) => timeCell(token.lastUsedAtMicros) },
    { title: 'NAME', text: ({ name }) => name },
  ],
  json: toWireAccessToken,
}

function expiryCell({ revokedAtMicros, expiresAtMicros }: AccessToken): string {
  return revokedAtMicros === undefined ? timeCell(expiresAtMicros) : 'revoked'
}
