import type { PasskeyVerifier } from '@sotto/identity'
import type { Clock, FileCipher, FileStore, Random, SendFailed } from '@sotto/core'
import {
  createFakeCipher,
  createFakeFileCipher,
  createFakeKeyRing,
  createFakePasskey,
  createFakePasskeyVerifier,
  createFakePasswordHasher,
  createManualClock,
  createMemoryFiles,
  createMemoryIdentityProvider,
  createMemoryMailSender,
  createMemoryQuota,
  createMemoryStorage,
  createMemoryWebhookSender,
  createSeededRandom,
  noonMicros,
  type CipherHarness,
  type CipherUnderTest,
  type ClockHarness,
  type FakeCipher,
  type FileCipherHarness,
  type FileStoreHarness,
  type FakeKeyFile,
  type FakePasswordHasher,
  type IdentityProviderHarness,
  type IdentityProviderUnderTest,
  type MailSenderHarness,
  type MailSenderUnderTest,
  type MailServerBehaviour,
  type MemoryData,
  type MemoryFiles,
  type MemoryQuota,
  type MemoryStorage,
  type PasskeyVerifierHarness,
  type PasswordHasherHarness,
  type QuotaHarness,
  type QuotaUnderTest,
  type RandomHarness,
  type ReceiverBehaviour,
  type StorageHarness,
  type StorageUnderTest,
  type WebhookSenderHarness,
  type WebhookSenderUnderTest,
} from '@sotto/test-kit'

/** What may be changed about a fake, to break it. */
export interface Changes<Fake, Data> {
  /** Applied each time the fake is opened. */
  readonly change?: (fake: Fake) => Fake
  /** The data that `reopen` opens. */
  readonly reopened?: (data: Data) => Data
  /** The data that `beside` opens. */
  readonly beside?: (data: Data) => Data
}

export function memoryStorageHarness({
  change = (storage) => storage,
  reopened = (data) => data,
  beside = (data) => data,
}: Changes<MemoryStorage, MemoryData> = {}): StorageHarness {
  const underTest = (storage: MemoryStorage): StorageUnderTest => ({
    ...storage,
    async dispose() {
      await storage.close()
    },
    async reopen() {
      await storage.close()
      return underTest(change(createMemoryStorage({ data: reopened(storage.data) })))
    },
    beside: async () => underTest(change(createMemoryStorage({ data: beside(storage.data) }))),
  })
  return {
    supports: ['together', 'reopen', 'beside'],
    open: async () => underTest(change(createMemoryStorage())),
  }
}

export function memoryQuotaHarness({
  change = (quota) => quota,
  reopened = (data) => data,
  beside = (data) => data,
}: Changes<MemoryQuota, MemoryQuota['data']> = {}): QuotaHarness {
  const underTest = (quota: MemoryQuota): QuotaUnderTest => ({
    quota,
    async dispose() {
      quota.close()
    },
    async reopen() {
      quota.close()
      return underTest(change(createMemoryQuota(reopened(quota.data))))
    },
    beside: async () => underTest(change(createMemoryQuota(beside(quota.data)))),
  })
  return { supports: ['reopen', 'beside'], open: async () => underTest(change(createMemoryQuota())) }
}

export function fakeCipherHarness({
  change = (cipher) => cipher,
  beside = (file) => file,
}: Omit<Changes<FakeCipher, FakeKeyFile>, 'reopened'> = {}): CipherHarness {
  let installations = 0
  const underTest = (file: FakeKeyFile, installation: string): CipherUnderTest => ({
    ...change(createFakeCipher({ keyRing: createFakeKeyRing({ file }), installation })),
    async dispose() {},
    beside: async () => underTest(beside(file), installation),
    async spoil() {
      file.usable = false
    },
  })
  return {
    supports: ['beside', 'spoil'],
    async open() {
      installations += 1
      return underTest({ kids: [1], activeKid: 1, nextKid: 2, usable: true }, `installation ${installations}`)
    },
  }
}

export function fakePasswordHasherHarness(
  change: (hasher: FakePasswordHasher) => FakePasswordHasher = (hasher) => hasher,
  supports: PasswordHasherHarness['supports'] = ['close'],
): PasswordHasherHarness {
  return {
    supports,
    async open() {
      const hasher = change(createFakePasswordHasher())
      return { hasher, dispose: async () => hasher.close() }
    },
  }
}

export function passkeyVerifierHarness(
  change: (verifier: PasskeyVerifier) => PasskeyVerifier = (verifier) => verifier,
): PasskeyVerifierHarness {
  return {
    supports: [],
    open: async () => ({
      verifier: change(createFakePasskeyVerifier()),
      passkeys: [createFakePasskey('one'), createFakePasskey('other')],
      async dispose() {},
    }),
  }
}

export function memoryFilesHarness({
  change = (files) => files,
  reopened = (contents) => contents,
}: Omit<Changes<FileStore, MemoryFiles['contents']>, 'beside'> = {}): FileStoreHarness {
  return {
    supports: ['reopen'],
    async open() {
      const files = createMemoryFiles()
      return {
        files: change(files),
        reopen: async () => change(createMemoryFiles(reopened(files.contents))),
        async dispose() {},
      }
    },
  }
}

export function fakeFileCipherHarness(
  change: (cipher: FileCipher) => FileCipher = (cipher) => cipher,
): FileCipherHarness {
  return {
    supports: [],
    open: async () => ({ fileCipher: change(createFakeFileCipher()), async dispose() {} }),
  }
}

export function clockHarness(
  open: () => Clock = () => createManualClock(noonMicros),
  supports: ClockHarness['supports'] = [],
): ClockHarness {
  return { supports, open: async () => ({ clock: open(), async dispose() {} }) }
}

/** @param open gets the number of generators that were opened so far, including this one */
export function randomHarness(open: (seed: number) => Random = createSeededRandom): RandomHarness {
  let opened = 0
  return { supports: [], open: async () => ({ random: open((opened += 1)), async dispose() {} }) }
}

/** @param change gets what the identity provider under test is made of */
export function identityProviderHarness(
  change: (opened: IdentityProviderUnderTest) => Partial<IdentityProviderUnderTest> = () => ({}),
): IdentityProviderHarness {
  return {
    supports: [],
    async open() {
      const identityProvider = createMemoryIdentityProvider()
      const opened: IdentityProviderUnderTest = {
        identityProvider,
        signIn: async (url, person, isTerse = false) => identityProvider.signIn(url, person, { isTerse }),
        logoutToken: async (logout) =>
          identityProvider.logoutToken({ ...logout, expiresAtMicros: noonMicros + 120_000_000 }),
        async setReachable(isReachable) {
          identityProvider.setReachable(isReachable)
        },
        nowMicros: () => noonMicros,
        async dispose() {},
      }
      return { ...opened, ...change(opened) }
    },
  }
}

const refusals: Readonly<Record<MailServerBehaviour | ReceiverBehaviour, SendFailed>> = {
  fails: { code: 'send_failed', reason: 'status 503', verdict: 'retry' },
  defers: { code: 'send_failed', reason: 'status 450', verdict: 'retry' },
  rejects: { code: 'send_failed', reason: 'status 550', verdict: 'never' },
  leaves: { code: 'send_failed', reason: 'status 410', verdict: 'gone' },
  hangs: { code: 'send_failed', reason: 'timeout', verdict: 'retry' },
  closes: { code: 'send_failed', reason: 'connection closed', verdict: 'retry' },
  absent: { code: 'send_failed', reason: 'connection refused', verdict: 'retry' },
}

/** @param change gets what the sender under test is made of, and what its server does now */
export function mailSenderHarness(
  change: (opened: MailSenderUnderTest, now: () => string) => Partial<MailSenderUnderTest> = () => ({}),
): MailSenderHarness {
  return {
    supports: ['defers', 'rejects', 'hangs', 'closes', 'absent'],
    async open() {
      const side = otherSide(refusals)
      const opened = { sender: createMemoryMailSender({ answer: side.answer }), ...side }
      return { ...opened, ...change(opened, side.now) }
    },
  }
}

/** @param change gets what the sender under test is made of, and what its receiver does now */
export function webhookSenderHarness(
  change: (opened: WebhookSenderUnderTest, now: () => string) => Partial<WebhookSenderUnderTest> = () => ({}),
): WebhookSenderHarness {
  return {
    supports: ['fails', 'defers', 'leaves', 'hangs', 'closes', 'absent'],
    async open() {
      const side = otherSide({
        ...refusals,
        defers: { code: 'send_failed', reason: 'status 429', verdict: 'retry', retryAfterSeconds: 7 },
      })
      const addresses = {
        url: 'https://receiver.example/hook',
        refusedUrls: ['https://localhost/', 'https://127.0.0.1/'],
      }
      const opened = { sender: createMemoryWebhookSender({ answer: side.answer }), ...addresses, ...side }
      return { ...opened, ...change(opened, side.now) }
    },
  }
}

/** What the other side of a memory sender does. */
function otherSide(answers: Readonly<Record<string, SendFailed>>) {
  let now = 'takes'
  let taken = 0
  return {
    now: () => now,
    answer(): SendFailed | undefined {
      const failed = answers[now]
      if (failed === undefined) taken += 1
      return failed
    },
    async serve(behaviour: string) {
      now = behaviour
    },
    taken: () => taken,
    withinMillis: 500,
    async dispose() {},
  }
}
