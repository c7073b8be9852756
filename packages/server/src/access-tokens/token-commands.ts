import type { AccessToken } from '@sotto/identity'
import { toWireAccessToken, toWireNewAccessToken, toWireRevoked } from '@sotto/wire/identity'
import { accountCommand, commandGroup, idCommand, listCommand } from '../cli/account-command.ts'
import { durationOption } from '../cli/option-values.ts'
import { timeCell, widths } from '../cli/output.ts'

interface CreateOptions {
  readonly name: string
  readonly expiresIn?: number
  readonly scopes?: string[]
}

/** `sotto token …` */
export const addTokenCommands = commandGroup('token', 'access tokens: what API clients authenticate with', [
  accountCommand({
    usage: 'create',
    description: 'Creates an access token and prints it. It is not shown again.',
    examples:
      '$ sotto token create --account ann@example.org --name backup-job --expires-in 90d --scopes read',
    options: (command) =>
      command
        .requiredOption('--name <name>', 'what it is for')
        .option('--expires-in <duration>', 'such as 90d, 12h, 30m or 45s (default: never)', durationOption)
        .option(
          '--scopes <scopes>',
          'read, write, or both separated by a comma (default: read,write)',
          (text) => text.split(',').map((scope) => scope.trim()),
        ),
    run: ({ sotto, accountId }, _id, { name, scopes, expiresIn }: CreateOptions) =>
      sotto.createAccessToken({ accountId, name, scopes, expiresInSeconds: expiresIn }),
    answer: (created) => ({ text: created.token, json: toWireNewAccessToken(created) }),
  }),
  listCommand({
    usage: 'list',
    description:
      'Lists the access tokens of an account, oldest first, including revoked and expired ones. Never the tokens themselves.',
    examples: '$ sotto token list --account ann@example.org',
    pages: ({ sotto, accountId }) => sotto.listAccessTokens({ accountId }),
    columns: [
      { title: 'ID', width: widths.id, text: ({ id }) => id },
      { title: 'EXPIRES', width: widths.time, text: expiryCell },
      { title: 'LAST USED', width: widths.time, text: (token) => timeCell(token.lastUsedAtMicros) },
      { title: 'NAME', text: ({ name }) => name },
    ],
    json: toWireAccessToken,
  }),
  idCommand({
    usage: 'revoke <id>',
    description:
      'Revokes an access token for good: from now on it is refused. For its id see: sotto token list',
    examples: '$ sotto token revoke --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    run: ({ sotto, accountId }, id) => sotto.revokeAccessToken({ accountId, id }),
    done: 'is revoked',
    json: toWireRevoked,
  }),
])

function expiryCell({ revokedAtMicros, expiresAtMicros }: AccessToken): string {
  return revokedAtMicros === undefined ? timeCell(expiresAtMicros) : 'revoked'
}
