import { hasFlag } from '../../campaigns/support/command.ts'

/** The options of every bench with rounds, and their defaults. `--smoke` only checks that everything runs. */
export function loadOptions() {
  const smoke = hasFlag('smoke')
  return { smoke, rounds: smoke ? 1 : 9, millis: smoke ? 40 : 1_000 }
}

/** Tells whoever waits for a bench what it does now. */
export function say(text: string): void {
  process.stderr.write(`bench: ${text}\n`)
}
