import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

/** What options can be: a whole number, a text, or a flag without a value. */
type Options = Readonly<Record<string, number | string | boolean>>

type Widened<Value> = Value extends number ? number : Value extends string ? string : boolean

/**
 * The options on the command line of a campaign or a bench, `--name value` or `--name`, of the type of their defaults. Ends the process with
 * exit code 2 when one of them is invalid.
 */
export function optionsFrom<Defaults extends Options>(
  defaults: Defaults,
): { readonly [Name in keyof Defaults]: Widened<Defaults[Name]> } {
  const kinds = Object.entries(defaults).map(([name, value]) => [name, typeof value] as const)
  const options = kinds.map(
    ([name, kind]) => [name, { type: kind === 'boolean' ? 'boolean' : 'string' }] as const,
  )
  try {
    const { values } = parseArgs({ options: Object.fromEntries(options) })
    const given = kinds
      .filter(([name]) => values[name] !== undefined)
      .map(([name, kind]) => [name, kind === 'number' ? wholeNumber(name, values[name]) : values[name]])
    return { ...defaults, ...Object.fromEntries(given) } as ReturnType<typeof optionsFrom<Defaults>>
  } catch (error) {
    const usage = kinds.map(
      ([name, kind]) => `[--${name}${{ number: ' N', string: ' TEXT' }[kind as string] ?? ''}]`,
    )
    console.error(`${error instanceof Error ? error.message : String(error)}\nusage: ${usage.join(' ')}`)
    process.exit(2)
  }
}

function wholeNumber(name: string, text: unknown): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} takes a whole number`)
  return value
}

/** Whether the command line has a flag that changes the defaults of other options. */
export function hasFlag(name: string): boolean {
  return process.argv.includes(`--${name}`)
}

/** The seed of a run that names none. */
export function newSeed(): number {
  return randomInt(2 ** 31)
}

/** Prints a campaign's result, and the seconds of the process. The exit code is 1 when it found a violation. */
export function conclude(figures: object, violations: readonly string[]): void {
  const all = { ...figures, seconds: Math.round(performance.now() / 1_000) }
  for (const [name, figure] of Object.entries(all)) console.log(`${wordsOf(name).padEnd(28)} ${figure}`)
  for (const violation of violations.slice(0, 50)) console.log(`VIOLATED: ${violation}`)
  console.log(`${'violations'.padEnd(28)} ${violations.length}`)
  process.exitCode = violations.length === 0 ? 0 : 1
}

function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
