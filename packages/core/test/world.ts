import { createSotto, type Sotto } from '../src/sotto.ts'
import { createFakeCipher, createMemoryPorts, expectErr, expectOk, type MemoryPorts } from '@sotto/test-kit'
import { ok, type Result } from 'neverthrow'
import { retireKey } from '../src/keys/keys.ts'
import { rotateKeys } from '../src/keys/rotate-keys.ts'
import type { SecretRequest } from '../src/requests/request.ts'
import type { ShareableSecret } from '../src/secrets/secret.ts'
import type { Policy } from '../src/policy.ts'
import type { Lease, Target } from '../src/notifications/queue/delivery-store.ts'
import { noAttempts } from '../src/shared/attempts.ts'
import type { NewSecret } from '../src/secrets/new-secret.ts'
import type { createRequest } from '../src/requests/requests.ts'
import type { Pages } from '../src/shared/pages.ts'
import type { answerRequest } from '../src/requests/answer-request.ts'

/** The time at which every test begins. */
export const startMicros = Date.UTC(2026, 10, 20, 12, 0, 0) * 1000

export const secondMicros = 1_000_000
export const minuteMicros = 60 * secondMicros
export const dayMicros = 86_400 * secondMicros

/** A UUID that no row has. */
export const unknownId = '0190f3a0-0000-7000-8000-000000000000'

/** Bounds that a test reaches quickly. */
const policy: Policy = {
  noteMaxBytes: 1_000,
  quota: { perMinute: 3, perDay: 5 },
  files: { maxBytes: 100, accountMaxBytes: 1_000_000 },
}

/** What packages that stand on the core replace is left out. */
type UseCases = Omit<Sotto, 'exportAccount'>

/** Everything in memory, for one test. */
export interface World {
  /** What a use-case takes as its first argument. A test replaces single ports to see what the use-case does with them. */
  readonly deps: MemoryPorts & { readonly policy: Policy }
  /** All use-cases on the same ports, to prepare a test and to look at the outcome. */
  readonly sotto: UseCases
  readonly accountId: string
  readonly folderId: string
}

/** An account with one folder. */
export async function createWorld(): Promise<World> {
  const ports = createMemoryPorts({ nowMicros: startMicros })
  const sotto = createSotto({ ports, policy })
  const { id: accountId } = expectOk(await sotto.createAccount({ email }))
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'First' }))
  return { deps: { ...ports, policy }, sotto, accountId, folderId }
}

/** The ports of another process, with the same store, which reads the keys now; its key file is the same, unless another one is given. */
export function inOtherProcess(deps: World['deps'], file = deps.keyRing.file): World['deps'] {
  return { ...deps, ...createFakeCipher({ keyRing: deps.keyRing.beside(file) }) }
}

/** Another process puts every row under a new key and retires the old one. */
export async function retireElsewhere({ deps }: World): Promise<void> {
  const other = inOtherProcess(deps)
  const { kid } = expectOk(await rotateKeys(other))
  expectOk(await retireKey(other, { kid: kid - 1 }))
}

/** The email of the world's account. */
export const email = 'ada@example.org'

/** The address from which the world's account chooses its password, and therefore knows. */
export const homeAddress = '192.0.2.1'

/** An address that the world's account does not know. */
export const awayAddress = '198.51.100.7'

/** Where the webhooks of the world's account are. */
export const webhookUrl = 'https://hooks.example.org/sotto'

/** Adds a webhook to the world's account. Its id. */
export async function addWebhook({ sotto, accountId }: World, url = webhookUrl): Promise<string> {
  return expectOk(await sotto.createWebhook({ accountId, url })).id
}

/** Shares a secret of the world's account whose owner wants to hear of it. */
export async function shareHeard(world: World, fields: Partial<NewSecret> = {}): Promise<ShareableSecret> {
  return expectOk(await world.sotto.createSecret(newSecret(world, { notify: true, ...fields })))
}

/** Opens a secret, so often, a microsecond apart. */
export async function openTimes({ deps, sotto }: World, { link }: ShareableSecret, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    expectOk(await sotto.openSecret({ token: link.token }))
    deps.clock.advance(1)
  }
}

/** Distributes all events, and leases the one target of this kind that is due. */
export async function leaseDue({ sotto }: World, kind: Target['kind'], perTarget = 10): Promise<Lease> {
  expectOk(await sotto.distributeEvents())
  const [lease] = expectOk(await sotto.leaseDeliveries({ kind, targets: 1, perTarget }))
  if (lease === undefined) throw new Error(`no ${kind} is due`)
  return lease
}

/** What a new request consists of. */
export type RequestFields = Parameters<typeof createRequest>[1]

/** Asks for something in the name of the world's account. */
export async function ask(
  { sotto, accountId, folderId }: World,
  fields: Partial<RequestFields> = {},
): Promise<SecretRequest> {
  return expectOk(await sotto.createRequest({ accountId, folderId, title: 'a title', ...fields }))
}

/** A key of a request, and an answer in the form that one with a key takes. */
export const requestKey = `BA${'_-'.repeat(42)}A`
export const sealedAnswer = `sotto-answer-1.${'A'.repeat(478)}`

/** Answers a request. */
export function handIn(
  { sotto }: World,
  token: string,
  given: Partial<Parameters<typeof answerRequest>[1]> = {},
) {
  return sotto.answerRequest({ token, note: 'an answer', address: awayAddress, ...given })
}

/** The input of a new secret or draft of the world's account. */
export function newSecret({ accountId, folderId }: World, fields: Partial<NewSecret> = {}) {
  return { accountId, folderId, label: 'a label', note: 'a note', ...fields }
}

/** A whole list without its corrupted rows; throws when it ends with an error. */
export async function all<T, E>(pages: Pages<T, E>): Promise<T[]> {
  const items: T[] = []
  for await (const page of pages) items.push(...expectOk(page).items)
  return items
}

/** Calls of a port's methods by name. */
export type Calls = Readonly<Record<string, number | undefined>>

/** Tokens of links that nobody can open, one for each cause. Sets the clock. */
export async function deadLinks(world: World): Promise<readonly string[]> {
  const { deps, sotto } = world
  const share = async (fields: Partial<NewSecret>) =>
    expectOk(await sotto.createSecret(newSecret(world, fields))).link.token
  const expired = await share({})
  deps.clock.advance(30 * dayMicros)
  const used = await share({ openLimit: 1 })
  expectOk(await sotto.openSecret({ token: used }))
  const disabled = await share({ password: 'right' })
  const guessedOften = () => ok({ attempts: { ...noAttempts, wrongTotal: 99 } })
  expectOk(await deps.links.update(deps.digests.linkLookup(disabled), undefined, guessedOften))
  expectErr(await sotto.openSecret({ token: disabled, password: 'wrong' }), 'password_wrong')
  return ['A'.repeat(43), '', `${used}A`, used, expired, disabled]
}

export interface Counting<Port> {
  readonly port: Port
  readonly calls: Calls
  /** What its methods answered with Ok, with their names, in the order of the calls. */
  answers(): Promise<readonly (readonly [name: string, value: unknown])[]>
}

/** The port, with what was called and what it answered. */
export function counting<Port extends object>(port: Port): Counting<Port> {
  const calls: Record<string, number> = {}
  const answered: [name: string, answer: unknown][] = []
  const counted = new Proxy(port, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || typeof name !== 'string') return method
      return (...given: unknown[]): unknown => {
        calls[name] = (calls[name] ?? 0) + 1
        const answer: unknown = Reflect.apply(method, target, given)
        answered.push([name, answer])
        return answer
      }
    },
  })
  const answers = () =>
    Promise.all(
      answered.map(
        async ([name, answer]) => [name, expectOk((await answer) as Result<unknown, never>)] as const,
      ),
    )
  return { port: counted, calls, answers }
}

/** The ports, and the calls of their methods in order, as `port.method`. */
export function recording<Deps extends object>(deps: Deps, names: readonly (keyof Deps & string)[]) {
  const calls: string[] = []
  const recorded = names.map((name) => {
    const port = deps[name] as object
    const proxy = new Proxy(port, {
      get(target, method) {
        const original: unknown = Reflect.get(target, method)
        if (typeof original !== 'function' || typeof method !== 'string') return original
        return (...given: unknown[]): unknown => {
          calls.push(`${name}.${method}`)
          return Reflect.apply(original, target, given)
        }
      },
    })
    return [name, proxy] as const
  })
  return { deps: { ...deps, ...Object.fromEntries(recorded) } as Deps, calls }
}
