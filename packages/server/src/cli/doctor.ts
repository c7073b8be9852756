import type { Command } from 'commander'
import { err, type Result } from 'neverthrow'
import { examine } from '../doctor/examine.ts'
import type { Finding } from '../doctor/finding.ts'
import { addCommand, type Cli } from './command.ts'
import { faultText, type CliFault } from './faults.ts'
import { createOutput } from './output.ts'

/** `sotto doctor` */
export function addDoctorCommand(program: Command, cli: Cli): void {
  addCommand(program, 'doctor', {
    description:
      'Examines settings, files, database, keys, clock and disk, while the server serves or not, and says for each that it is well (✓) ' +
      'or what to do (✗). Exit code 1 when something wants doing.',
    examples: '$ sotto doctor',
  }).action(async (options: { readonly json: boolean }) => {
    cli.settle(await doctor(cli, options))
  })
}

async function doctor(cli: Cli, options: { readonly json: boolean }): Promise<Result<void, CliFault>> {
  const findings = await examine({ env: cli.env, cwd: cli.cwd, textOf: faultText })
  const told = await createOutput(cli.stdout, options).answer({
    text: findings.map(lineOf).join('\n'),
    json: findings.map(({ check, ok, text }) => ({ check, ok: ok ?? null, text })),
  })
  const wrong = findings.filter(({ ok }) => ok === false).length
  return told.isOk() && wrong > 0 ? err({ code: 'examination_failed', findings: wrong }) : told
}

function lineOf({ check, ok, text }: Finding): string {
  return `${ok === undefined ? '–' : ok ? '✓' : '✗'} ${check}: ${text}`
}
