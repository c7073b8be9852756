import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Ciphertext, Uuid } from '@sotto/core'
import { expectErr, expectOk } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { ok } from 'neverthrow'
import { test } from 'tap'
import { uuidBytes } from '../../src/engine/codec.ts'
import { survivingBytes } from '../support/find-bytes.ts'
import { open, temporaryDir } from '../support/helpers.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import { addFolder } from '../support/rows.ts'
import { survivorsIn } from '../support/search.ts'

/** A database with so many secrets, each opened three times: tickets that end one after the other. */
async function withTickets(dir: string, count: number, timers = createManualTimers()) {
  const database = await open(dir, { timers })
  const { make, folder } = await addFolder(database)
  const tickets = []
  for (let at = 0; at < count; at += 1) {
    const secret = make.secret(folder)
    expectOk(await database.secrets.insert(secret, make.note()))
    const sealed = [0, 1, 2].map(() => randomBytes(150 + ((at * 37) % 300)) as Uint8Array as Ciphertext)
    for (const [nr, each] of sealed.entries()) {
      const ticket = make.ticket({ sealed: each, expiresAtMicros: 3 * at + nr })
      expectOk(
        await database.links.update(secret.link.lookup, undefined, () => ok({ opens: nr + 1, ticket })),
      )
    }
    tickets.push({ secret, sealed })
  }
  return { database, folder, tickets }
}

test('tickets that ended are in no file once the log was emptied', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const { database, tickets } = await withTickets(dir, 2, timers)
  const needles = tickets.flatMap(({ sealed }) => sealed.map((bytes) => Buffer.from(bytes).toString('hex')))
  t.equal(survivingBytes(dir, needles).length, 6, 'the search finds what is there')
  t.ok(database.erasure.finish())
  for (const [until, count, pending] of [
    [-1, 0, undefined],
    [0, 1, 0],
    [3, 3, 0],
  ] as const) {
    t.equal(expectOk(await database.secretFiles.eraseTickets(until, 10)), count)
    t.equal(database.erasure.pendingForMillis(), pending)
    timers.pass(1_000)
    t.equal(database.erasure.pendingForMillis(), undefined)
  }
  t.same(survivingBytes(dir, needles), needles.slice(4))
  await database.close()
})

test('tickets leave nothing in any file, in whatever order their secrets are destroyed', async (t) => {
  const dir = temporaryDir(t)
  const { database, folder, tickets } = await withTickets(dir, 300)
  const order = tickets.map((_, at) => (at * 7919) % tickets.length)
  for (const at of order.slice(0, 290))
    expectOk(await database.secrets.erase(folder.accountId, tickets[at]!.secret.id))
  t.ok(database.erasure.finish())
  await database.close()
  const erased = order.slice(0, 290).flatMap((at) => tickets[at]!.sealed)
  t.equal(survivorsIn(dir, erased).size, 0)
  const left = order.slice(290).flatMap((at) => tickets[at]!.sealed)
  t.equal(survivorsIn(dir, left).size, left.length, 'the search finds what is there')
})

test('files that are over are found among thousands, each once', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { make, folder } = await addFolder(database)
  const secret = make.secret(folder)
  expectOk(await database.secrets.insert(secret, make.note()))
  const file = new Sqlite(join(dir, 'sotto.sqlite'))
  const uuid = (number: number): Uuid => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
  const over = [0, 999, 1_000, 1_999, 2_000, 2_499]
  const insert = file.prepare<[Buffer, Buffer, Buffer]>(
    'INSERT INTO files (id, account_id, secret_id, nr, shown, kid, about_nr) VALUES (?, ?, ?, 1, 0, 1, 0)',
  )
  file.transaction(() => {
    for (let at = 0; at < 2_500; at += 1)
      insert.run(
        uuidBytes(uuid(at)),
        uuidBytes(secret.accountId),
        uuidBytes(over.includes(at) ? uuid(at) : secret.id),
      )
  })()
  file.close()
  const page = async (after: Uuid | undefined, limit: number) =>
    expectOk(await database.secretFiles.page({ overAtMicros: 1 }, after, limit)).map(({ id }) => id)
  let isTurn = false
  setImmediate(() => (isTurn = true))
  t.same(await page(undefined, 100), over.map(uuid))
  t.ok(isTurn, 'other work gets its turn meanwhile')
  t.same(await page(undefined, 2), over.slice(0, 2).map(uuid))
  t.same(await page(uuid(999), 3), over.slice(2, 5).map(uuid))
  t.same(await page(uuid(2_499), 3), [])
  const reading = database.secretFiles.page({ overAtMicros: 1 }, undefined, 100)
  await database.close()
  t.equal(expectErr(await reading).code, 'storage_unavailable')
})
