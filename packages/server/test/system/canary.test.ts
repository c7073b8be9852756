import { findFreePort } from '@sotto/system'
import { join } from 'node:path'
import { secretLifetimeMicros } from '@sotto/core'
import { createFullSotto } from '@sotto/identity'
import { dashboardRoutes } from '@sotto/dashboard-fastify'
import { apiRoutes, linkRoutes } from '@sotto/http-fastify'
import { createManualClock, expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { backUpInstallation, restoreInstallation } from '../../src/storage/backups.ts'
import type { InstallationOptions } from '../../src/installation/installation.ts'
import { startServer } from '../../src/serving/server.ts'
import { fetched, openLink, upload } from '../support/files.ts'
import {
  addDraft,
  addOwner,
  addSecret,
  cheapCrypto,
  startTestServer,
  type Owner,
  type TestServer,
} from '../support/installation.ts'
import { openRaw, withRaw } from '../support/raw-sqlite.ts'
import { filesIn } from '../support/tree.ts'
import { createCanaries, needlesOf, sendEverywhere, type Canaries, type Targets } from './support/canaries.ts'
import { plainCrypto } from './support/plain-crypto.ts'
import { hitsIn, hitsInText, type Needles } from './support/search.ts'

type CreateCrypto = NonNullable<InstallationOptions['replace']>['createCrypto']

/** What was found in the files after each step, and in the log at the end. */
interface Search {
  readonly hits: Readonly<Record<string, readonly string[]>>
  readonly logHits: readonly string[]
  /** How many answers of each status there were. */
  readonly statuses: ReadonlyMap<number, number>
}

/** Does everything that can be done with confidential data, and searches every file after each step. */
async function useAndSearch(t: Test, createCrypto: CreateCrypto): Promise<Search> {
  const cwd = t.testdir()
  const clock = createManualClock(noonMicros)
  const server = await startTestServer(t, cwd, { replace: { clock, ...(createCrypto && { createCrypto }) } })
  const { installation } = server
  const { sotto, settings } = installation
  const canaries = createCanaries()
  // Nothing leaves the write-ahead log before it is searched.
  const reader = openRaw(join(cwd, 'data', 'sotto.sqlite'))
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM accounts').get()
  const { email, folderLabel: folder, tokenName, label, note, password } = canaries
  const owner = await addOwner(installation, { email, folder, token: tokenName })
  const { accountId, folderId } = owner
  const revoked = expectOk(await sotto.createAccessToken({ accountId, name: tokenName }))
  expectOk(await sotto.revokeAccessToken({ accountId, id: revoked.id }))

  const plain = await addSecret(installation, owner, { label, note })
  const longNote = { label, note: note.repeat(500), openLimit: 1, password }
  const single = await addSecret(installation, owner, longNote)
  const draft = await addDraft(installation, owner, { label, note, password })
  const shared = expectOk(await sotto.shareDraft({ accountId, id: draft.id }))
  await addDraft(installation, owner, { label, note })
  // The calls destroy this one.
  const called = await addSecret(installation, owner, { label, note })
  const visitor = await signInAndOut(installation, canaries)
  const sent = await sendFiles(installation, owner, canaries)
  const needles = needlesOf(canaries, {
    access: [owner.token, revoked.token],
    link: [plain, single, shared, called, sent.secret].map(({ link }) => link.token),
    opaque: [...visitor.tokens, sent.ticket],
    fileKeys: sent.keys,
  })

  const hits: Record<string, readonly string[]> = {}
  const search = (step: string): void => void (hits[step] = hitsIn(filesIn(cwd), needles))
  search('created')
  reader.close()
  installation.storage.erasure.finish()
  search('created, write-ahead log emptied')
  expectOk(await sotto.openSecret({ token: single.link.token, password }))
  search('opened')
  const port = Number(new URL(server.baseUrl).port)
  const { sessionToken, invitationToken } = visitor
  const callers = { accessToken: owner.token, revokedToken: revoked.token, sessionToken, invitationToken }
  const targets = { port, canaries, folderId, ...callers, ticket: sent.ticket }
  const statuses = new Map(
    await sendEverywhere({ ...targets, secretId: called.id, linkToken: shared.link.token }),
  )
  search('called')
  const file = join(cwd, 'one.backup')
  const onBackUp = (): void => search('while a backup is made')
  expectOk(await backUpInstallation({ settings, file, clock, onProgress: onBackUp }))
  search('backed up')
  const onRestore = (): void => search('while a backup is restored')
  const restored = await restoreInstallation({
    settings: { ...settings, dataDir: join(cwd, 'elsewhere') },
    file,
    keepLimited: true,
    keepTokens: true,
    clock,
    onProgress: onRestore,
  })
  expectOk(restored)
  search('restored')
  expectOk(await sotto.rotateKeys())
  expectOk(await sotto.retireKey({ kid: 1 }))
  search('rotated')
  clock.advance(secretLifetimeMicros)
  search('expired')
  clock.advance(11 * 60_000_000)
  expectOk(await sotto.sweepExpired())
  expectOk(await sotto.sweepFiles({ withOrphans: true }))
  search('swept')
  const survivor = await addSecret(installation, owner, { label, note })
  const survivingTargets = { ...targets, secretId: survivor.id, linkToken: survivor.link.token }
  await breakAndCall(server, { cwd, targets: survivingTargets, statuses })
  search('broken')
  return { hits, logHits: hitsInText(server.log.join(''), needles), statuses }
}

/** Shares a secret with a file, opens it for the last time, and fetches the file; a draft with one stays. */
async function sendFiles(
  installation: TestServer['installation'],
  owner: Owner,
  { label, note, fileName: name, fileContent }: Canaries,
) {
  const content = Buffer.concat([
    Buffer.alloc(70_000, 'a'),
    Buffer.from(fileContent),
    Buffer.alloc(5_000, 'b'),
  ])
  const files = [{ name, type: 'application/pdf', content }]
  const { sotto } = installation
  const [shared, kept] = [await upload(installation, owner, files), await upload(installation, owner, files)]
  const { accountId, folderId } = owner
  const input = { accountId, folderId, label, note }
  const secret = expectOk(await sotto.createSecret({ ...input, openLimit: 1, upload: shared }))
  expectOk(await sotto.saveDraft({ ...input, upload: kept }))
  const opened = await openLink(installation, secret)
  await fetched(installation, opened)
  const keys = [shared, kept].flatMap((each) => each.files.map(({ key }) => key))
  return { secret, keys, ticket: opened.attached?.ticket ?? '' }
}

/** Chooses a password by a one-time link, signs in, fails to, and leaves a session and a one-time link behind. */
async function signInAndOut(
  { sotto }: TestServer['installation'],
  { email, accountPassword, wrongPassword, address }: Canaries,
) {
  const invited = expectOk(await sotto.inviteAccount({ email }))
  const choice = { token: invited.token, password: accountPassword, address }
  const chosen = expectOk(await sotto.choosePassword(choice))
  const ended = expectOk(await sotto.signIn({ email, password: accountPassword, address }))
  expectOk(await sotto.endSession({ accountId: ended.accountId, id: ended.id }))
  expectErr(await sotto.signIn({ email, password: wrongPassword, address }))
  const reset = expectOk(await sotto.resetAccount({ email }))
  const tokens = [invited, chosen, ended, reset].map(({ token }) => token)
  return { sessionToken: chosen.token, invitationToken: reset.token, tokens }
}

/** Calls with a corrupted row, with defects, and with a closed database: the server logs what fails in it. */
async function breakAndCall(
  server: TestServer,
  {
    cwd,
    targets,
    statuses,
  }: { readonly cwd: string; readonly targets: Targets; readonly statuses: Map<number, number> },
): Promise<void> {
  withRaw(join(cwd, 'data', 'sotto.sqlite'), (db) =>
    db.exec('UPDATE ciphertexts SET head = zeroblob(length(head))'),
  )
  const calls = [await sendEverywhere(targets)]
  calls.push(await callDefective(server, targets))
  await server.installation.close()
  calls.push(await sendEverywhere(targets))
  for (const [status, count] of calls.flatMap((each) => [...each]))
    statuses.set(status, (statuses.get(status) ?? 0) + count)
}

/** Calls a server with defects whose messages quote their input. */
async function callDefective(
  { installation, log }: TestServer,
  targets: Targets,
): Promise<ReadonlyMap<number, number>> {
  const { settings, ports } = installation
  const quote = (): never => {
    throw new TypeError(`cannot read ${JSON.stringify(targets)}`)
  }
  const port = await findFreePort()
  const defective = {
    ...ports,
    secrets: { ...ports.secrets, find: quote, page: quote, insert: quote },
    links: { find: quote, findWithNote: quote, update: quote },
  }
  const started = await startServer({
    installation: {
      ...installation,
      settings: { ...settings, port },
      ports: defective,
      sotto: createFullSotto({ ports: defective, policy: settings.policy }),
    },
    logStream: { write: (line: string) => void log.push(line) },
    stopMillis: 200,
  })
  const server = expectOk(started)
  try {
    return await sendEverywhere({ ...targets, port })
  } finally {
    await server.stop()
  }
}

// Promise (Sealed at rest): No confidential text is in any file or in the log, after any operation
t.test('no confidential text is in any file or in the log, whatever is done with it', async (t) => {
  const { hits, logHits, statuses } = await useAndSearch(t, cheapCrypto)
  t.equal(Object.keys(hits).length, 12)
  for (const [step, found] of Object.entries(hits)) t.strictSame(found, [], step)
  t.strictSame(logHits, [])
  for (const status of [200, 201, 303, 400, 401, 403, 404, 405, 413, 414, 415, 431, 500, 503])
    t.ok(statuses.has(status), `a call was answered with ${status}: ${[...statuses.keys()].sort().join(' ')}`)
})

// Promise (Sealed at rest): No confidential text is in any file or in the log, after any operation: and the search would find it
t.test('without encryption the same steps leave all of it in the files', async (t) => {
  const { hits } = await useAndSearch(t, plainCrypto)
  const found = new Set(Object.values(hits).flat())
  const kinds = [
    'email',
    'tokenName',
    'folderLabel',
    'label',
    'note',
    'password',
    'link token 0',
    'link token 0, raw',
    'accountPassword',
    'address',
    'opaque token 1, raw',
    'opaque token 3, raw',
    'opaque token 4, raw',
    'fileName',
    'file key 0',
  ]
  for (const kind of [...kinds, 'access token 0, a part'])
    for (const file of ['sotto.sqlite', 'sotto.sqlite-wal', 'one.backup'])
      t.ok(found.has(`${kind} in ${file}`), `${kind} in ${file}`)
  const contents = [...found].filter((hit) => /^fileContent in [-0-9a-f]{36}$/.test(hit))
  t.ok(contents.length >= 2, 'the contents of two files, and those that were sent in calls')
  t.ok(found.has('fileContent in one.backup'))
})

t.test('a usual log of requests contains all of it', async (t) => {
  const server = await startTestServer(t, t.testdir(), { replace: { createCrypto: cheapCrypto } })
  const { installation } = server
  const { sotto } = installation
  const canaries = createCanaries()
  const owner = await addOwner(installation)
  const { label, note, password } = canaries
  const secret = await addSecret(installation, owner, { label, note, password })
  const port = await findFreePort()
  const lines: string[] = []
  const logger = { level: 'trace', stream: { write: (line: string) => lines.push(line) } }
  const app = Fastify({ logger })
  app.addHook('preHandler', (request, _reply, done) => {
    request.log.trace({ headers: request.headers, body: String(request.body) })
    done()
  })
  const origins = { baseUrl: server.baseUrl, linkBaseUrl: server.baseUrl }
  await app.register(apiRoutes, { prefix: '/api', sotto, ...origins })
  await app.register(linkRoutes, { sotto, ...origins })
  await app.register(dashboardRoutes, { sotto, ...origins })
  await app.listen({ host: '127.0.0.1', port })
  t.teardown(() => app.close())
  const { token: accessToken, folderId } = owner
  const linkToken = secret.link.token
  const { sessionToken, invitationToken, tokens } = await signInAndOut(installation, {
    ...canaries,
    email: 'ann@example.org',
  })
  const callers = { accessToken, revokedToken: 'x', sessionToken, invitationToken, ticket: linkToken }
  await sendEverywhere({ port, canaries, folderId, secretId: secret.id, linkToken, ...callers })
  const { accountPassword } = canaries
  const needles: Needles = needlesOf(
    { label, note, password, accountPassword },
    { access: [accessToken], link: [linkToken], opaque: tokens },
  )
  const found = hitsInText(lines.join(''), needles)
  for (const kind of [
    ...['label', 'note', 'password', 'access token 0', 'link token 0'],
    // The paths of one-time links are in no log, whatever its level.
    ...['accountPassword', 'opaque token 1'],
  ])
    t.ok(found.includes(kind), kind)
})
