import { toWireCompletion } from '@sotto/wire'
import { Argument, type Command } from 'commander'
import { addCommand, type Cli } from '../cli/command.ts'
import { remoteCommand } from '../remote/remote-command.ts'
import { completionScript, shells, type Shell } from './scripts.ts'
import { placesOf } from './words.ts'

/** `sotto completion`. The script is written from the program's own commands, whenever each was added. */
export function addCompletionCommand(program: Command, cli: Cli): void {
  addCommand(program, 'completion', {
    description:
      'Prints a script with which a shell completes the words of this command. Load it when the shell starts: in ~/.bashrc or ~/.zshrc ' +
      '(after compinit) by the first line below, in fish by the second.',
    examples: [
      '$ source <(sotto completion bash)',
      '$ sotto completion fish > ~/.config/fish/completions/sotto.fish',
    ].join('\n'),
  })
    .summary('prints what completes the words of this command in bash, zsh or fish')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action(
      remoteCommand(cli, async ({ output }, _options, shell) => {
        const script = completionScript(shell as Shell, placesOf(program))
        return output.answer({ text: script, end: '', json: toWireCompletion({ script }) })
      }),
    )
}
