import {
  createAccessToken,
  createAccount,
  createFolder,
  createSecret,
  saveDraft,
  type Draft,
  type NewSecret,
  type Ports,
  type Scope,
  type ShareableSecret,
  type Uuid,
} from '@sotto/core'
import {
  createFakeCipher,
  createManualClock,
  createMemoryQuota,
  createMemoryStorage,
  createSeededRandom,
  noonMicros,
  type FakeCipher,
  type ManualClock,
  type MemoryQuota,
  type MemoryStorage,
} from '@sotto/test-kit'

/** All ports, in memory, and the makings of accounts, folders, tokens and secrets. */
export interface World {
  readonly ports: Ports
  readonly clock: ManualClock
  readonly quota: MemoryQuota
  readonly storage: MemoryStorage
  readonly cipher: FakeCipher
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
  /** Puts other ports in the place of the fakes. */
  readonly replace?: (ports: Ports) => Partial<Ports>
}

export function createWorld(options: WorldOptions = {}): World {
  const { perMinute = 60, perDay = 1_440, noteMaxBytes = 65_536 } = options
  const clock = createManualClock(noonMicros)
  const quota = createMemoryQuota()
  const storage = createMemoryStorage()
  const cipher = createFakeCipher()
  const fakes: Ports = {
    ...storage,
    ...cipher,
    quota,
    clock,
    random: createSeededRandom(1),
    limits: { noteMaxBytes, quota: { perMinute, perDay } },
  }
  const ports = { ...fakes, ...options.replace?.(fakes) }
  let accounts = 0
  return {
    ports,
    clock,
    quota,
    storage,
    cipher,
    async makeAccount(email = `owner${(accounts += 1)}@example.org`) {
      return (await createAccount(fakes, { email }))._unsafeUnwrap().id
    },
    async makeFolder(accountId, label = 'Folder') {
      return (await createFolder(fakes, { accountId, label }))._unsafeUnwrap().id
    },
    async makeToken(accountId, { scopes, expiresInSeconds } = {}) {
      const input = { accountId, name: 'test', scopes, expiresInSeconds }
      return (await createAccessToken(fakes, input))._unsafeUnwrap().token
    },
    async makeDraft(accountId, folderId) {
      const input = { accountId, folderId, label: 'Draft', note: 'note' }
      return (await saveDraft(fakes, input))._unsafeUnwrap()
    },
    async makeSecret(accountId, folderId, fields = {}) {
      const input = { accountId, folderId, label: 'Secret', note: 'note', ...fields }
      return (await createSecret(fakes, input))._unsafeUnwrap()
    },
  }
}
