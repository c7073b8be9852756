import { err, errAsync, ResultAsync, type Err, type Ok, type Result } from 'neverthrow'
import { requireBounds, type Policy } from '../policy.ts'
import type { Ports } from '../storage/ports.ts'
import type { FieldsInvalid, InputRule } from './errors.ts'
import { fieldOf } from './field.ts'
import { checkOf, type Guards, type InputCheck, type InputOf, type None } from './inputs.ts'
import { listOf, type List, type Pages } from './pages.ts'
import type { Uuid } from './uuid.ts'

// A use-case is declared once: what it needs, what it takes, and what it does. The type of its ports, the check of its input and its
// binding follow from that.

/** What the use-cases of the core are bound to. */
export interface CoreDeps extends Ports {
  readonly policy: Policy
  /** The accounts for which a search is under way in this process. */
  readonly searching: Set<Uuid>
}

/** What use-cases ask for that is no port. */
type NoPort = 'policy' | 'searching'

type NameOf<T> = keyof T & string

/** A method of a port, as `folders.insert`, or a bound of the policy; `mailSender?.send` of a port that may be absent. */
export type Need<All = CoreDeps> = {
  [Port in NameOf<All>]: undefined extends All[Port]
    ? `${Port}?.${NameOf<NonNullable<All[Port]>>}`
    : `${Port}.${NameOf<All[Port]>}`
}[NameOf<All>]

type PortOf<N extends string> = N extends `${infer Port}?.${string}`
  ? Port
  : N extends `${infer Port}.${string}`
    ? Port
    : never

type MethodOf<N extends string, Port extends string> = N extends
  `${Port}.${infer Method}` | `${Port}?.${infer Method}`
  ? Method
  : never

/** The ports with these methods only. For steps that several use-cases share: `DepsOf<(typeof theirNeeds)[number]>`. */
export type DepsOf<N extends string, All = CoreDeps> = {
  // `as` keeps the `?` of a port that may be absent.
  readonly [Port in keyof All as Port & PortOf<N>]:
    | Pick<NonNullable<All[Port]>, MethodOf<N, Port & string> & keyof NonNullable<All[Port]>>
    | Extract<All[Port], undefined>
}

/** What a use-case is called with: nothing where it takes nothing, or may be called without. */
type Given<Input> = [keyof Input] extends [never] ? [] : None extends Input ? [input?: Input] : [input: Input]

/** What every declared use-case says of itself. */
interface Declared<N extends string = string> {
  /** The methods that it calls, as {@link Need} writes them. */
  readonly needs: readonly N[]
  /** What is wrong with the names and types of an input. */
  readonly check: InputCheck
}

/** A use-case before it is bound. It does not check the types of its input: see {@link bindAll}. */
export interface UseCase<N extends string, All, Takes, MayTake, T, E> extends Declared<N> {
  (deps: DepsOf<N, All>, ...given: Given<InputOf<Takes, MayTake>>): ResultAsync<T, E>
}

/** A list before it is bound. */
export interface ListCase<N extends string, All, Takes, MayTake, T, E> extends Declared<N> {
  (deps: DepsOf<N, All>, ...given: Given<InputOf<Takes, MayTake>>): Pages<T, E>
  readonly isList: true
}

type ValueOf<R> = R extends Ok<infer T, infer _> ? T : never
type FailureOf<R> = R extends Err<infer _, infer E> ? E : never

/** What `useCase` and `listCase` declare use-cases with. `All` is what they may need. */
export function declarations<All>() {
  return {
    /** Declares a use-case that answers with a result. */
    useCase<const N extends Need<All>, R, Takes extends Guards = None, MayTake extends Guards = None>(of: {
      readonly needs: readonly N[]
      /** The fields of its input. */
      readonly takes?: Takes
      /** Fields that may be missing. */
      readonly mayTake?: MayTake
      run(deps: DepsOf<N, All>, input: InputOf<Takes, MayTake>): Promise<R>
    }): UseCase<N, All, Takes, MayTake, ValueOf<R>, FailureOf<R>> {
      type Input = InputOf<Takes, MayTake>
      const call = (deps: DepsOf<N, All>, input = {} as Input) =>
        new ResultAsync(of.run(deps, input) as Promise<Result<ValueOf<R>, FailureOf<R>>>)
      return Object.assign(call, declared(of)) as never
    },

    /** Declares a use-case that answers with a list. */
    listCase<
      const N extends Need<All>,
      T,
      E,
      Takes extends Guards = None,
      MayTake extends Guards = None,
    >(of: {
      readonly needs: readonly N[]
      readonly takes?: Takes
      readonly mayTake?: MayTake
      run(deps: DepsOf<N, All>, input: InputOf<Takes, MayTake>): Pages<T, E>
    }): ListCase<N, All, Takes, MayTake, T, E> {
      type Input = InputOf<Takes, MayTake>
      const call = (deps: DepsOf<N, All>, input = {} as Input) => of.run(deps, input)
      return Object.assign(call, declared(of), { isList: true }) as never
    },
  }
}

function declared(of: {
  readonly needs: readonly string[]
  readonly takes?: Guards
  readonly mayTake?: Guards
}): Declared {
  const { needs, takes = {}, mayTake = {} } = of
  const takesNothing = Object.keys({ ...takes, ...mayTake }).length === 0
  return { needs, check: takesNothing ? () => [] : checkOf(takes, mayTake) }
}

export const { useCase, listCase } = declarations<CoreDeps>()

/** An input with unknown names, or fields of a wrong type. */
export type InputInvalid = FieldsInvalid<InputRule>

/** How the input of a bound use-case can be refused: not at all where it takes none. */
type Refusal<Input> = [keyof Input] extends [never] ? never : InputInvalid

/** A module that exports use-cases and nothing else. */
type Module = Readonly<Record<string, Declared>>

/** What all use-cases of a module ask for. */
type AllDepsOf<M> = (
  M[keyof M] extends infer Each
    ? Each extends (deps: infer Deps, ...given: never) => unknown
      ? (deps: Deps) => void
      : never
    : never
) extends (deps: infer Deps) => void
  ? Deps
  : never

/** The use-cases of a module, with their ports: each under its own name. */
export type Bound<M> = {
  readonly [Name in keyof M]: M[Name] extends UseCase<
    infer _N,
    infer _All,
    infer Takes,
    infer MayTake,
    infer T,
    infer E
  >
    ? (...given: Given<InputOf<Takes, MayTake>>) => ResultAsync<T, E | Refusal<InputOf<Takes, MayTake>>>
    : M[Name] extends ListCase<infer _N, infer _All, infer Takes, infer MayTake, infer T, infer E>
      ? (...given: Given<InputOf<Takes, MayTake>>) => List<T, E | Refusal<InputOf<Takes, MayTake>>>
      : never
}

/** What a slice is made with. */
export interface Options<M> {
  /** The methods that its use-cases call, and no others. */
  readonly ports: Omit<AllDepsOf<M>, NoPort>
  /** `defaultPolicy` by default. */
  readonly policy?: PolicyOf<AllDepsOf<M>> | undefined
  /**
   * Whether each call checks that its input has the names and types that it should have; true by default. A program whose callers are
   * all compiled against these types needs no such check.
   */
  readonly checksInputs?: boolean | undefined
}

type PolicyOf<Deps> = Deps extends { readonly policy: infer P } ? P : unknown

/**
 * Binds all use-cases of a module. Throws a TypeError that names the first method of a port that is missing, or the bound of the policy
 * that is not valid.
 */
export function bindAll<M extends Module>(module: M, deps: AllDepsOf<M>, checksInputs = true): Bound<M> {
  const needs = Object.values(module).flatMap((each) => each.needs)
  requireMethods(deps, needs)
  const bounds = needs.flatMap((need) => (need.startsWith('policy.') ? [need.slice('policy.'.length)] : []))
  requireBounds(fieldOf(deps, 'policy'), bounds as (keyof Policy)[])
  const bound = Object.entries(module).map(([name, each]) => [name, bind(each, deps, checksInputs)])
  return Object.fromEntries(bound) as Bound<M>
}

function bind(declared: Declared, deps: unknown, checksInputs: boolean): (...given: unknown[]) => unknown {
  const { check } = declared
  const isList = 'isList' in declared
  const call = declared as unknown as (deps: unknown, input: unknown) => unknown
  const answer = isList
    ? (input: unknown) => listOf(call(deps, input) as Pages<unknown, unknown>)
    : (input: unknown) => call(deps, input)
  if (!checksInputs) return answer
  return (input = {}) => {
    const errors = check(input)
    if (errors.length === 0) return answer(input)
    const invalid: InputInvalid = { code: 'fields_invalid', errors }
    return isList ? listOf(refusedList(invalid)) : errAsync(invalid)
  }
}

function requireMethods(deps: unknown, needs: readonly string[]): void {
  for (const need of needs) {
    const [name = '', method = ''] = need.split('.')
    if (name === 'policy') continue
    const isOptional = name.endsWith('?')
    const port = fieldOf(deps, isOptional ? name.slice(0, -1) : name)
    if (port === undefined && isOptional) continue
    if (fieldOf(port, method) === undefined) throw new TypeError(`ports.${need.replace('?', '')} is missing`)
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- the list has nothing to read
async function* refusedList(invalid: InputInvalid): Pages<never, InputInvalid> {
  yield err(invalid)
}
