import { createMemoryStorage, expectErr } from '@sotto/test-kit'
import { errAsync, ok, ResultAsync, type Result } from 'neverthrow'
import t from 'tap'
import type { StorageFailed } from '../src/shared/errors.ts'
import type { Pages } from '../src/shared/pages.ts'
import type { World } from './world.ts'

const broken: StorageFailed = { code: 'storage_failed', detail: 'broken' }

/** Prepares a world in which the use-case succeeds, and returns the call. */
export type Scenario<W, UseCases> = (world: W) => Promise<(sotto: UseCases) => ResultAsync<unknown, unknown>>

/** What {@link testFailingCalls} needs besides the scenarios. */
export interface FailingCalls<W, UseCases> {
  createWorld(): Promise<W>
  /** Binds the use-cases to the ports of a world. */
  create(deps: W['deps' & keyof W]): UseCases
  /** The stores whose calls fail. */
  readonly stores: readonly string[]
  /** Calls after the one that did what was asked: their errors are no error of the use-case. */
  readonly ignored: Readonly<Record<string, readonly string[]>>
}

/** For each use-case a test: it returns the error of every storage call that fails. */
export function testFailingCalls<W extends Pick<World, 'deps'>, UseCases>(
  scenarios: Readonly<Record<string, Scenario<W, UseCases>>>,
  { createWorld, create, stores, ignored }: FailingCalls<W, UseCases>,
): void {
  for (const [name, scenario] of Object.entries(scenarios)) {
    t.test(`${name} returns the error of every storage call that fails`, async (t) => {
      const mayFail = ignored[name] ?? []
      const failures = new Set<string>()
      let step = 0
      for (;;) {
        step += 1
        const world = await createWorld()
        const call = await scenario(world)
        // A fresh store knows no key, so that fitting the ring has to add one.
        const deps =
          name === 'fitKeyRing' ? { ...world.deps, ...createMemoryStorage({ activeKids: [] }) } : world.deps
        const { ports, failed } = failingAt(step, deps, stores)
        const outcome = await call(create(ports))
        const method = failed()
        if (method === undefined) {
          t.ok(outcome.isOk(), 'without a failing call it succeeds')
          break
        }
        failures.add(method)
        if (mayFail.includes(method)) t.ok(outcome.isOk(), `${method} may fail`)
        else t.strictSame(expectErr(outcome), broken, `call ${String(step)}, ${method}, fails`)
      }
      t.strictSame(
        mayFail.filter((method) => !failures.has(method)),
        [],
        'every ignored error was made',
      )
      t.ok(step > 1, `${String(step - 1)} calls`)
    })
  }
}

/** They answer nothing, so they cannot fail. */
const answersNothing: readonly string[] = ['sessions.recordUse', 'accessTokens.recordUse']

/** Ports of which the storage call number `step` fails; `failed` names it as `store.method`. */
function failingAt<Deps extends object>(step: number, deps: Deps, stores: readonly string[]) {
  let calls = 0
  let failed: string | undefined
  const guarded = stores.map((name) => {
    const store = deps[name as keyof Deps] as object
    const proxy = new Proxy(store, {
      get(target, method) {
        const original: unknown = Reflect.get(target, method)
        if (typeof original !== 'function' || answersNothing.includes(`${name}.${String(method)}`))
          return original
        return (...given: unknown[]): unknown => {
          calls += 1
          if (calls !== step) return Reflect.apply(original, target, given)
          failed = `${name}.${String(method)}`
          return errAsync(broken)
        }
      },
    })
    return [name, proxy] as const
  })
  const ports = { ...deps, ...Object.fromEntries(guarded) } as Deps
  return { ports, failed: () => failed }
}

/** The last page of a list: the error if there is one. */
export function lastOf<T, E>(pages: Pages<T, E>): ResultAsync<unknown, E> {
  const read = async (): Promise<Result<unknown, E>> => {
    let last: Result<unknown, E> = ok()
    for await (const page of pages) last = page
    return last
  }
  return new ResultAsync(read())
}
