import fc from 'fast-check'
import type { World } from './world.ts'

/** fast-check hands the same world over as model and as reality: a command compares both with each other by itself. */
export type Command = fc.AsyncCommand<World, World>

/** Runs with what fast-check chose. Says what it did, as soon as it knows. */
export type Run<Choice> = (world: World, choice: Choice, say: (text: string) => void) => Promise<void>

/** A kind of command. Its text names what was chosen at the time of its run. */
export function command<Choice>(
  name: string,
  choices: fc.Arbitrary<Choice>,
  run: Run<Choice>,
): fc.Arbitrary<Command> {
  return choices.map((choice) => ({
    check: () => true,
    async run(world) {
      const at = world.log.push(name) - 1
      await run(world, choice, (text) => (world.log[at] = `${name} ${text}`))
    },
    toString: () => name,
  }))
}

/** Chooses one of a list that is known only when the command runs. */
export const pick = fc.noBias(fc.nat({ max: 999 }))

export function picked<T>(list: readonly T[], nr: number): T | undefined {
  return list.length === 0 ? undefined : list[nr % list.length]
}

/** An id that nothing has. */
export const nobody = '01890000-0000-7000-8000-000000000000'

/** The id, or in one of ten cases another one: unknown, malformed, or in capitals. */
export function perhapsOther(id: string | undefined, nr: number): string {
  if (id === undefined || nr % 30 === 29) return nobody
  if (nr % 30 === 28) return 'not-an-id'
  return nr % 30 === 27 ? id.toUpperCase() : id
}

/** The owner's id, or in one of ten cases another account's. */
export function perhapsStranger(world: World, owner: string | undefined, nr: number): string {
  if (owner !== undefined && nr % 10 !== 9) return owner
  return picked(world.model.accounts, Math.floor(nr / 10))?.id ?? nobody
}

const legal = fc.constantFrom('work', 'Ärger', 'private', '𝄞'.repeat(255))
export const labels = fc.oneof(
  { arbitrary: legal, weight: 9 },
  { arbitrary: fc.constantFrom('x'.repeat(256), '', 'tab	', ' ', 'turned\u202e'), weight: 1 },
)

/** The rule of labels and names: 1 to 255 code points, nothing invisible. */
export function labelFault(field: string, label: string): Fault | undefined {
  if (label === '') return { field, rule: 'empty' }
  if (label.includes('\t')) return { field, rule: 'control_character' }
  if (label.trim() === '') return { field, rule: 'empty' }
  if (label.includes('\u202e')) return { field, rule: 'invisible_character' }
  return Array.from(label).length > 255 ? { field, rule: 'too_long', limit: 255 } : undefined
}

export const shortNames = fc.oneof<fc.WeightedArbitrary<string | undefined>[]>(
  { arbitrary: fc.constantFrom('Ann Reed', ' Büro ', '𝄞'.repeat(60), undefined), weight: 9 },
  { arbitrary: fc.constantFrom('x'.repeat(61), ' ', 'tab\there'), weight: 1 },
)

/** The rule of display names and names of sessions: 1 to 60 code points, nothing invisible. */
export function shortNameFault(field: string, name: string): Fault | undefined {
  const found = labelFault(field, name.trim())
  return found ?? (Array.from(name.trim()).length > 60 ? { field, rule: 'too_long', limit: 60 } : undefined)
}

export interface Fault {
  readonly field: string
  readonly rule: string
  readonly limit?: number
}

export function faults(...found: readonly (Fault | undefined)[]) {
  const errors = found.filter((fault) => fault !== undefined)
  return errors.length === 0 ? undefined : { code: 'fields_invalid', errors }
}

/** The short form of an id in what a run prints. */
export function short(id: string): string {
  return id.length === 36 ? `…${id.slice(-4)}` : id
}
