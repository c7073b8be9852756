import { inspect } from 'node:util'
import type { FullOpenStorage, FullStorage } from '@sotto/identity'
import fc from 'fast-check'
import type { Result, ResultAsync } from 'neverthrow'
import { comparable } from '../contract/compare.ts'
import { noonMicros } from '../shared/samples.ts'
import { idPrefix, invalidReferences } from './values.ts'

/** What histories compare of a storage. */
export type Compared = FullStorage & Pick<FullOpenStorage, 'upkeep'>

/** One call of a history, with its arguments. */
export interface Step {
  /** The store whose method it calls. */
  readonly store: keyof Compared
  /** The call, as a failure shows it. */
  readonly text: string
  /** Whether everything that it refers to is there, and may be. */
  readonly isPlain: boolean
  /** What can happen only once in a history: a second step with the same name is left out. */
  readonly once?: string | undefined
  /** Calls the method. Resolves with all that is compared. */
  call(storage: Compared): Promise<unknown>
}

/** The steps of a store, by its methods. */
export type Steps<Method extends string = string> = Readonly<Record<Method, fc.Arbitrary<Step>>>

/** What a method is called with: each argument, or all together where one depends on another. */
type Given<Method> = Method extends (...given: infer All) => unknown
  ? { readonly [At in keyof All]: fc.Arbitrary<All[At]> } | fc.Arbitrary<Readonly<All>> | UntilNone
  : never

/** The methods of a store that answer. What the others do, such as `recordUse`, may be lost. */
type Answering<Store> = {
  [
    Method in keyof Store as Store[Method] extends (...given: never[]) => ResultAsync<unknown, unknown>
      ? Method
      : never
  ]: Given<Store[Method]>
}

/** Makes the steps of a store: for each method that answers, what it is called with. */
export function stepsOf<Name extends keyof Compared>(
  store: Name,
  methods: Answering<Compared[Name]>,
): Steps<keyof Answering<Compared[Name]> & string> {
  const all = Object.entries<AnyGiven>(methods)
  return Object.fromEntries(all.map(([method, given]) => [method, stepOf(store, method, given)]))
}

type AnyGiven = readonly fc.Arbitrary<unknown>[] | fc.Arbitrary<readonly unknown[]> | UntilNone

function stepOf(store: keyof Compared, method: string, given: AnyGiven): fc.Arbitrary<Step> {
  const repeats = given instanceof UntilNone
  const values = repeats ? given.values : given
  const all = values instanceof fc.Arbitrary ? values : fc.tuple(...values)
  return all.map((args) => ({
    store,
    text: `${store}.${method}(${args.map(printed).join(', ')})`,
    isPlain: !args.some(isInvalid),
    async call(storage) {
      const methods = storage[store] as unknown as Readonly<Record<string, Method>>
      const once = () => answerOf((handed) => methods[method]?.(...handed), args)
      return repeats ? allAnswers(once) : once()
    },
  }))
}

type Method = (...handed: readonly unknown[]) => ResultAsync<unknown, { readonly code: string }>

/** A step that is more than a call of one method. */
export function step<Given>(
  store: keyof Compared,
  name: string,
  given: fc.Arbitrary<Given>,
  run: (storage: Compared, given: Given) => ResultAsync<unknown, { readonly code: string }>,
  once?: (given: Given) => string,
): fc.Arbitrary<Step> {
  return given.map((each) => ({
    store,
    text: `${name}: ${printed(each)}`,
    isPlain: !isInvalid(each),
    once: once?.(each),
    call: (storage) => answerOf(([given]) => run(storage, given as Given), [each]),
  }))
}

/** A function that a method asks. It answers the same to whatever it is asked, or what it makes of it. */
class Decision {
  /** What it answers, or how a failure shows what it makes. */
  readonly answer: unknown
  readonly decide: (...asked: never[]) => unknown

  constructor(answer: unknown, decide: (...asked: never[]) => unknown = () => answer) {
    this.answer = answer
    this.decide = decide
  }

  [inspect.custom](): string {
    return `() => ${printed(this.answer)}`
  }
}

/** A function among the arguments of a method: what it was asked last is compared as well. */
export function decided<Answer>(
  answers: fc.Arbitrary<Answer>,
): fc.Arbitrary<(...asked: readonly unknown[]) => Answer> {
  return answers.map(decides)
}

/** A function that answers this, for an argument that depends on another one. */
export function decides<Answer>(answer: Answer): (...asked: readonly unknown[]) => Answer {
  return new Decision(answer) as unknown as () => Answer
}

/** A function whose answer depends on what it is asked. @param shown how a failure shows it */
export function decidesBy<Asked extends readonly unknown[], Answer>(
  shown: unknown,
  decide: (...asked: Asked) => Answer,
): (...asked: Asked) => Answer {
  return new Decision(shown, decide) as unknown as () => Answer
}

/** A method with a limit that is called until it answers 0. */
class UntilNone {
  readonly values: readonly fc.Arbitrary<unknown>[]

  constructor(values: readonly fc.Arbitrary<unknown>[]) {
    this.values = values
  }
}

/** Calls the method until it answers 0: which rows it erases first is its own choice. */
export function untilNone(...values: readonly fc.Arbitrary<unknown>[]): UntilNone {
  return new UntilNone(values)
}

/** More calls than a history has rows. */
const callsMax = 200

async function allAnswers(once: () => Promise<unknown>): Promise<unknown> {
  const answers: unknown[] = []
  while (answers.length < callsMax) {
    const answer = await once()
    answers.push(answer)
    const { ok } = answer as { readonly ok?: unknown }
    if (ok === 0 || ok === undefined) break
  }
  return answers
}

/** The answer of a method, and what it asked. */
async function answerOf(
  call: (handed: readonly unknown[]) => ReturnType<Method> | undefined,
  args: readonly unknown[],
): Promise<unknown> {
  const asked: unknown[] = []
  const result = await call(args.map((each) => handed(each, asked)))
  const answer = result?.isOk() === true ? { ok: result.value } : { error: errorOf(result) }
  return comparable(asked.length === 0 ? answer : { ...answer, asked: asked.at(-1) })
}

/** The error, without the words of a database. */
function errorOf(result: Result<unknown, { readonly code: string }> | undefined): unknown {
  const error = result?.isErr() === true ? result.error : undefined
  return error?.code === 'storage_failed' ? { code: error.code } : error
}

/** An argument as it is handed over: decisions as functions that remember what they are asked. */
function handed(value: unknown, asked: unknown[]): unknown {
  if (value instanceof Decision) {
    return (...given: readonly unknown[]) => {
      asked.push(given)
      return value.decide(...(given as never[]))
    }
  }
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || Array.isArray(value))
    return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, handed(each, asked)]))
}

/** Whether it refers to what is not there, or to a key that nothing may be written under. */
function isInvalid(value: unknown): boolean {
  if (invalidReferences.includes(value)) return true
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
    ? Object.values(value).some(isInvalid)
    : false
}

/** A value on one line: ids, times and bytes in short. */
function printed(value: unknown): string {
  return inspect(shortened(value), { depth: 9, breakLength: Infinity, compact: true })
}

function shortened(value: unknown): unknown {
  if (value instanceof Uint8Array) return new Short(bytesInShort(value))
  if (typeof value === 'string' && value.startsWith(idPrefix)) return new Short(`…${value.slice(-3)}`)
  if (typeof value === 'number' && Math.abs(value - noonMicros) < 60_000_000)
    return new Short(`noon + ${value - noonMicros}`)
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== 'object' || value === null || value instanceof Decision) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each)]))
}

/** Bytes of histories are all the same, or the last one differs. */
function bytesInShort(value: Uint8Array): string {
  const [first = 0, last = 0] = [value[0], value.at(-1)]
  return `${value.length} × ${first}${last === first ? '' : ` and ${last}`}`
}

/** A text that is printed without quotes. */
class Short {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  [inspect.custom](): string {
    return this.text
  }
}
