// Writes to an installation as a server does, and tells on standard output, before each request and after its answer, a line of JSON:
// what a client would know. Runs under strace, which sees those lines among the writes and fsyncs of the files.
//
// arguments: directory, seed, sessions, rounds of each session, FULL or NORMAL
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  createAccount,
  createFolder,
  createSecret,
  deleteDraft,
  openSecret,
  rotateKeys,
  saveDraft,
  shareDraft,
  type Uuid,
} from '../../../packages/core/src/index.ts'
import type { Installation } from '../../../packages/server/src/installation.ts'
import { createChance } from '../support/chance.ts'
import { openPlace, placeIn } from '../support/place.ts'
import type { Told } from './story.ts'

interface Mine {
  readonly label: string
  readonly openLimit: number
  id: string
  token?: string
  /** Asked for so far. */
  opens: number
  busy: boolean
}

type Ports = Installation['ports']

const [directory = '', seed, sessions, rounds, synchronous] = process.argv.slice(2)
const chance = createChance(Number(seed))
const mine: Mine[] = []
let lastNr = 0
let owner: { readonly accountId: Uuid; readonly folderId: Uuid } | undefined

if (synchronous === 'NORMAL') pretendFull()
for (let session = 1; session <= Number(sessions); session += 1) await runSession(session)

/** Opens the installation, works on it, closes it: so that the log is made, emptied and deleted more than once. */
async function runSession(session: number): Promise<void> {
  const installation = await openPlace(placeIn(directory))
  const { ports, rotation } = installation
  owner ??= await prepare(ports)
  for (let round = 1; round <= Number(rounds); round += 1) {
    const width = chance.between(1, 6)
    await Promise.all(Array.from({ length: width }, () => step(ports)))
    if (round === Math.ceil(Number(rounds) / 2) && session === 2) {
      tell({ rotating: true })
      ;(await rotateKeys(rotation))._unsafeUnwrap()
    }
  }
  if (session < Number(sessions)) await installation.close()
  else installation.erasure.finish()
}

async function prepare(ports: Ports): Promise<{ readonly accountId: Uuid; readonly folderId: Uuid }> {
  const { id: accountId } = (await createAccount(ports, { email: 'power@example.org' }))._unsafeUnwrap()
  const { id: folderId } = (await createFolder(ports, { accountId, label: 'Power' }))._unsafeUnwrap()
  tell({ accountId, folderId })
  return { accountId, folderId }
}

async function step(ports: Ports): Promise<void> {
  const kind = chance.between(1, 100)
  const one = chance.pick(mine.filter(({ busy }) => !busy))
  if (kind <= 45 || one === undefined) return keep(ports, chance.happens(70))
  one.busy = true
  if (one.token !== undefined) await open(ports, one, one.token)
  else if (chance.happens(70)) await share(ports, one)
  else await erase(ports, one)
  one.busy = false
}

async function keep(ports: Ports, shared: boolean): Promise<void> {
  const { accountId, folderId } = owner ?? (await prepare(ports))
  const label = `Secret ${(lastNr += 1)}`
  const note = `${label} ${'x'.repeat(chance.between(1, 3_000))}`
  const openLimit = chance.pick([0, 1, 1, 2, 3]) ?? 0
  const input = { accountId, folderId, label, note, openLimit }
  tell({ asked: shared ? 'create' : 'save', label, note, openLimit })
  if (shared) {
    const { id, link } = (await createSecret(ports, input))._unsafeUnwrap()
    tell({ done: 'create', label, id, token: link.token })
    mine.push({ label, openLimit, id, token: link.token, opens: 0, busy: false })
  } else {
    const { id } = (await saveDraft(ports, input))._unsafeUnwrap()
    tell({ done: 'save', label, id })
    mine.push({ label, openLimit, id, opens: 0, busy: false })
  }
}

async function share(ports: Ports, one: Mine): Promise<void> {
  const { label, id } = one
  const { accountId } = owner ?? (await prepare(ports))
  tell({ asked: 'share', label })
  const { link } = (await shareDraft(ports, { accountId, id }))._unsafeUnwrap()
  tell({ done: 'share', label, id, token: link.token })
  one.token = link.token
}

async function erase(ports: Ports, one: Mine): Promise<void> {
  const { label, id } = one
  const { accountId } = owner ?? (await prepare(ports))
  tell({ asked: 'delete', label })
  ;(await deleteDraft(ports, { accountId, id }))._unsafeUnwrap()
  tell({ done: 'delete', label })
  mine.splice(mine.indexOf(one), 1)
}

async function open(ports: Ports, one: Mine, token: string): Promise<void> {
  const { label, openLimit } = one
  one.opens += 1
  if (openLimit > 0 && one.opens >= openLimit) mine.splice(mine.indexOf(one), 1)
  tell({ asked: 'open', label })
  ;(await openSecret(ports, { token }))._unsafeUnwrap()
  tell({ done: 'open', label })
}

/** Written at once, and seen by strace where it stands among the other writes. */
function tell(told: Told): void {
  writeSync(1, `${JSON.stringify(told)}\n`)
}

/** For the control: a database that says FULL where it was told so, and does NORMAL. */
function pretendFull(): void {
  const require = createRequire(new URL('../../../packages/adapter-sqlite/package.json', import.meta.url))
  const { prototype } = require('better-sqlite3') as { prototype: { pragma(...given: unknown[]): unknown } }
  const { pragma } = prototype
  const deceived = new WeakSet()
  prototype.pragma = function (this: object, source, ...options) {
    if (source === 'synchronous' && deceived.has(this)) return 2
    if (source !== 'synchronous = 2') return pragma.call(this, source, ...options)
    deceived.add(this)
    return pragma.call(this, 'synchronous = 1', ...options)
  }
}
