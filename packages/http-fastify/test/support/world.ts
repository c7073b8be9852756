import { createFullSotto, type FullPorts, type FullSotto, type IdentityPolicy } from '@sotto/identity'
import {
  defaultPolicy,
  type Draft,
  type NewSecret,
  type Policy,
  type Scope,
  type ShareableSecret,
  type Uuid,
} from '@sotto/core'
import { createMemoryPorts, expectOk, type ManualClock, type MemoryPorts } from '@sotto/test-kit'

/** All use-cases on ports in memory, and ways to create accounts, folders, tokens and secrets. */
export interface World {
  /** The use-cases under test, on ports of which `replace` may have replaced some. */
  readonly sotto: FullSotto
  /** The ports in memory, none of them replaced. */
  readonly memory: MemoryPorts
  readonly clock: ManualClock
  makeAccount(email?: string): Promise<Uuid>
  makeFolder(accountId: Uuid, label?: string): Promise<Uuid>
  makeToken(
    accountId: Uuid,
    options?: { scopes?: readonly Scope[]; expiresInSeconds?: number },
  ): Promise<string>
  makeSecret(accountId: Uuid, folderId: Uuid, fields?: Partial<NewSecret>): Promise<ShareableSecret>
  makeDraft(accountId: Uuid, folderId: Uuid): Promise<Draft>
}

export interface WorldOptions {
  readonly perMinute?: number
  readonly perDay?: number
  readonly noteMaxBytes?: number
  readonly signIn?: IdentityPolicy['signIn']
  readonly files?: Policy['files']
  /** Replaces some of the ports in memory. */
  readonly replace?: (ports: FullPorts) => Partial<FullPorts>
  /** Replaces some of the use-cases under test. */
  readonly wrap?: (sotto: FullSotto) => Partial<FullSotto>
}

export function createWorld(options: WorldOptions = {}): World {
  const { quota } = defaultPolicy
  const { perMinute = quota.perMinute, perDay = quota.perDay } = options
  const { noteMaxBytes = defaultPolicy.noteMaxBytes } = options
  const policy = { noteMaxBytes, quota: { perMinute, perDay }, signIn: options.signIn, files: options.files }
  const memory = createMemoryPorts()
  const unbroken = createFullSotto({ ports: memory, policy })
  const sotto = createFullSotto({ ports: { ...memory, ...options.replace?.(memory) }, policy })
  let accounts = 0
  return {
    sotto: { ...sotto, ...options.wrap?.(sotto) },
    memory,
    clock: memory.clock,
    async makeAccount(email = `owner${(accounts += 1)}@example.org`) {
      return expectOk(await unbroken.createAccount({ email })).id
    },
    async makeFolder(accountId, label = 'Folder') {
      return expectOk(await unbroken.createFolder({ accountId, label })).id
    },
    async makeToken(accountId, { scopes, expiresInSeconds } = {}) {
      const input = { accountId, name: 'test', scopes, expiresInSeconds }
      return expectOk(await unbroken.createAccessToken(input)).token
    },
    async makeDraft(accountId, folderId) {
      return expectOk(await unbroken.saveDraft({ accountId, folderId, label: 'Draft', note: 'note' }))
    },
    async makeSecret(accountId, folderId, fields = {}) {
      const input = { accountId, folderId, label: 'Secret', note: 'note', ...fields }
      return expectOk(await unbroken.createSecret(input))
    },
  }
}
