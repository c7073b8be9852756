import { request, type ClientRequest, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { FileStore, Uuid } from '@sotto/core'
import { createSystemClock, type Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { entriesOf, formsOf } from '../pages/forms.ts'
import { readPage } from '../pages/html.ts'
import { inParts, multipartType } from '../pages/sent-files.ts'
import { startChild, type Child } from '../support/child.ts'
import { formOf, formType } from '../support/form.ts'
import { makePlace, openPlace, type Place } from '../support/place.ts'
import type { CampaignDatabase } from '../support/postgres.ts'

export interface DiskOptions {
  /** How long a file is put into a draft and taken away again, at least. */
  readonly seconds: number
  /** How many uploads arrive at the same time. */
  readonly uploads: number
  /** How many tiny files are tried. */
  readonly tinyFiles: number
  /** SQLite by default. */
  readonly database?: CampaignDatabase | undefined
  /** Uses servers that count a file only once it is there, which the campaign must notice. */
  readonly countsFilesOnly?: boolean
}

export interface DiskOutcome {
  readonly figures: DiskFigures
  readonly violations: readonly string[]
}

export interface DiskFigures {
  quotaBytes: number
  /** How often a file was put into a draft and removed, and the most that was stored meanwhile. */
  edits: number
  editsStoredBytes: number
  uploads: number
  uploadsStoredBytes: number
  tinyFiles: number
  tinyStoredBytes: number
  /** The time until all that was deleted was gone and its bytes were free again. */
  roomBackMillis: number
  /** What was stored when both servers were killed while they received, and what counted then. */
  killedStoredBytes: number
  killedCountedBytes: number
  /** How long other requests took at most. */
  slowestOtherMillis: number
  /** Uploads that were refused because of the disk, and secrets that were created, opened and deleted meanwhile. */
  refusedForDisk: number
  doneOnFullDisk: number
}

const mebibyte = 1024 * 1024
const quotaBytes = 4 * mebibyte

/** The disk has room beyond the quota: for contents that are being dropped while the next ones arrive. */
const settings = { SOTTO_FILES_MAX_BYTES: String(quotaBytes), SOTTO_FILE_MAX_BYTES: String(quotaBytes) }

/** What an owner deletes gives its room back within this. */
const roomBackMaxMillis = 2_000
const othersMaxMillis = 3_000

/** An account against every bound of what it may have on the disk, on two servers of one installation. */
export async function runDiskCampaign(options: DiskOptions): Promise<DiskOutcome> {
  const place = makePlace(undefined, { ...settings, ...(await options.database?.newSettings()) })
  try {
    const outcome = await runOn(place, options)
    return { ...outcome, violations: [...outcome.violations, ...(await leftLater(place))] }
  } finally {
    place.remove()
  }
}

async function runOn(place: Place, options: DiskOptions): Promise<DiskOutcome> {
  const installation = await openPlace(place)
  const stage: Stage = {
    ...(await furnish(installation)),
    place,
    installation,
    options,
    servers: [],
    violations: [],
  }
  const figures = { quotaBytes } as DiskFigures
  try {
    for (let count = 0; count < 2; count += 1) stage.servers.push(await startServer(stage))
    const others = watchOthers(stage)
    await putAndRemove(stage, figures)
    await uploadAtOnce(stage, figures)
    await createTiny(stage, figures)
    await deleteAll(stage, figures)
    figures.slowestOtherMillis = await others.end()
    if (figures.slowestOtherMillis > othersMaxMillis)
      stage.violations.push(`another request took ${figures.slowestOtherMillis} ms`)
    await fillDisk(stage, figures)
    await killWhileReceiving(stage, figures)
  } finally {
    await Promise.all(stage.servers.map(({ child }) => child.end()))
    await installation.close()
  }
  return { figures, violations: stage.violations }
}

interface Stage {
  readonly place: Place
  readonly installation: Installation
  readonly options: DiskOptions
  readonly servers: Server[]
  readonly violations: string[]
  readonly accountId: Uuid
  readonly folderId: Uuid
  readonly token: string
  readonly session: string
}

interface Server {
  readonly child: Child
  readonly origin: string
}

async function furnish({ sotto }: Installation) {
  const invited = expectOk(await sotto.inviteAccount({ email: 'disk@example.org' }))
  const choice = { token: invited.token, password: 'a passphrase for campaigns', address: '127.0.0.1' }
  const { accountId, token: session } = expectOk(await sotto.choosePassword(choice))
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'Folder' }))
  const { token } = expectOk(await sotto.createAccessToken({ accountId, name: 'campaign' }))
  return { accountId, folderId, token, session }
}

async function startServer(
  { place, options }: Pick<Stage, 'place' | 'options'>,
  more: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const { SOTTO_DATABASE_URL: url } = place.env
  const given = { ...settings, ...more, ...(url !== undefined && { SOTTO_DATABASE_URL: url }) }
  const child = startChild({
    program: new URL('./server-process.ts', import.meta.url),
    args: [place.directory, JSON.stringify(given), ...(options.countsFilesOnly ? ['counts-files-only'] : [])],
    env: place.env,
  })
  const { origin } = JSON.parse(await child.line()) as { readonly origin: string }
  return { child, origin }
}

/** How many bytes of contents are stored, whole or not. */
async function storedBytes(contents: Pick<FileStore, 'page'>): Promise<number> {
  return expectOk(await contents.page(undefined, 100_000)).reduce((sum, { length }) => sum + length, 0)
}

/** Looks again and again how much is stored, until it is ended. What was the most. */
function watchStored({ installation }: Stage): { end(): Promise<number> } {
  let [most, isOver] = [0, false]
  const looking = (async () => {
    while (!isOver) {
      most = Math.max(most, await storedBytes(installation.storage.fileContents))
      await pause(20)
    }
  })()
  return {
    async end() {
      isOver = true
      await looking
      return most
    },
  }
}

function expectWithinQuota({ violations }: Stage, what: string, bytes: number): void {
  if (bytes > quotaBytes) violations.push(`${what}: ${bytes} bytes were stored, ${quotaBytes} may be`)
}

/** Others work meanwhile. */
function watchOthers({ servers, token }: Stage): { end(): Promise<number> } {
  let [slowest, isOver] = [0, false]
  const asking = (async () => {
    for (let at = 0; !isOver; at += 1) {
      const begun = performance.now()
      await send({ origin: originOf(servers, at), method: 'GET', path: '/api/folders', token }).answer
      slowest = Math.max(slowest, performance.now() - begun)
      await pause(50)
    }
  })()
  return {
    async end() {
      isOver = true
      await asking
      return Math.round(slowest)
    },
  }
}

function originOf(servers: readonly Server[], at: number): string {
  return servers[at % servers.length]?.origin ?? ''
}

interface Sent {
  readonly origin: string
  readonly method: string
  readonly path: string
  readonly token?: string
  readonly session?: string
  readonly type?: string
  readonly body?: Buffer | string
}

interface Answer {
  /** 0 when none came. */
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

function send({ origin, method, path, token, session, type, body }: Sent): {
  readonly client: ClientRequest
  readonly answer: Promise<Answer>
} {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(session !== undefined && { cookie: `sotto=${session}`, 'sec-fetch-site': 'same-origin' }),
    ...(type !== undefined && { 'content-type': type }),
    ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
  }
  const client = request(new URL(path, origin), { method, headers, agent: false })
  const answer = new Promise<Answer>((resolve) => {
    const none = (): void => resolve({ status: 0, headers: {}, body: '' })
    client.once('error', none).once('close', none)
    client.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      )
      response.once('error', none)
    })
  })
  client.end(body)
  return { client, answer }
}

/** The fewest edits, on a machine however slow: half of them put a mebibyte, twice as much together as the quota. */
const editsMin = 16

/** A file is put into a draft and removed, again and again, on one server after the other. */
async function putAndRemove(stage: Stage, figures: DiskFigures): Promise<void> {
  const { servers, session, folderId, accountId, options } = stage
  const { id } = expectOk(
    await stage.installation.sotto.saveDraft({ accountId, folderId, label: 'Draft', note: 'a note' }),
  )
  const file = { name: 'a file', bytes: Buffer.alloc(mebibyte, 'x') }
  const watching = watchStored(stage)
  const statuses = new Set<number>()
  figures.edits = 0
  const end = performance.now() + 1_000 * options.seconds
  for (; performance.now() < end || figures.edits < editsMin; figures.edits += 1) {
    const origin = originOf(servers, figures.edits)
    const page = await send({ origin, method: 'GET', path: `/drafts/${id}`, session }).answer
    const form = formsOf(readPage(page.body)).find(({ takesFiles }) => takesFiles)
    if (form === undefined) throw new Error('the page of the draft has no form')
    const removed = form.fields.flatMap(({ name, options: [value] }) =>
      name.startsWith('remove-') && value !== undefined ? [[name, value] as const] : [],
    )
    const entries = [...entriesOf(form, 0, new Map()), ...removed]
    const body = inParts(entries, removed.length > 0 ? [] : [file])
    const path = `/drafts/${id}?action=save`
    const { status } = await send({ origin, method: 'POST', path, session, type: multipartType, body }).answer
    statuses.add(status)
  }
  figures.editsStoredBytes = await watching.end()
  expectWithinQuota(stage, 'a file that is put into a draft and removed', figures.editsStoredBytes)
  if (!statuses.has(303)) stage.violations.push(`edits were answered with ${[...statuses].join(', ')} only`)
  await send({ origin: originOf(servers, 0), method: 'POST', path: `/drafts/${id}/delete`, session }).answer
}

/** More uploads than there is room for, of which each waits before its end. */
async function uploadAtOnce(stage: Stage, figures: DiskFigures): Promise<void> {
  const { options, servers } = stage
  await settled(stage)
  const watching = watchStored(stage)
  const body = formOf(secretOf(stage, 'upload'), Buffer.alloc(quotaBytes - 300_000, 'x'))
  const begun = Array.from({ length: options.uploads }, (_, at) =>
    beginUpload(stage, originOf(servers, at), body),
  )
  await pause(1_500)
  for (const { finish } of begun) finish()
  const answers = await Promise.all(begun.map(({ answer }) => answer))
  figures.uploads = begun.length
  figures.uploadsStoredBytes = await watching.end()
  expectWithinQuota(stage, `${begun.length} uploads at once`, figures.uploadsStoredBytes)
  const created = answers.filter(({ status }) => status === 201).length
  if (created > 1) stage.violations.push(`${created} uploads were taken, there is room for one`)
}

/** Sends all of a form but its end. */
function beginUpload({ token }: Stage, origin: string, body: Buffer) {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': formType,
    'content-length': body.length,
  }
  const client = request(new URL('/api/secret', origin), { method: 'POST', headers, agent: false })
  const answer = new Promise<{ readonly status: number }>((resolve) => {
    const none = (): void => resolve({ status: 0 })
    client.once('error', none).once('close', none)
    client.once('response', (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0 })
    })
  })
  client.write(body.subarray(0, -100))
  return { answer, client, finish: () => client.end(body.subarray(-100)) }
}

function secretOf({ folderId }: Pick<Stage, 'folderId'>, label: string): string {
  return JSON.stringify({ label, note: 'a note', folder_id: folderId })
}

/** Files of one byte, until no more is taken. */
async function createTiny(stage: Stage, figures: DiskFigures): Promise<void> {
  const { servers, token, options, installation } = stage
  await deleteSecrets(stage)
  await settled(stage)
  figures.tinyFiles = 0
  for (let at = 0; at < options.tinyFiles; at += 1) {
    const body = formOf(secretOf(stage, `tiny ${at}`), Buffer.alloc(at % 2, 'x'))
    const sent = {
      origin: originOf(servers, at),
      method: 'POST',
      path: '/api/secret',
      token,
      type: formType,
      body,
    }
    const { status } = await send(sent).answer
    if (status === 413) break
    if (status !== 201) stage.violations.push(`a tiny file was answered with ${status}`)
    figures.tinyFiles += 1
  }
  figures.tinyStoredBytes = await storedBytes(installation.storage.fileContents)
  expectWithinQuota(stage, `${figures.tinyFiles} tiny files`, figures.tinyStoredBytes)
  const { usedBytes } = expectOk(await installation.sotto.fileUsage({ accountId: stage.accountId }))
  if (usedBytes < figures.tinyStoredBytes || usedBytes < 4_096 * figures.tinyFiles)
    stage.violations.push(
      `${figures.tinyFiles} tiny files take ${figures.tinyStoredBytes} bytes, and count ${usedBytes}`,
    )
}

async function deleteSecrets({ installation, accountId, servers, token }: Stage): Promise<void> {
  const ids: Uuid[] = []
  for await (const page of installation.sotto.listSecrets({ accountId }))
    ids.push(...expectOk(page).items.map(({ id }) => id))
  for (const [at, id] of ids.entries())
    await send({ origin: originOf(servers, at), method: 'DELETE', path: `/api/secret/${id}`, token }).answer
}

/** Waits until nothing counts and nothing is stored. Resolves to false when that takes too long. */
async function settled({ installation, accountId }: Stage, millis = 3 * roomBackMaxMillis): Promise<boolean> {
  const end = performance.now() + millis
  while (performance.now() < end) {
    const { usedBytes } = expectOk(await installation.sotto.fileUsage({ accountId }))
    if (usedBytes === 0 && (await storedBytes(installation.storage.fileContents)) === 0) return true
    await pause(20)
  }
  return false
}

/** An account that is full is empty again, and its room is there for other files. */
async function deleteAll(stage: Stage, figures: DiskFigures): Promise<void> {
  await deleteSecrets(stage)
  const begun = performance.now()
  const isSettled = await settled(stage)
  figures.roomBackMillis = Math.round(performance.now() - begun)
  if (!isSettled || figures.roomBackMillis > roomBackMaxMillis)
    stage.violations.push(`the room of what was deleted was not back after ${figures.roomBackMillis} ms`)
}

/** Fills the disk of a server that must keep more bytes free than there are: everything works but uploads. */
async function fillDisk(stage: Stage, figures: DiskFigures): Promise<void> {
  ;[figures.refusedForDisk, figures.doneOnFullDisk] = [0, 0]
  // Only where the disk is that of the installation itself.
  if (stage.options.database !== undefined) return
  const server = await startServer(stage, { SOTTO_DISK_RESERVE_BYTES: String(2 ** 40) })
  stage.servers.push(server)
  const { token } = stage
  const body = formOf(secretOf(stage, 'on a full disk'), Buffer.alloc(1_000, 'x'))
  const post = { origin: server.origin, method: 'POST', path: '/api/secret', token }
  for (let at = 0; at < 5; at += 1) {
    const refused = await send({ ...post, type: formType, body }).answer
    if (refused.status === 507) figures.refusedForDisk += 1
    else stage.violations.push(`an upload to a full disk was answered with ${refused.status}`)
    const type = 'application/json'
    const created = await send({ ...post, type, body: secretOf(stage, 'without files') }).answer
    const { data } = JSON.parse(created.body || '{}') as { data?: { id: string; link: { url: string } } }
    if (data === undefined) {
      stage.violations.push(`a secret without files was answered with ${created.status}`)
      continue
    }
    const { pathname } = new URL(data.link.url)
    const opened = await send({ ...post, path: pathname, type, body: '{}' }).answer
    const deleted = await send({ ...post, method: 'DELETE', path: `/api/secret/${data.id}` }).answer
    if (opened.status === 200 && deleted.status === 200) figures.doneOnFullDisk += 1
    else stage.violations.push(`an open and a deletion on a full disk: ${opened.status}, ${deleted.status}`)
  }
}

/** Both servers are killed while they receive. What they leave counts, until it is dropped. */
async function killWhileReceiving(stage: Stage, figures: DiskFigures): Promise<void> {
  const { installation, accountId, servers } = stage
  const body = formOf(secretOf(stage, 'cut off'), Buffer.alloc(mebibyte, 'x'))
  const begun = servers.slice(0, 2).map(({ origin }) => beginUpload(stage, origin, body))
  await pause(1_000)
  await Promise.all(servers.slice(0, 2).map(({ child }) => child.kill()))
  for (const { client } of begun) client.destroy()
  await Promise.all(begun.map(({ answer }) => answer))
  figures.killedStoredBytes = await storedBytes(installation.storage.fileContents)
  figures.killedCountedBytes = expectOk(await installation.sotto.fileUsage({ accountId })).usedBytes
  if (figures.killedCountedBytes < figures.killedStoredBytes)
    stage.violations.push(
      `${figures.killedStoredBytes} bytes are left of killed servers, ${figures.killedCountedBytes} count`,
    )
  if (figures.killedStoredBytes === 0) stage.violations.push('nothing arrived before the servers were killed')
}

/** Five minutes later a sweep drops what the killed servers have left, and it counts no more. */
async function leftLater(place: Place): Promise<readonly string[]> {
  const machine = createSystemClock()
  const clock = { nowMicros: () => machine.nowMicros() + 5 * 60 * 1_000_000 }
  const { sotto, storage, close } = await openPlace(place, { clock })
  expectOk(await sotto.sweepFiles())
  const stored = await storedBytes(storage.fileContents)
  const { fileBytes } = expectOk(await storage.upkeep.countRows())
  await close()
  return stored + fileBytes === 0
    ? []
    : [`five minutes later ${stored} bytes are stored, and ${fileBytes} count`]
}
