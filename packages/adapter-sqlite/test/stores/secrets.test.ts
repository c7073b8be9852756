import { join } from 'node:path'
import { openTimesMax } from '@sotto/core'
import { expectOk, linkRecordOf, noonMicros, noteBehind } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { ok } from 'neverthrow'
import { test, type Test } from 'tap'
import { open, temporaryDir } from '../support/helpers.ts'
import { addLink, type AddedLink } from '../support/rows.ts'

test('open times are stored in the row of the secret, the latest hundred, whatever bytes they have', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { secret } = await addLink(database)
  const { accountId, id, link } = secret
  // Zero bytes, the highest ones, and bytes that are no UTF-8.
  const odd = [0, 1, 255, 65_280, Number.MAX_SAFE_INTEGER, 0x00c3_28ff_fe80, -1]
  const times = [...odd, ...Array.from({ length: openTimesMax }, (_, at) => noonMicros + at)]
  const stored = async () => expectOk(await database.secrets.activity(accountId, [id]))[0]?.openedAtMicros
  t.same(await stored(), [])
  for (const [at, openedAtMicros] of times.entries()) {
    expectOk(await database.links.update(link.lookup, undefined, () => ok({ opens: at + 1, openedAtMicros })))
    if (at === odd.length - 1) t.same(await stored(), odd)
  }
  t.same(await stored(), times.slice(-openTimesMax))
  const file = new Sqlite(join(dir, 'sotto.sqlite'), { readonly: true })
  t.equal(file.prepare('SELECT length(open_times) FROM secrets').pluck().get(), 8 * openTimesMax)
  file.close()
  await database.close()
})

/** Adds forms that have claimed an open of the secret. */
function addForms(t: Test, dir: string, { secret }: AddedLink, count: number): Sqlite.Database {
  const file = new Sqlite(join(dir, 'sotto.sqlite'))
  t.teardown(() => file.close())
  const add = file.prepare(
    'INSERT INTO opened_forms (nr, form_id) SELECT nr, randomblob(16) FROM secrets WHERE lookup = ?',
  )
  file.transaction(() => {
    for (let form = 0; form < count; form += 1) add.run(secret.link.lookup)
  })()
  return file
}

test('a secret with many forms is destroyed in small batches, and its note with the first one', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const added = await addLink(database)
  const { secret } = added
  const file = addForms(t, dir, added, 4_500)
  const forms = file.prepare<[], number>('SELECT count(*) FROM opened_forms').pluck()
  const erasing = database.secrets.erase(secret.accountId, secret.id)
  const seen: number[] = [forms.get()!]
  while (forms.get()! > 0) {
    expectOk(await database.upkeep.canWrite())
    seen.push(forms.get()!)
    t.equal(await noteBehind(database, secret.link.lookup), undefined, 'its link finds nothing')
  }
  const most = Math.max(...seen.slice(1).map((count, at) => seen[at]! - count))
  t.ok(most <= 2 * 2_000, `another write waits for the erasure of ${most} forms at most`)
  t.equal(expectOk(await erasing), true)
  t.equal(await linkRecordOf(database, secret.link.lookup), undefined)
  t.equal(expectOk(await database.secrets.erase(secret.accountId, secret.id)), false)
  await database.close()
})
