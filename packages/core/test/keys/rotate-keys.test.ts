import t from 'tap'
import { errAsync, ok, ResultAsync, type Result } from 'neverthrow'
import { createFakeCipher, expectErr, expectOk } from '@sotto/test-kit'
import type { StorageError } from '../../src/shared/errors.ts'
import { createSecret } from '../../src/secrets/create-secret.ts'
import { rotateKeys } from '../../src/keys/rotate-keys.ts'
import { corruptSecret } from '../corruption.ts'
import { addWebhook, all, counting, createWorld, newSecret, inOtherProcess, type World } from '../world.ts'

const crash: StorageError = { code: 'storage_unavailable', reason: 'closed' }

t.test('a rotation puts every row under a new key and everything stays readable', async (t) => {
  const world = await createFilledWorld()
  const { deps, sotto, locked } = world
  const before = await seen(world)
  const done = expectOk(await rotateKeys(deps))
  t.strictSame(done, { kid: 2, added: true, rewrapped: 1 + 1 + 1 + 1 + 3, corrupted: [] })
  t.strictSame(await seen(world), before)
  t.strictSame(await rowsByKid(world), { 1: 0, 2: 7 })
  t.equal(expectOk(await sotto.openSecret({ token: locked, password: 'right' })).note, 'a note')
})

t.test('each head is decrypted once and no note at all', async (t) => {
  const { deps } = await createFilledWorld()
  const { port: secretCipher, calls } = counting(deps.secretCipher)
  expectOk(await rotateKeys({ ...deps, secretCipher }))
  t.strictSame(calls, { decryptHead: 3, rebind: 3 })
})

t.test('a rotation that fails at any step can be run again, and nothing is lost', async (t) => {
  for (let step = 1; ; step += 1) {
    const world = await createFilledWorld()
    const before = await seen(world)
    const cutOff = await rotateKeys(crashingAt(step, world.deps))
    if (cutOff.isOk()) {
      t.ok(step > 15, `${String(step - 1)} steps`)
      break
    }
    t.strictSame(await seen(world), before, `readable after step ${String(step)} failed`)
    const done = expectOk(await rotateKeys(world.deps))
    t.strictSame(done.corrupted, [])
    t.strictSame(await seen(world), before)
    const status = expectOk(await world.sotto.keyStatus())
    const stale = status.filter(({ active, rows }) => !active && rows > 0)
    t.strictSame(stale, [], `all rows are under the active key after step ${String(step)}`)
    t.ok(world.deps.keyRing.file.kids.length <= 3)
  }
})

t.test('a rotation that was interrupted is finished under the same key', async (t) => {
  const world = await createFilledWorld()
  const { deps } = world
  let replaced = 0
  const rewraps: Rewraps = {
    ...deps.rewraps,
    replaceSecret: (...given) =>
      (replaced += 1) > 2 ? errAsync(crash) : deps.rewraps.replaceSecret(...given),
  }
  t.strictSame(expectErr(await rotateKeys({ ...deps, rewraps })), crash)
  t.strictSame(await rowsByKid(world), { 1: 1, 2: 6 })
  t.strictSame(expectOk(await rotateKeys(deps)), { kid: 2, added: false, rewrapped: 1, corrupted: [] })
  t.strictSame(deps.keyRing.kids(), [1, 2])
})

t.test('a key that an interrupted rotation left in the ring is used before another is added', async (t) => {
  const { deps } = await createFilledWorld()
  t.equal(expectOk(await deps.keyRing.addKey()), 2)
  t.match(expectOk(await rotateKeys(deps)), { kid: 2, added: true, rewrapped: 7 })
  t.strictSame(deps.keyRing.kids(), [1, 2])
})

t.test('rows are put under the new key in batches of 50', async (t) => {
  const world = await createWorld()
  for (let nr = 0; nr < 120; nr += 1) expectOk(await world.sotto.createSecret(newSecret(world)))
  const reported: number[] = []
  const onProgress = ({ rewrapped }: { readonly rewrapped: number }) => reported.push(rewrapped)
  t.match(expectOk(await rotateKeys(world.deps, { onProgress })), { rewrapped: 122 })
  t.strictSame(reported.slice(-3), [52, 102, 122])
  t.strictSame(await rowsByKid(world), { 1: 0, 2: 122 })
})

// Promise (Sealed at rest): A rotation holds the lock of the file for few and short transactions
t.test('the rows of a batch are replaced together, so that a store can commit them together', async (t) => {
  const { deps, sotto, ...world } = await createWorld()
  for (let nr = 0; nr < 60; nr += 1) expectOk(await sotto.createSecret(newSecret({ ...world, deps, sotto })))
  const underWay = { now: 0, most: 0 }
  const replaceSecret: typeof deps.rewraps.replaceSecret = (...row) => {
    underWay.most = Math.max(underWay.most, (underWay.now += 1))
    return deps.rewraps.replaceSecret(...row).andTee(() => (underWay.now -= 1))
  }
  expectOk(await rotateKeys({ ...deps, rewraps: { ...deps.rewraps, replaceSecret } }))
  t.equal(underWay.most, 50)
})

t.test('a share between reading and replacing is not undone', async (t) => {
  const world = await createFilledWorld()
  const { deps, sotto, accountId, draftId } = world
  let link = ''
  const rewraps = beforeReplacing(deps.rewraps, async (secretId) => {
    if (secretId !== draftId || link !== '') return
    link = expectOk(await sotto.shareDraft({ accountId, id: draftId })).link.token
  })
  const { rewrapped } = expectOk(await rotateKeys({ ...deps, rewraps }))
  t.equal(rewrapped, 6, 'all rows but the draft, which the share put under the new key')
  t.equal(expectOk(await sotto.openSecret({ token: link })).note, 'a draft’s note')
  t.equal((await all(sotto.listSecrets({ accountId }))).length, 3)
})

t.test('an open between reading and replacing destroys the note for good', async (t) => {
  const world = await createFilledWorld()
  const { deps, sotto, accountId, once } = world
  let opened: ReturnType<typeof sotto.openSecret> | undefined
  const rewraps = beforeReplacing(deps.rewraps, async () => {
    opened ??= sotto.openSecret({ token: once })
    expectOk(await opened)
  })
  expectOk(await rotateKeys({ ...deps, rewraps }))
  t.ok(opened)
  t.strictSame(expectErr(await sotto.openSecret({ token: once })), { code: 'link_not_found' })
  t.equal((await all(sotto.listSecrets({ accountId }))).length, 2, 'it stays listed')
})

// Promise (Sealed at rest): From the moment a key is active nothing is written under an older one
t.test(
  'a process that has not read the key file again writes under the new key as soon as it is active',
  async (t) => {
    const world = await createFilledWorld()
    const other = inOtherProcess(world.deps)
    const keys: typeof other.keys = {
      ...other.keys,
      activate: (kid) =>
        other.keys.activate(kid).andThrough(() =>
          createSecret(world.deps, newSecret(world))
            .orTee(() => t.fail())
            .orElse(() => ok()),
        ),
    }
    t.match(expectOk(await rotateKeys({ ...other, keys })), { kid: 2, added: true })
    t.match([await rowsByKid(world), world.deps.keyRing.activeKid()], [{ 1: 0, 2: 8 }, 2])
  },
)

t.test('a rotation that another one overtakes moves nothing to the older key', async (t) => {
  const world = await createFilledWorld()
  const { deps } = world
  const overtaking = async (): Promise<Result<void, never>> => {
    const second = inOtherProcess(deps)
    t.match(expectOk(await rotateKeys(second)), { kid: 2, added: false, rewrapped: 7 })
    t.match(expectOk(await rotateKeys(second)), { kid: 3, added: true, rewrapped: 7 })
    return ok()
  }
  const activate = (kid: number) => deps.keyRing.activate(kid).andThen(() => new ResultAsync(overtaking()))
  const done = expectOk(await rotateKeys({ ...deps, keyRing: { ...deps.keyRing, activate } }))
  t.match(done, { kid: 3, rewrapped: 0 })
  t.strictSame(await rowsByKid(world), { 1: 0, 2: 0, 3: 7 })
})

/** The ports of a machine that has a copy of the key file, whose own new keys differ from those of the other machines. */
function onMachineWithItsOwnFile(world: World): World['deps'] {
  const ring = world.deps.keyRing.beside({ ...world.deps.keyRing.file })
  const checkValue = (kid: number) => (kid === 1 ? ring.checkValue(kid) : new Uint8Array([kid]))
  const keyRing = { ...ring, checkValue }
  return { ...world.deps, ...createFakeCipher({ keyRing }), keyRing }
}

t.test('a machine whose key file lacks a key that another machine has added adds none', async (t) => {
  const world = await createFilledWorld()
  const other = onMachineWithItsOwnFile(world)
  const unfit = { code: 'key_ring_unfit', kid: 2, reason: 'missing' }
  for (const change of [() => world.sotto.addKey(), () => world.sotto.rotateKeys()]) {
    expectOk<unknown, unknown>(await change())
    t.strictSame(expectErr(await rotateKeys(other)), unfit)
    t.strictSame([other.keyRing.kids(), other.keyRing.activeKid()], [[1], 1])
  }
  t.strictSame(await rowsByKid(world), { 1: 0, 2: 7 })
})

t.test(
  'of two machines that add a key under one number at the same time the later one gives its key up',
  async (t) => {
    const world = await createFilledWorld()
    const other = onMachineWithItsOwnFile(world)
    const keys: typeof other.keys = {
      ...other.keys,
      add: (key) =>
        rotateKeys(world.deps)
          .orTee(({ code }) => t.fail(code))
          .orElse(() => ok())
          .andThen(() => other.keys.add(key)),
    }
    const unfit = { code: 'key_ring_unfit', kid: 2, reason: 'wrong' }
    t.strictSame(expectErr(await rotateKeys({ ...other, keys })), unfit)
    t.strictSame([other.keyRing.kids(), other.keyRing.activeKid()], [[1], 1], 'its ring is as before')
    t.strictSame(await rowsByKid(world), { 1: 0, 2: 7 })
  },
)

t.test('a rotation that was killed between the store and the ring finishes both', async (t) => {
  const world = await createFilledWorld()
  const { deps } = world
  const killed = {
    ...deps.keyRing,
    activate: () => errAsync({ code: 'keys_unwritable', detail: 'killed' } as const),
  }
  t.match(expectErr(await rotateKeys({ ...deps, keyRing: killed })), { detail: 'killed' })
  t.strictSame([await rowsByKid(world), deps.keyRing.file.activeKid], [{ 1: 7, 2: 0 }, 1])
  const finished = expectOk(await rotateKeys(inOtherProcess(deps)))
  t.strictSame(finished, { kid: 2, added: false, rewrapped: 7, corrupted: [] })
  t.strictSame([await rowsByKid(world), deps.keyRing.file.activeKid], [{ 1: 0, 2: 7 }, 2])
})

t.test('corrupted rows are reported, left as they are, and do not block a later rotation', async (t) => {
  const world = await createFilledWorld()
  const { deps } = world
  const [row] = [...deps.data.secrets.values()]
  if (row === undefined) throw new Error('no row')
  const { secret } = row
  const headCiphertext = secret.headCiphertext.map((byte, at) =>
    at === 0 ? byte ^ 255 : byte,
  ) as typeof secret.headCiphertext
  deps.data.secrets.set(secret.id, { ...row, secret: { ...secret, headCiphertext } })
  const first = expectOk(await rotateKeys(deps))
  t.match(first, { kid: 2, added: true, corrupted: [{ code: 'data_damaged', id: secret.id }] })
  const second = expectOk(await rotateKeys(deps))
  t.match(second, { kid: 3, added: true, rewrapped: 6, corrupted: [{ id: secret.id }] })
  t.strictSame(deps.data.secrets.get(secret.id)?.secret.headCiphertext, headCiphertext)
})

t.test(
  'more corrupted rows than are read together do not keep the rotation from the rows behind them',
  async (t) => {
    const world = await createWorld()
    const { deps, sotto } = world
    for (let nr = 0; nr < 51; nr += 1) {
      const { id } = expectOk(await sotto.createSecret(newSecret(world)))
      corruptSecret(world, id, 'headCiphertext')
    }
    deps.clock.advance(1_000)
    const sound = expectOk(await sotto.createSecret(newSecret(world)))
    const { corrupted, rewrapped } = expectOk(await rotateKeys(deps))
    t.strictSame([corrupted.length, rewrapped], [51, 3])
    t.equal(deps.data.secrets.get(sound.id)?.secret.kid, 2)
  },
)

t.test('corrupted texts are reported like corrupted secrets', async (t) => {
  const { deps, accountId } = await createFilledWorld()
  const row = deps.data.accounts.get(accountId)!
  const { ciphertext } = row.account.name
  const flipped = ciphertext.map((byte) => byte ^ 255) as typeof ciphertext
  deps.data.accounts.set(accountId, {
    ...row,
    account: { ...row.account, name: { ...row.account.name, ciphertext: flipped } },
  })
  const corrupted = [{ code: 'data_damaged', what: 'account.name', id: accountId }] as const
  t.strictSame(expectOk(await rotateKeys(deps)), { kid: 2, added: true, rewrapped: 6, corrupted })
})

t.test('a ring that cannot be written ends the rotation before anything is under a new key', async (t) => {
  const world = await createFilledWorld()
  world.deps.keyRing.file.usable = false
  t.match(expectErr(await rotateKeys(world.deps)), { code: 'keys_unwritable' })
  t.strictSame(await rowsByKid(world), { 1: 7 })
})

t.test('progress is reported after each batch', async (t) => {
  const { deps } = await createFilledWorld()
  const reported: number[] = []
  const onProgress = ({ kid, rewrapped }: { readonly kid: number; readonly rewrapped: number }) =>
    reported.push(kid * 100 + rewrapped)
  expectOk(await rotateKeys(deps, { onProgress }))
  t.strictSame(reported, [201, 202, 203, 204, 207])
})

interface FilledWorld extends World {
  /** The link of a secret with the password `right`. */
  readonly locked: string
  /** The link of a secret that can be opened once. */
  readonly once: string
  readonly draftId: string
}

async function createFilledWorld(): Promise<FilledWorld> {
  const world = await createWorld()
  const { sotto, accountId } = world
  expectOk(await sotto.setDisplayName({ accountId, displayName: 'Ada' }))
  await addWebhook(world)
  const locked = expectOk(await sotto.createSecret(newSecret(world, { password: 'right' })))
  const once = expectOk(await sotto.createSecret(newSecret(world, { openLimit: 1 })))
  const draft = expectOk(await sotto.saveDraft(newSecret(world, { note: 'a draft’s note' })))
  return { ...world, locked: locked.link.token, once: once.link.token, draftId: draft.id }
}

/** Everything that owners see. */
async function seen({ sotto, accountId }: World): Promise<unknown> {
  return {
    account: expectOk(await sotto.findAccount({ email: 'ada@example.org' })),
    folders: await all(sotto.listFolders({ accountId })),
    secrets: await all(sotto.listSecrets({ accountId })),
    drafts: await all(sotto.listDrafts({ accountId })),
    webhooks: expectOk(await sotto.listWebhooks({ accountId })),
  }
}

async function rowsByKid({ sotto }: World): Promise<Record<number, number>> {
  const status = expectOk(await sotto.keyStatus())
  return Object.fromEntries(status.map(({ kid, rows }) => [kid, rows]))
}

type RotateKeysDeps = Parameters<typeof rotateKeys>[0]
type Rewraps = RotateKeysDeps['rewraps']

/** A store in which something else happens before each replacement of a secret. */
function beforeReplacing(rewraps: Rewraps, happens: (secretId: string) => Promise<void>): Rewraps {
  return {
    ...rewraps,
    replaceSecret: (from, to) =>
      new ResultAsync(happens(from.secret.id).then(() => rewraps.replaceSecret(from, to))),
  }
}

/** Ports of which the call number `step`, counted over all that read or change anything durable, fails and all after it. */
function crashingAt(step: number, deps: RotateKeysDeps): RotateKeysDeps {
  let calls = 0
  const guarded = <Port extends object>(port: Port, names: readonly (keyof Port)[]): Port => {
    const copy: Port = { ...port }
    for (const name of names) {
      const method = port[name] as (...given: unknown[]) => ResultAsync<unknown, unknown>
      const crashing = (...given: unknown[]) => ((calls += 1) >= step ? errAsync(crash) : method(...given))
      Object.assign(copy, { [name]: crashing })
    }
    return copy
  }
  return {
    ...deps,
    keys: guarded(deps.keys, ['known', 'add', 'activate']),
    servers: guarded(deps.servers, ['list']),
    rewraps: guarded(deps.rewraps, ['texts', 'secrets', 'replaceText', 'replaceSecret']),
    keyRing: guarded(deps.keyRing, ['addKey', 'activate']),
  }
}
