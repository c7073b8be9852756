import { parseArgs } from 'node:util'

/**
 * The numbers on a campaign's command line: `--name value`. Ends the process with exit code 2 when one of them is invalid.
 * @param texts the names of options that take any text, see {@link textFrom}
 */
export function numbersFrom<Name extends string>(
  defaults: Readonly<Record<Name, number>>,
  texts: readonly string[] = [],
): Record<Name, number> {
  const args = process.argv.slice(2).filter((arg) => arg !== '--' && arg !== postgresFlag)
  const names = Object.keys(defaults) as Name[]
  const options = Object.fromEntries([...names, ...texts].map((name) => [name, { type: 'string' as const }]))
  try {
    const { values } = parseArgs({ options, args })
    const entries = names.map((name) => [name, Number(values[name] ?? defaults[name])] as const)
    for (const [name, value] of entries) {
      if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} takes a whole number`)
    }
    return Object.fromEntries(entries) as Record<Name, number>
  } catch (error) {
    const usage = [...names.map((name) => `[--${name} N]`), ...texts.map((name) => `[--${name} TEXT]`)]
    console.error(`${error instanceof Error ? error.message : String(error)}\nusage: ${usage.join(' ')}`)
    process.exit(2)
  }
}

/** What follows `--name` on the command line; `undefined` without it. */
export function textFrom(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`)
  return at === -1 ? undefined : process.argv[at + 1]
}

const postgresFlag = '--postgres'

/** Whether the command line asks for PostgreSQL, for campaigns that can run on it. */
export function wantsPostgres(): boolean {
  return process.argv.includes(postgresFlag)
}

/** Prints a campaign's result. The exit code is 1 when it found a violation. */
export function conclude(figures: object, violations: readonly string[]): void {
  for (const [name, figure] of Object.entries(figures)) console.log(`${wordsOf(name).padEnd(28)} ${figure}`)
  for (const violation of violations.slice(0, 50)) console.log(`VIOLATED: ${violation}`)
  console.log(`${'violations'.padEnd(28)} ${violations.length}`)
  process.exitCode = violations.length === 0 ? 0 : 1
}

function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
