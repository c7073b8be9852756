import type { Finding } from '@sotto/core'
import { toWireFinding } from '@sotto/wire'
import type { Command } from 'commander'
import { err, type Result } from 'neverthrow'
import { examine } from './examine.ts'
import { addCommand, type Cli } from '../cli/command.ts'
import { errorText } from '../errors/error-text.ts'
import type { CliError } from '../errors/errors.ts'
import { createOutput } from '../cli/output.ts'

/** `sotto doctor` */
export function addDoctorCommand(program: Command, cli: Cli): void {
  addCommand(program, 'doctor', {
    description:
      'Checks settings, files, disk, database, keys and clock, while the server runs or not. For each it prints that it is in ' +
      'order (✓), what to do (✗), or that it could not be checked or is limited (–). Exit code 1 when there is something to do.',
    examples: '$ sotto doctor',
  })
    .summary('checks the installation')
    .action(async (options: { readonly json: boolean }) => {
      cli.settle(await doctor(cli, options))
    })
}

async function doctor(cli: Cli, options: { readonly json: boolean }): Promise<Result<void, CliError>> {
  const findings = await examine({ env: cli.env, cwd: cli.cwd, textOf: errorText })
  const answered = await createOutput(cli.stdout, options).answer({
    text: findings.map(lineOf).join('\n'),
    json: findings.map(toWireFinding),
  })
  const wrong = findings.filter(({ ok }) => ok === false).length
  return answered.isOk() && wrong > 0 ? err({ code: 'examination_failed', findings: wrong }) : answered
}

function lineOf({ check, ok, text }: Finding): string {
  return `${ok === undefined ? '–' : ok ? '✓' : '✗'} ${check}: ${text}`
}
