import { toWireLogin } from '@sotto/wire'
import type { Command } from 'commander'
import { err, type Result } from 'neverthrow'
import { addCommand, type Cli } from '../cli/command.ts'
import type { CliError } from '../errors/errors.ts'
import { keepAccess } from './access.ts'
import {
  askFor,
  called,
  clientWith,
  exitCodesHelp,
  remoteCommand,
  urlArgument,
  type RemoteContext,
} from './remote-command.ts'

/** `sotto login` */
export function addLoginCommand(program: Command, cli: Cli): void {
  addCommand(program, 'login', {
    description:
      'Keeps the address of a service and an access token for sotto share and destroy, in ~/.config/sotto/client.json (or below XDG_CONFIG_HOME), ' +
      'which only you can read. The token is asked for without being shown, or is the first line of standard input. It is tried out first.',
    examples:
      '$ sotto login https://sotto.example.org\n$ printenv MY_TOKEN | sotto login https://sotto.example.org',
  })
    .summary('keeps an address and an access token for sotto share and destroy')
    .addHelpText('after', exitCodesHelp)
    .argument('<url>', 'where the service is', urlArgument)
    .action(remoteCommand(cli, (context, _options, url = '') => login(context, url)))
}

async function login(context: RemoteContext, url: string): Promise<Result<void, CliError>> {
  const { env, output } = context
  const token = await askFor(context, 'Access token: ')
  if (token.isErr()) return err(token.error)
  const access = { url, token: token.value.trim() }
  const client = clientWith(access)
  if (client.isErr()) return err(client.error)
  const tried = await called('login', (signal) => client.value.listFolders({ signal }))
  // A token that may only write is a good one.
  if (tried.isErr() && tried.error.error.code !== 'forbidden') return err(tried.error)
  return keepAccess(env, access).match(
    (file) => output.answer({ text: `The access to ${url} is in ${file}`, json: toWireLogin({ url, file }) }),
    (error) => Promise.resolve(err(error)),
  )
}
