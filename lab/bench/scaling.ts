// Measures what lab/scaling.md computes with, on PostgreSQL, and simulates how processes compete for one row. Prints Markdown.
//
//     npm run bench scaling -- [--rows N] [--millis N]
import { optionsFrom } from '../campaigns/support/command.ts'
import { addOwner } from '../campaigns/support/owner.ts'
import { makePlace, openPlace } from '../campaigns/support/place.ts'
import { startPostgres } from '../campaigns/support/postgres.ts'
import { rowsOf } from '../../packages/adapter-postgres/test/support/server.ts'
import type { Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { compare } from './scaling/compare.ts'

const { rows, millis } = optionsFrom({ rows: 20_000, millis: 4_000 })
const database = await startPostgres()
const settings = await database.newSettings()
const url = settings['SOTTO_DATABASE_URL'] ?? ''
const place = makePlace(undefined, settings)
try {
  const installation = await openPlace(place)
  const tokens = await measureRows(installation)
  await installation.close()
  await compare({ title: 'opens of one link', kind: 'open', targets: tokens, place, url, millis })
  const buckets = tokens.map((_, at) => `account ${at}`)
  await compare({ title: 'calls of one account', kind: 'take', targets: buckets, place, url, millis })
} finally {
  place.remove()
  await database.stop()
}

/** Creates secrets and prints the bytes of each in every relation, and in the write-ahead log. Returns the tokens of four links. */
async function measureRows({ sotto }: Installation): Promise<readonly string[]> {
  const { accountId, folderId } = await addOwner(sotto)
  const note = 'user: app\npassword: correct horse battery staple'
  const create = () => sotto.createSecret({ accountId, folderId, label: 'Database, staging', note })
  const [before = ''] = (await rowsOf(url, 'SELECT pg_current_wal_insert_lsn()'))[0] ?? []
  for (let made = 0; made < rows; made += 500)
    for (const created of await Promise.all(Array.from({ length: 500 }, create))) expectOk(created)
  const [wal = 0] =
    (await rowsOf(url, `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '${before}')`))[0] ?? []
  console.log(`${rows} secrets with a note of ${note.length} bytes\n\n| bytes a secret | |\n| --- | ---: |`)
  const relations = await rowsOf(
    url,
    `SELECT c.relname, pg_relation_size(c.oid) FROM pg_class c WHERE c.relname = 'secrets'
     OR c.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'secrets'::regclass) ORDER BY c.relname`,
  )
  for (const [name = '', bytes = 0] of relations)
    console.log(`| ${name} | ${Math.round(Number(bytes) / rows)} |`)
  const [total = 0] = (await rowsOf(url, `SELECT pg_total_relation_size('secrets')`))[0] ?? []
  console.log(`| together | ${Math.round(Number(total) / rows)} |`)
  console.log(`| write-ahead log | ${Math.round(Number(wal) / rows)} |\n`)
  const created = await Promise.all([create(), create(), create(), create()])
  return created.map((each) => expectOk(each).link.token)
}
