import { err, errAsync, type ResultAsync } from 'neverthrow'
import type { FieldsInvalid, InputRule } from './errors.ts'
import { fieldOf } from './field.ts'
import { inputCheck, type InputCheck, type Shape } from './inputs.ts'
import { listOf, type List, type Pages } from './pages.ts'

// How a slice binds its use-cases to ports, and checks their inputs: the one place for all of them.

/** An input with unknown names, or fields of a wrong type. */
export type InputInvalid = FieldsInvalid<InputRule>

/** What a use-case is called with: nothing is needed where its input may be missing. */
type Given<Input> = undefined extends Input ? [input?: Input] : [input: Input]

/** The use-cases of a slice under their names, each waiting for its ports. */
type Table = Readonly<Record<string, (deps: never) => unknown>>

/** What all use-cases of a table ask for: their methods of ports, and bounds of the policy. */
type DepsOf<UseCases extends Table> = (
  UseCases[keyof UseCases] extends (deps: infer Deps) => unknown ? (deps: Deps) => void : never
) extends (deps: infer Deps) => void
  ? Deps
  : never

/** What use-cases ask for that is no port: bounds of the policy, and what the calls of one use-case share. */
type NoPort = 'policy' | 'searching'

/** The ports that a table asks for, with the methods that its use-cases call and no others. */
export type PortsOf<UseCases extends Table> = Omit<DepsOf<UseCases>, NoPort>

/** The methods that a slice calls: exactly those of {@link PortsOf}, for the check while the program runs. */
export type MethodsOf<UseCases extends Table> = {
  readonly [Name in keyof PortsOf<UseCases>]-?: {
    readonly [
      Method in keyof NonNullable<PortsOf<UseCases>[Name]>
    ]-?: undefined extends PortsOf<UseCases>[Name] ? 'if present' : true
  }
}

/** The use-cases of a slice, with their ports. */
type Bound<UseCases extends Table> = { readonly [Name in keyof UseCases]: ReturnType<UseCases[Name]> }

/** A use-case that answers with a result. It gets no input that does not have this shape. */
export function result<Deps, Input extends object | undefined, T, E>(
  useCase: (deps: Deps, input: Input) => ResultAsync<T, E>,
  shape: Shape<NonNullable<Input>>,
): (deps: Deps) => (...given: Given<Input>) => ResultAsync<T, E | InputInvalid> {
  const check = inputCheck<NonNullable<Input>>(shape)
  return (deps) =>
    (...[input]) => {
      const invalid = invalidOf(check, input)
      return invalid === undefined ? useCase(deps, input as Input) : errAsync(invalid)
    }
}

/** Binds a list, as {@link result} binds a single one. */
export function list<Deps, Input extends object | undefined, T, E>(
  useCase: (deps: Deps, input: Input) => Pages<T, E>,
  shape: Shape<NonNullable<Input>>,
): (deps: Deps) => (...given: Given<Input>) => List<T, E | InputInvalid> {
  const check = inputCheck<NonNullable<Input>>(shape)
  return (deps) =>
    (...[input]) => {
      const invalid = invalidOf(check, input)
      return listOf<T, E | InputInvalid>(
        invalid === undefined ? useCase(deps, input as Input) : refusedList(invalid),
      )
    }
}

/** A use-case that takes no input. */
export function withoutInput<Deps, Answer>(useCase: (deps: Deps) => Answer): (deps: Deps) => () => Answer {
  return (deps) => () => useCase(deps)
}

/** Binds all use-cases of a slice. Throws a TypeError that names the first method of a port that is missing. */
export function bindAll<UseCases extends Table>(
  useCases: UseCases,
  methods: MethodsOf<UseCases>,
  deps: DepsOf<UseCases>,
): Bound<UseCases> {
  requireMethods(deps, methods)
  const bound = Object.entries(useCases).map(([name, bind]) => [name, bind(deps as never)])
  return Object.fromEntries(bound) as Bound<UseCases>
}

function requireMethods(ports: unknown, methods: object): void {
  for (const [name, wanted] of Object.entries(methods)) {
    const port = fieldOf(ports, name)
    for (const [method, need] of Object.entries(wanted as object)) {
      if (port === undefined && need === 'if present') continue
      if (fieldOf(port, method) === undefined) throw new TypeError(`ports.${name}.${method} is missing`)
    }
  }
}

function invalidOf(check: InputCheck, input: unknown = {}): InputInvalid | undefined {
  const errors = check(input)
  return errors.length === 0 ? undefined : { code: 'fields_invalid', errors }
}

// eslint-disable-next-line @typescript-eslint/require-await -- the list has nothing to read
async function* refusedList(invalid: InputInvalid): Pages<never, InputInvalid> {
  yield err(invalid)
}
