import { join } from 'node:path'
import type { ShareableSecret } from '@sotto/core'
import { isoMicros } from '@sotto/wire'
import t, { type Test } from 'tap'
import { openInstallation } from '../../src/installation/installation.ts'
import {
  addOwner,
  addSecret,
  cheapCrypto,
  codeOf,
  startTestServer,
  type Owner,
  type TestServer,
} from '../support/installation.ts'
import { openRaw, type RawDatabase } from '../support/raw-sqlite.ts'

const note = 'the right note'
const label = 'the right label'

interface Stage {
  readonly server: TestServer
  readonly owner: Owner
  readonly file: RawDatabase
  readonly secret: ShareableSecret
  readonly other: ShareableSecret
  /** The number of the row of `secret`. */
  readonly nr: number
  readonly url: string
  readonly expiresAt: string
}

/** A server, two secrets with passwords, and write access to the file. */
async function stage(t: Test): Promise<Stage> {
  const cwd = t.testdir()
  const server = await startTestServer(t, cwd, { replace: { createCrypto: cheapCrypto } })
  const owner = await addOwner(server.installation)
  const row = { label, note, password: 'pass', openLimit: 5 }
  const secret = await addSecret(server.installation, owner, row)
  const other = await addSecret(server.installation, owner, { ...row, label: 'other', note: 'other' })
  const file = openRaw(join(cwd, 'data', 'sotto.sqlite'))
  for (const pragma of ['foreign_keys = OFF', 'ignore_check_constraints = ON', 'busy_timeout = 2000'])
    file.pragma(pragma)
  t.teardown(() => file.close())
  const { nr } = file.prepare(`SELECT nr FROM secrets WHERE id = ${hex(secret.id)}`).get() as { nr: number }
  const url = `${server.baseUrl}/${secret.link.token}`
  return { server, owner, file, secret, other, nr, url, expiresAt: isoMicros(secret.expiresAtMicros) }
}

/** What the secret looks like over HTTP: fetched by its owner, in the owner's list, and opened by its recipient. */
async function look({ server, owner: { token }, secret }: Stage) {
  const answer = async (response: Promise<Response>) => {
    const { status } = await response
    const { data } = (await (await response).json()) as {
      data?: Record<string, unknown> | Record<string, unknown>[]
    }
    return { status, data }
  }
  const opening = {
    method: 'POST',
    body: JSON.stringify({ password: 'pass' }),
    headers: { accept: 'application/json' },
  }
  return {
    owned: await answer(server.call(`/api/secret/${secret.id}`, { token })),
    listed: await answer(server.call('/api/secrets', { token })),
    opened: await answer(server.call(`/${secret.link.token}`, opening)),
  }
}

type Look = Awaited<ReturnType<typeof look>>

function hex(id: string): string {
  return `x'${id.replaceAll('-', '')}'`
}

const nrOf = ({ nr }: Stage) => String(nr)

/** Columns that a secret's ciphertexts are bound to, with an edit of each. */
const boundEdits: Readonly<Record<string, (at: Stage) => string>> = {
  account_id: ({ owner }) =>
    `account_id = ${hex(owner.accountId.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')))}`,
  folder_id: () => `folder_id = x'${'ab'.repeat(16)}'`,
  created_at: () => 'created_at = created_at + 1',
  'expires_at and link_created_at': () =>
    'expires_at = expires_at + 86400000000, link_created_at = link_created_at + 86400000000',
  link_created_at: () => 'link_created_at = link_created_at - 1',
  expires_at: () => 'expires_at = expires_at + 86400000000',
  'open_limit to none': () => 'open_limit = NULL',
  'open_limit to zero': () => 'open_limit = 0',
  'open_limit to more': () => 'open_limit = 6',
  has_password: () => 'has_password = 0',
  kid: () => 'kid = 2',
  lookup: () => `lookup = x'${'cd'.repeat(32)}'`,
  id: () => `id = x'${'ef'.repeat(16)}'`,
}

// Promise (Sealed at rest): An edited column of a secret is detected and not used
t.test('after an edit of a column that a secret is bound to, nobody gets the secret', async (t) => {
  for (const [column, edit] of Object.entries(boundEdits)) {
    await t.test(column, async (t) => {
      const at = await stage(t)
      at.file.exec(`UPDATE secrets SET ${edit(at)} WHERE nr = ${nrOf(at)}`)
      const seen = await look(at)
      // The key may be one that has yet to be copied to this server.
      const refusal = column === 'kid' ? 503 : 500
      for (const [way, { status, data }] of Object.entries(seen)) {
        if (way !== 'listed') t.ok([404, refusal].includes(status), `${way}: ${status}`)
        if (status === 200) t.notMatch(JSON.stringify(data), at.secret.link.token, 'it is not in the list')
      }
      if (Object.values(seen).every(({ status }) => status !== refusal)) return
      const codes = new Set(errorsIn(at).map(({ code }) => code))
      t.same([...codes], [column === 'kid' ? 'key_unknown' : 'data_damaged'])
    })
  }
})

// Promise (Sealed at rest): A flipped byte in a ciphertext is detected
t.test('a flipped byte in a ciphertext is a 500, and the log names row and column', async (t) => {
  const at = await stage(t)
  const table = 'ciphertexts'
  for (const column of ['head', 'wrap', 'note']) {
    const { bytes } = at.file
      .prepare(`SELECT ${column} AS bytes FROM ${table} WHERE nr = ${nrOf(at)}`)
      .get() as { bytes: Buffer }
    const put = (value: Buffer) =>
      at.file.prepare(`UPDATE ${table} SET ${column} = ? WHERE nr = ${nrOf(at)}`).run(value)
    // Version, nonce, the first and the last encrypted byte, and the tag.
    for (const place of [0, 1, 12, 13, bytes.length - 17, bytes.length - 16, bytes.length - 1]) {
      at.server.log.length = 0
      const flipped = Buffer.from(bytes)
      flipped[place] = flipped[place]! ^ 1
      put(flipped)
      const { owned, listed, opened } = await look(at)
      const where = `byte ${place} of ${column}`
      t.equal(opened.status, 500, where)
      t.notOk(opened.data, where)
      t.equal(owned.status, column === 'head' ? 500 : 200, where)
      t.equal(listed.status, 200, where)
      t.equal(JSON.stringify(listed.data).includes(at.secret.id), column !== 'head', where)
      t.match(
        errorsIn(at).at(-1),
        { code: 'data_damaged', what: `secret.${column}`, id: at.secret.id },
        where,
      )
    }
    put(bytes)
    t.strictSame(statusesOf(await look(at)), [200, 200, 200], 'with the original byte it is readable')
    at.file.exec(`UPDATE secrets SET opens = 0 WHERE nr = ${nrOf(at)}`)
  }
})

// Promise (Sealed at rest): No change of the file makes anybody get a wrong text
t.test('whatever is changed in any column, nobody ever gets a wrong text', async (t) => {
  const at = await stage(t)
  /** By which ways the secret was still seen. A list leaves a corrupted row out. */
  const outcomes: Record<string, readonly string[]> = {}
  for (const table of ['secrets', 'ciphertexts', 'accounts', 'folders', 'access_tokens', 'keys', 'meta']) {
    const columns = at.file.pragma(`table_info(${table})`) as { name: string; type: string }[]
    const where = ['secrets', 'ciphertexts'].includes(table) ? `WHERE nr = ${nrOf(at)}` : ''
    for (const { name, type } of columns) {
      const read = at.file.prepare(`SELECT rowid AS row, ${name} AS value FROM ${table} ${where} LIMIT 1`)
      const { row, value } = read.get() as { row: number; value: unknown }
      const put = (put: unknown) =>
        at.file.prepare(`UPDATE OR IGNORE ${table} SET ${name} = ? WHERE rowid = ?`).run(put, row)
      // Rows are found by these columns.
      if (name === 'nr' || name === 'one' || put(changed(value, type)).changes === 0) continue
      const seen = await look(at)
      outcomes[`${table}.${name}`] = Object.entries(seen)
        .filter(([, { status, data }]) => status === 200 && !(Array.isArray(data) && data.length < 2))
        .map(([way]) => way)
      for (const [way, { status, data }] of Object.entries(seen)) {
        if (status !== 200) continue
        const entries = Array.isArray(data) ? data.filter(({ id }) => id === at.secret.id) : [data]
        for (const entry of entries) t.equal(entry?.['label'], label, `${table}.${name}: ${way}`)
        if (way === 'opened') t.match(data, { note, expires_at: at.expiresAt }, `${table}.${name}`)
        else
          for (const entry of entries) t.match(entry, { link: { url: at.url } }, `${table}.${name}: ${way}`)
      }
      put(value)
      at.file.exec(`UPDATE secrets SET opens = 0 WHERE nr = ${nrOf(at)}`)
    }
  }
  t.ok(Object.keys(outcomes).length > 35, `${Object.keys(outcomes).length} columns`)
  t.strictSame(statusesOf(await look(at)), [200, 200, 200], 'with the original values all is readable')
  for (const column of [
    'ciphertexts.head',
    'secrets.open_limit',
    'secrets.expires_at',
    'secrets.kid',
    'secrets.has_password',
  ])
    t.strictSame(outcomes[column], [], column)
})

function changed(value: unknown, type: string): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).fill(value[0]! ^ 1, 0, 1)
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string') return `${value}x`
  return type === 'INTEGER' ? 1 : type === 'BLOB' ? Buffer.alloc(16) : 'x'
}

t.test('after a change of a check value, no further process starts', async (t) => {
  const at = await stage(t)
  at.file.exec('UPDATE keys SET check_value = zeroblob(length(check_value))')
  const { settings } = at.server.installation
  t.equal(
    await codeOf(openInstallation({ settings, onFatal: () => undefined, log: () => undefined })),
    'key_wrong',
  )
})

t.test('with write access to the file, opens and locks can be undone, as SECURITY.md says', async (t) => {
  const at = await stage(t)
  for (let opens = 0; opens < 3; opens += 1) t.equal((await look(at)).opened.status, 200)
  at.file.exec(`UPDATE secrets SET opens = 0, notify = 1, attempts = NULL WHERE nr = ${nrOf(at)}`)
  const { opened } = await look(at)
  t.match(opened, { status: 200, data: { note, opens_left: 4 } })
})

function statusesOf({ owned, listed, opened }: Look): readonly number[] {
  return [owned.status, listed.status, opened.status]
}

/** The errors in the log, oldest first. */
function errorsIn({ server: { log } }: Stage): readonly Record<string, unknown>[] {
  const lines = log.map((line) => JSON.parse(line) as { error?: Record<string, unknown> })
  return lines.flatMap(({ error }) => (error === undefined ? [] : [error]))
}
