import { expectOk, noonMicros } from '@sotto/test-kit'
import type { Encrypted, RequestDigests } from '@sotto/core'
import { test } from 'tap'
import type { Database } from '../../src/database.ts'
import { survivingBytes } from '../support/find-bytes.ts'
import { open, reportNothing, temporaryDir } from '../support/helpers.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import { addFolder } from '../support/rows.ts'
import { survivorsIn } from '../support/search.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** An account with one of everything, and the ciphertexts of it. */
async function addAll(database: Database) {
  const { make, folder } = await addFolder(database)
  const account = make.account()
  expectOk(await database.accounts.insert(account, [make.nameIndex()]))
  const own = make.folder(account.id)
  expectOk(await database.folders.insert(own))
  const [secret, draft] = [make.secret(own), make.draft(own)]
  const [short, long] = [make.note(40), make.note(5_000)]
  expectOk(await database.secrets.insert(secret, short))
  expectOk(await database.secrets.insert(draft, long))
  const token = make.accessToken(account.id)
  expectOk(await database.accessTokens.insert(token, make.tokenDigest()))
  const [digest, password] = [make.tokenDigest(), make.password(account.id)]
  expectOk(await database.invitations.replace(make.invitation(account.id), digest))
  const session = make.session(account.id)
  const spending = { nowMicros: noonMicros, password, session, sessionDigest: make.tokenDigest() }
  expectOk(await database.invitations.spend(digest, spending))
  const address = make.tokenDigest()
  expectOk(await database.signIns.rememberAddress({ accountId: account.id, address, atMicros: 1 }, 10))
  const webhook = make.webhook(account.id)
  expectOk(await database.webhooks.insert(webhook, 5))
  const ciphertexts = {
    secret: [secret.headCiphertext, short.note, short.wrappedKey],
    draft: [draft.headCiphertext, long.wrappedKey, long.note.subarray(0, 16), long.note.subarray(-16)],
    texts: [account.name, own.label, token.name, password.hash, webhook.endpoint].map(
      ({ ciphertext }) => ciphertext,
    ),
  }
  return {
    make,
    folder,
    account,
    own,
    secret,
    draft,
    token,
    password,
    session,
    address,
    webhook,
    ciphertexts,
  }
}

test('destroying a secret, editing a draft and everything of an account leave no ciphertext in any file', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const database = await open(dir, { timers })
  const { make, account, own, secret, draft, ciphertexts } = await addAll(database)
  const left = (bytes: readonly Uint8Array[]) => {
    timers.pass(1_000)
    t.equal(database.erasure.pendingForMillis(), undefined)
    return survivingBytes(dir, bytes.map(hex)).length
  }
  t.ok(database.erasure.finish(), 'so that all of it is in the main file')
  t.equal(left(ciphertexts.secret), 3, 'the search finds what is there')
  t.equal(expectOk(await database.secrets.erase(account.id, secret.id)), true)
  t.equal(left(ciphertexts.secret), 0)

  const edited = { ...draft, headCiphertext: make.ciphertext(70), link: undefined }
  const note = make.note(2_000)
  t.equal(left(ciphertexts.draft), 4)
  t.equal(expectOk(await database.drafts.replace(draft.headCiphertext, edited, note)), true)
  t.equal(left(ciphertexts.draft), 0)
  const rest = [edited.headCiphertext, note.wrappedKey, note.note.subarray(-16), ...ciphertexts.texts]
  t.equal(left(rest), 8, 'what replaces it is there, and so is the rest')

  t.equal(expectOk(await database.accounts.beginErasure(account.id)), true)
  t.equal(left(rest), 6, "at first the account's name, the label, the token's name and the draft remain")
  t.equal(expectOk(await database.accounts.eraseBegun(10)), 3, 'the draft, the folder and the account')
  t.equal(left(rest), 0)
  t.equal(expectOk(await database.folders.owns(account.id, own.id)), false)
  await database.close()
})

test('a name, a label or a password that was replaced is in no file', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const database = await open(dir, { timers })
  const { make, account, own, password, session, ciphertexts } = await addAll(database)
  const text = (length: number): Encrypted => ({ kid: 1, ciphertext: make.ciphertext(length) })
  const next = make.password(account.id)
  const options = { expectedId: password.id, keepSessionId: session.id }
  expectOk(await database.accounts.rename(account.id, text(300), [make.nameIndex()]))
  t.equal(expectOk(await database.folders.relabel(account.id, own.id, text(20))), true)
  t.equal(expectOk(await database.passwords.replace(next, options)), true)
  timers.pass(1_000)
  t.equal(database.erasure.pendingForMillis(), undefined)
  const left = survivingBytes(dir, ciphertexts.texts.map(hex))
  const [, , tokenName, , endpoint] = ciphertexts.texts
  t.same(
    left,
    [tokenName, endpoint].map((text) => hex(text!)),
    'only those that were not replaced',
  )
  await database.close()
})

test("a webhook's address and secret are in no file once it is erased, or its key is rotated", async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const database = await open(dir, { timers })
  const { make, account, webhook } = await addAll(database)
  const other = make.webhook(account.id, { endpoint: { kid: 1, ciphertext: make.ciphertext(300) } })
  expectOk(await database.webhooks.insert(other, 5))
  const needles = [webhook, other].map(({ endpoint }) => hex(endpoint.ciphertext))
  t.ok(database.erasure.finish(), 'so that all of it is in the main file')
  t.same(survivingBytes(dir, needles), needles, 'the search finds what is there')
  t.equal(expectOk(await database.webhooks.erase(account.id, webhook.id)), true)
  t.equal(database.erasure.pendingForMillis(), 0)
  const place = { column: 'webhook.endpoint', accountId: account.id, rowId: other.id } as const
  const rotated = { kid: 1, ciphertext: make.ciphertext(300) }
  const replaced = await database.rewraps.replaceText(
    { place, encrypted: other.endpoint },
    rotated,
    undefined,
  )
  t.equal(expectOk(replaced), true)
  timers.pass(1_000)
  t.same(survivingBytes(dir, needles), [])
  const found = expectOk(await database.webhooks.find(account.id, other.id))
  t.equal(hex(found!.endpoint.ciphertext), hex(rotated.ciphertext))
  await database.close()
})

test('an empty folder is erased with what has expired in it', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const database = await open(dir, { timers })
  const { make, folder } = await addFolder(database)
  const expired = Array.from({ length: 250 }, () => make.secret(folder, 0))
  const notes = expired.map(() => make.note(60))
  const inserted = expired.map((secret, at) => database.secrets.insert(secret, notes[at]!))
  for (const each of await Promise.all(inserted)) expectOk(each)
  t.equal(expectOk(await database.folders.erase(folder.accountId, folder.id, noonMicros)), true)
  timers.pass(1_000)
  const ciphertexts = [
    folder.label.ciphertext,
    ...expired.map(({ headCiphertext }) => headCiphertext),
    ...notes.flatMap(({ note, wrappedKey }) => [note, wrappedKey]),
  ]
  t.same(survivingBytes(dir, ciphertexts.map(hex)), [])
  t.equal(expectOk(await database.folders.erase(folder.accountId, folder.id, noonMicros)), false)
  await database.close()
})

test('erased names and labels are in no file, however many rows grow, move and go', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir, { timers: createManualTimers() })
  const { live, erased } = await useTexts(database)
  t.ok(database.erasure.finish())
  await database.close()
  t.ok(erased.length > 1_500, `${erased.length} ciphertexts were erased`)
  t.equal(survivorsIn(dir, live).size, live.length, 'the search finds every ciphertext that is in use')
  t.same([...survivorsIn(dir, erased)], [])
})

/** Creates, changes, encrypts again and erases folders of all sizes, in an arbitrary order. */
async function useTexts(database: Database): Promise<Record<'live' | 'erased', readonly Uint8Array[]>> {
  const { make, folder } = await addFolder(database)
  const { accountId } = folder
  let seed = 7
  const below = (bound: number) => (seed = (seed * 48_271) % 2_147_483_647) % bound
  const text = (length = 93 + (64 << below(5))): Encrypted => ({
    kid: 1,
    ciphertext: make.ciphertext(length),
  })
  const labels = new Map<string, Encrypted>()
  const erased: Uint8Array[] = []
  const replaced = (id: string, label: Encrypted | undefined) => {
    erased.push(labels.get(id)!.ciphertext)
    if (label === undefined) labels.delete(id)
    else labels.set(id, label)
  }
  const change = async (id: string): Promise<void> => {
    const from = labels.get(id)!
    const place = { column: 'folder.label', accountId, rowId: id } as const
    const [relabeled, rewrapped] = [text(), text(from.ciphertext.length)]
    const way = below(3)
    if (way === 0) expectOk(await database.folders.relabel(accountId, id, relabeled))
    else if (way === 1)
      expectOk(await database.rewraps.replaceText({ place, encrypted: from }, rewrapped, undefined))
    else expectOk(await database.folders.erase(accountId, id, noonMicros))
    replaced(id, [relabeled, rewrapped, undefined][way])
  }

  for (let round = 0; round < 60; round += 1) {
    const added = Array.from({ length: 40 }, () => make.folder(accountId, { label: text() }))
    await Promise.all(added.map((each) => database.folders.insert(each).then(expectOk)))
    for (const { id, label } of added) labels.set(id, label)
    const ids = [...labels.keys()]
    const some = new Set(Array.from({ length: 45 }, () => ids[below(ids.length)]!))
    await Promise.all([...some].map(change))
    expectOk(await database.secrets.eraseExpired(0, 10, reportNothing))
  }
  return { live: [...labels.values()].map(({ ciphertext }) => ciphertext), erased }
}

// Promise (Clients): Nothing of an expired key is left in any file
test('what is stored of a request with an idempotency key is in no file once it is erased', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir, { timers: createManualTimers() })
  const { make, folder } = await addFolder(database)
  const claimed: RequestDigests[] = []
  // As many as fill more than ten pages, an hour's worth of them after the other.
  for (let hour = 0; hour < 30; hour += 1) {
    const some = Array.from({ length: 40 }, () => ({ key: make.bytes(32), request: make.bytes(32) }))
    claimed.push(...some)
    const inserted = some.map((digests) => {
      const secret = make.secret(folder, undefined, { createdAtMicros: hour })
      return database.idempotencyKeys.insertSecret(secret, make.note(40), {
        digests: [digests],
        forgottenByMicros: -1,
      })
    })
    for (const each of await Promise.all(inserted)) t.equal(expectOk(each), true)
    t.equal(expectOk(await database.idempotencyKeys.eraseOld(hour - 24, 1_000)), hour < 24 ? 0 : 40)
  }
  t.ok(database.erasure.finish())
  await database.close()
  const [erased, live] = [claimed.slice(0, 240), claimed.slice(240)]
  const requests = (of: readonly RequestDigests[]) => of.map(({ request }) => request)
  t.equal(survivorsIn(dir, requests(live)).size, live.length, 'the search finds all that are in use')
  t.same([...survivorsIn(dir, requests(erased))], [])
  t.same(
    [
      ...survivorsIn(
        dir,
        erased.map(({ key }) => key),
      ),
    ],
    [],
    'keys',
  )
})
