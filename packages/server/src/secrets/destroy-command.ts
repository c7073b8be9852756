import type { Client } from '@sotto/client'
import { parseUuid } from '@sotto/core'
import { toWireShared } from '@sotto/wire'
import { InvalidArgumentError, type Command } from 'commander'
import { err, ok, type Result } from 'neverthrow'
import { addCommand, type Cli } from '../cli/command.ts'
import type { CliError } from '../errors/errors.ts'
import {
  askFor,
  called,
  clientOf,
  exitCodesHelp,
  linkIn,
  remoteCommand,
  type RemoteContext,
} from '../remote/remote-command.ts'

/** `sotto destroy` */
export function addDestroyCommand(program: Command, cli: Cli): void {
  addCommand(program, 'destroy', {
    description:
      'Takes back a secret of the account that sotto login or SOTTO_URL and SOTTO_TOKEN name: its link is dead, and its text is erased. ' +
      'What was opened before cannot be taken back. With - the link or id is the first line of standard input, or is asked for without ' +
      'being shown: other users of a machine can read arguments, and a shell keeps them.',
    examples: ['$ sotto destroy - < link.txt', '$ sotto destroy 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071'].join(
      '\n',
    ),
  })
    .summary('takes back a secret: its link is dead, its text erased')
    .addHelpText('after', exitCodesHelp)
    .argument('<url-or-id>', 'the link or the id of the secret, or - to read it', targetArgument)
    .action(remoteCommand(cli, (context, _options, target = '') => destroy(context, target)))
}

function targetArgument(text: string): string {
  if (text === '-' || linkIn(text) !== undefined || parseUuid(text) !== undefined) return text
  throw new InvalidArgumentError('must be an http or https URL, an id or -')
}

async function destroy(context: RemoteContext, argument: string): Promise<Result<void, CliError>> {
  const client = clientOf(context)
  if (client.isErr()) return err(client.error)
  const given = argument === '-' ? await askFor(context, 'Link or id: ') : ok(argument)
  if (given.isErr()) return err(given.error)
  const target = given.value.trim()
  const link = linkIn(target)
  if (link === undefined && parseUuid(target) === undefined) return err({ code: 'target_invalid' })
  const id = link === undefined ? ok(target) : await findByLink(client.value, link)
  if (id.isErr()) return err(id.error)
  const destroyed = await called('destroy', (signal) => client.value.deleteSecret(id.value, { signal }))
  if (destroyed.isErr()) {
    return err(destroyed.error.error.code === 'not_found' ? { code: 'target_gone' } : destroyed.error)
  }
  const secret = destroyed.value
  return context.output.answer({ text: `${secret.id} is destroyed`, json: toWireShared(secret) })
}

/** The id of the secret with this link. The API finds no secret by its link, so the list is read until the secret is found. */
async function findByLink(client: Client, url: string): Promise<Result<string, CliError>> {
  const found = await called('find', async (signal) => {
    for await (const { id, link } of client.listSecrets({ signal }))
      if (tokenIn(link.url) === tokenIn(url)) return id
    return undefined
  })
  if (found.isErr()) return err(found.error)
  return found.value === undefined ? err({ code: 'target_gone' }) : ok(found.value)
}

/** The token in a link. It alone says which link it is: the host may have been renamed since, and a mail may have added a query. */
function tokenIn(url: string): string {
  return new URL(url).pathname
}
