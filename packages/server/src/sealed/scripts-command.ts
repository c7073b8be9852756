import type { Command } from 'commander'
import { addCommand, type Cli } from '../cli/command.ts'
import { remoteCommand } from '../remote/remote-command.ts'

/** `sotto scripts` */
export function addScriptsCommand(program: Command, cli: Cli): void {
  addCommand(program, 'scripts', {
    description:
      'Prints the digest of every script that encrypts or decrypts in pages of this release, as the content-security-policy of a page names it. ' +
      'A release has them as script-digests.txt. No service is asked.',
    examples: '$ sotto scripts | diff - script-digests.txt',
  })
    .summary('prints the digests of the scripts that encrypt and decrypt in pages')
    .action(
      remoteCommand(cli, async ({ output }) => {
        const { scripts } = await import('./page-scripts.ts')
        return output.answer({
          text: scripts.map(({ digest, name }) => `${digest}  ${name}`).join('\n'),
          json: scripts,
        })
      }),
    )
}
