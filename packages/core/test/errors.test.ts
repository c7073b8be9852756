import t from 'tap'
import { errAsync, okAsync } from 'neverthrow'
import { createMemoryMailSender, expectErr, expectOk, failing } from '@sotto/test-kit'
import { errorKinds, type CodesOfKind } from '../src/error-kinds.ts'
import type { KeyRetired, StorageError } from '../src/shared/errors.ts'
import { createSotto, type ErrorOf, type Sotto, type SottoError, type SottoErrorCode } from '../src/sotto.ts'
import type { NewFiles } from '../src/files/upload-files.ts'
import { lockMicros } from '../src/shared/attempts.ts'
import { webhooksMax } from '../src/notifications/webhooks/webhook.ts'
import { arriving, brokenPieces, uploaded } from './files.ts'
import {
  addWebhook,
  all,
  ask,
  createWorld,
  handIn,
  newSecret,
  requestKey,
  sealedAnswer,
  unknownId,
  webhookUrl,
  type World,
} from './world.ts'

/**
 * For each code that a use-case may return, a way to get it. The compiler refuses a code that is missing here and one that is in no
 * use-case's type; the test refuses one that no use-case returns.
 */
const examples: Readonly<Record<SottoErrorCode, (world: World) => Promise<SottoError>>> = {
  storage_unavailable: (world) => createWhen(world, { code: 'storage_unavailable', reason: 'full' }),
  storage_failed: (world) => createWhen(world, { code: 'storage_failed', detail: 'broken' }),
  async key_not_everywhere({ sotto }) {
    expectOk(await sotto.showServer({ id: unknownId, name: 'web-1' }))
    return expectErr(await sotto.rotateKeys())
  },
  key_retired: (world) => createWhen(world, { code: 'key_retired' }),
  fields_invalid: async ({ sotto }) => expectErr(await sotto.createAccount({ email: '' })),
  account_exists: async ({ sotto }) => expectErr(await sotto.createAccount({ email: 'ada@example.org' })),
  account_not_found: async ({ sotto }) => expectErr(await sotto.findAccount({ email: 'bob@example.org' })),
  secret_not_found: async ({ sotto, accountId }) =>
    expectErr(await sotto.getSecret({ accountId, id: unknownId })),
  async idempotency_key_reused(world) {
    expectOk(await world.sotto.createSecretOnce({ ...newSecret(world), idempotencyKey: 'k' }))
    const other = { ...newSecret(world, { label: 'another' }), idempotencyKey: 'k' }
    return expectErr(await world.sotto.createSecretOnce(other))
  },
  async idempotency_key_under_way(world) {
    const input = { ...newSecret(world), idempotencyKey: 'k' }
    const [, second] = await Promise.all([
      world.sotto.createSecretOnce(input),
      world.sotto.createSecretOnce(input),
    ])
    return expectErr(second)
  },
  async secret_gone(world) {
    const { sotto, accountId } = world
    const input = { ...newSecret(world), idempotencyKey: 'k' }
    const { secret } = expectOk(await sotto.createSecretOnce(input))
    expectOk(await sotto.destroySecret({ accountId, id: secret.id }))
    return expectErr(await sotto.createSecretOnce(input))
  },
  async search_under_way({ sotto, accountId }) {
    const input = { accountId, words: 'router' }
    const [, second] = await Promise.all([sotto.searchSecrets(input), sotto.searchSecrets(input)])
    return expectErr(second)
  },
  draft_not_found: async ({ sotto, accountId }) =>
    expectErr(await sotto.deleteDraft({ accountId, id: unknownId })),
  draft_locked: (world) => guessDraft(world, 6),
  draft_disabled: (world) => guessDraft(world, 101),
  folder_not_found: async ({ sotto, accountId }) =>
    expectErr(await sotto.getFolder({ accountId, id: unknownId })),
  async folder_not_empty(world) {
    const { sotto, accountId, folderId: id } = world
    expectOk(await sotto.saveDraft(newSecret(world)))
    return expectErr(await sotto.deleteFolder({ accountId, id }))
  },
  request_not_found: async ({ sotto }) => expectErr(await sotto.previewRequest({ token: '' })),
  async answer_without_files(world) {
    const { token } = (await ask(world)).link
    return expectErr(await handIn(world, token, { upload: await uploaded(world, ['a']) }))
  },
  async too_many_answers(world) {
    const { token } = (await ask(world, { answersAllowed: 100 })).link
    for (let nr = 0; nr < 20; nr += 1) expectOk(await handIn(world, token))
    return expectErr(await handIn(world, token))
  },
  async answer_not_sealed(world) {
    const { token } = (await ask(world, { key: requestKey })).link
    return expectErr(await handIn(world, token))
  },
  async draft_sealed(world) {
    const { sotto, accountId } = world
    const { id: requestId, link } = await ask(world, { key: requestKey })
    expectOk(await handIn(world, link.token, { note: sealedAnswer }))
    const [answer] = await all(sotto.listAnswers({ accountId, requestId }))
    return expectErr(await sotto.shareDraft({ accountId, id: answer!.id }))
  },
  async draft_changed(world) {
    const { note: _, ...fields } = newSecret(world)
    const { id } = expectOk(await world.sotto.saveDraft(newSecret(world)))
    return expectErr(await world.sotto.editDraft({ ...fields, id, version: 'another', content: undefined }))
  },
  webhook_not_found: async ({ sotto, accountId }) =>
    expectErr(await sotto.deleteWebhook({ accountId, id: unknownId })),
  async webhook_limit_reached(world) {
    for (let nr = 0; nr < webhooksMax; nr += 1) await addWebhook(world)
    return expectErr(await world.sotto.createWebhook({ accountId: world.accountId, url: webhookUrl }))
  },
  delivery_not_found: async ({ sotto }) => expectErr(await sotto.retryDelivery({ id: unknownId })),
  async mail_unavailable({ deps, accountId }) {
    const sotto = createSotto({ ports: { ...deps, mailSender: undefined }, policy: deps.policy })
    return expectErr(await sotto.testMail({ accountId }))
  },
  async send_failed({ deps, accountId }) {
    const answer = () => ({ code: 'send_failed', reason: 'timeout', verdict: 'retry' }) as const
    const ports = { ...deps, mailSender: createMemoryMailSender({ answer }) }
    return expectErr(await createSotto({ ports, policy: deps.policy }).testMail({ accountId }))
  },
  key_in_use: async ({ sotto }) => expectErr(await sotto.retireKey({ kid: 1 })),
  key_not_found: async ({ sotto }) => expectErr(await sotto.retireKey({ kid: 9 })),
  link_not_found: async ({ sotto }) => expectErr(await sotto.openSecret({ token: '' })),
  async key_wrong(world) {
    const note = `sotto-sealed-1.${'A'.repeat(43)}.${'A'.repeat(391)}`
    const { token } = expectOk(await world.sotto.createSecret(newSecret(world, { note }))).link
    return expectErr(await world.sotto.openSecret({ token }))
  },
  async client_gone(world) {
    const { token } = expectOk(await world.sotto.createSecret(newSecret(world))).link
    return expectErr(await world.sotto.openSecret({ token, isAbandoned: () => true }))
  },
  async quota_exceeded({ sotto }) {
    const bucket = { kind: 'address', address: '192.0.2.1' } as const
    for (let call = 0; call < 3; call += 1) expectOk(await sotto.takeQuota({ bucket }))
    return expectErr(await sotto.takeQuota({ bucket }))
  },
  async keys_unwritable({ deps, sotto }) {
    deps.keyRing.file.usable = false
    return expectErr(await sotto.rotateKeys())
  },
  async key_ring_unfit({ deps }) {
    const keyRing = { ...deps.keyRing, checkValue: () => new Uint8Array() }
    return expectErr(await createSotto({ ports: { ...deps, keyRing }, policy: deps.policy }).fitKeyRing())
  },
  async key_unknown(world) {
    const { deps, sotto, accountId } = world
    const { id } = expectOk(await sotto.createSecret(newSecret(world)))
    deps.keyRing.file.kids = []
    deps.keyRing.refresh()
    return expectErr(await sotto.getSecret({ accountId, id }))
  },
  async data_damaged(world) {
    const { deps, sotto, accountId } = world
    const { id } = expectOk(await sotto.createSecret(newSecret(world)))
    const row = deps.data.secrets.get(id)!
    deps.data.secrets.set(id, { ...row, secret: { ...row.secret, createdAtMicros: 1 } })
    return expectErr(await sotto.getSecret({ accountId, id }))
  },
  async hasher_busy(world) {
    const { deps } = world
    const encryptSecret = () => errAsync({ code: 'hasher_busy' as const })
    const ports = { ...deps, secretCipher: { ...deps.secretCipher, encryptSecret } }
    const sotto = createSotto({ ports, policy: deps.policy })
    return expectErr(await sotto.createSecret(newSecret(world, { password: 'right' })))
  },
  async files_off({ deps, accountId }) {
    const sotto = createSotto({ ports: deps, policy: { ...deps.policy, files: undefined } })
    return expectErr(await sotto.uploadFiles({ accountId, files: arriving({ name: 'a' }) }))
  },
  file_too_large: (world) => uploadError(world, arriving({ name: 'a', text: 'a'.repeat(101) })),
  async files_full(world) {
    const files = { ...world.deps.policy.files!, accountMaxBytes: 1 }
    const sotto = createSotto({ ports: world.deps, policy: { ...world.deps.policy, files } })
    return uploadError({ ...world, sotto }, arriving({ name: 'a' }))
  },
  async disk_full(world) {
    const { deps } = world
    const fileContents = { ...deps.fileContents, freeBytes: () => okAsync(1) }
    const sotto = createSotto({ ports: { ...deps, fileContents }, policy: deps.policy })
    return uploadError({ ...world, sotto }, arriving({ name: 'a' }))
  },
  upload_broken: (world) => uploadError(world, arriving({ name: 'a', content: brokenPieces() })),
  file_not_found: async ({ sotto }) => expectErr(await sotto.readTicket({ ticket: '', number: 1 })),
  password_required: (world) => openWithPassword(world, undefined),
  password_wrong: (world) => openWithPassword(world, 'wrong'),
  link_locked: (world) => openWithPassword(world, 'wrong', 6),
  async form_already_used(world) {
    const { sotto } = world
    const { token } = expectOk(await sotto.createSecret(newSecret(world))).link
    const formId = 'f'.repeat(32)
    expectOk(await sotto.openSecret({ token, formId }))
    return expectErr(await sotto.openSecret({ token, formId }))
  },
}

for (const [code, example] of Object.entries(examples)) {
  t.test(`a use-case returns ${code}`, async (t) => {
    t.equal((await example(await createWorld())).code, code)
  })
}

t.test('a code tells by its name that something is missing', (t) => {
  const codes = Object.entries(errorKinds)
  t.strictSame(
    codes.flatMap(([code, kind]) => (kind === 'not_found' ? [code] : [])),
    codes.flatMap(([code]) => (code.endsWith('_not_found') ? [code] : [])),
  )
  t.end()
})

t.test('what was tried too often says when to try again', (t) => {
  // The compiler refuses a value that is not the one of the type.
  const saysHowLong: Extract<SottoError, { code: Limited }> extends { retryAfterSeconds: number }
    ? true
    : false = true
  t.ok(saysHowLong)
  t.end()
})

type Limited = CodesOfKind<typeof errorKinds, 'limited'>

t.test('an error that a use-case translates or never gets is not in its type', (t) => {
  // Checked by the compiler, which refuses a value that is not the one of the type.
  const folderNotFound: IsCode<
    'folder_not_found',
    ErrorOf<Sotto['createSecret' | 'saveDraft' | 'editDraft']>['code']
  > = false
  const hashingWithoutPassword: IsCode<'hasher_busy', ErrorOf<Sotto['shareDraft']>['code']> = false
  const attemptsInPreviews: IsCode<'link_locked', ErrorOf<Sotto['previewLink']>['code']> = false
  const existsWhenEnsured: IsCode<'account_exists', ErrorOf<Sotto['ensureAccount']>['code']> = false
  const absent = [folderNotFound, hashingWithoutPassword, attemptsInPreviews, existsWhenEnsured]
  t.strictSame(absent, [false, false, false, false])
  const pagesHaveErrorsToo: IsCode<'key_unknown', ErrorOf<Sotto['listSecrets']>['code']> = true
  t.equal(pagesHaveErrorsToo, true)
  t.end()
})

type IsCode<Code extends string, Codes extends string> = [Extract<Codes, Code>] extends [never] ? false : true

async function uploadError({ sotto, accountId }: World, files: NewFiles): Promise<SottoError> {
  return expectErr(await sotto.uploadFiles({ accountId, files }))
}

/** Creates a secret in a store that fails. */
async function createWhen(world: World, error: StorageError | KeyRetired): Promise<SottoError> {
  const ports = { ...world.deps, secrets: failing(world.deps.secrets, { insert: error }) }
  return expectErr(await createSotto({ ports, policy: world.deps.policy }).createSecret(newSecret(world)))
}

/** Guesses at a draft's password, waiting for the end of each lock that is not the last answer. */
async function guessDraft(world: World, times: number): Promise<SottoError> {
  const { sotto, deps, accountId } = world
  const { id } = expectOk(await sotto.saveDraft(newSecret(world, { password: 'right' })))
  const guess = async () => expectErr(await sotto.getDraft({ accountId, id, password: 'wrong' }))
  for (let time = 1; time < times; time += 1) {
    await guess()
    if (time % 5 === 0 && time + 1 < times) deps.clock.advance(lockMicros)
  }
  return guess()
}

/** Opens a link whose password is `right`, so many times; the last error. */
async function openWithPassword(world: World, password: string | undefined, times = 1): Promise<SottoError> {
  const { sotto } = world
  const { token } = expectOk(await sotto.createSecret(newSecret(world, { password: 'right' }))).link
  for (let time = 1; time < times; time += 1) expectErr(await sotto.openSecret({ token, password }))
  return expectErr(await sotto.openSecret({ token, password }))
}
