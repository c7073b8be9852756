import { globSync, readFileSync } from 'node:fs'
import { nilUuid, type Cursor } from '@sotto/core'
import { createStores } from '@sotto/storage-sql'
import { createSamples, expectOk, noonMicros } from '@sotto/test-kit'
import pg from 'pg'
import { after, test } from 'tap'
import { createBatchedReads } from '../../src/connection/batched-reads.ts'
import { createEngine, run } from '../../src/engine/engine.ts'
import { createAccessTokens } from '../../src/access-tokens/access-tokens.ts'
import { createIdempotencyKeys } from '../../src/secrets/idempotency-keys.ts'
import { createLinks } from '../../src/secrets/links.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { eraseSecrets } from '../../src/secrets/erase-secrets.ts'
import { ownSecrets } from '../../src/own-secrets.ts'
import { openStorage, startDatabases } from '../support/databases.ts'
import { createRecorder, type Recorded } from '../support/recorder.ts'
import { addSampleFolder } from '../support/sample-folder.ts'

const databases = await startDatabases()
after(() => databases.stop())

/** The index that each statement reads. */
const indexes: Readonly<Record<string, string>> = {
  secrets_find: 'secrets_pkey',
  secrets_page: 'secrets_by_account',
  secrets_page_of_folder: 'secrets_by_folder',
  secrets_activity: 'secrets_pkey',
  secrets_lock_one: 'secrets_pkey',
  secrets_lock_free: 'secrets_by_expiry',
  secrets_lock_next: 'secrets_by_expiry',
  'DELETE FROM secrets WHERE id = ANY': 'secrets_pkey',
  'DELETE FROM opened_forms': 'opened_forms_pkey',
  'DELETE FROM file_tickets': 'file_tickets_of_secret',
  'SELECT s.attempts': 'secrets_pkey',
  'SELECT s.head = $3': 'secrets_pkey',
  'DELETE FROM secrets AS s': 'secrets_pkey',
  'WHERE account_id = $1 AND expires_at IS NULL AND (created_at': 'drafts_by_account',
  'AND id = $5) AND expires_at IS NULL': 'drafts_by_folder',
  links_find: 'secrets_pkey',
  links_find_with_note: 'secrets_pkey',
  access_tokens_find_usable: 'access_tokens_pkey',
  'FROM idempotency_keys WHERE account_id': 'idempotency_keys_pkey',
  'DELETE FROM idempotency_keys': 'idempotency_keys_by_time',
  'SELECT id FROM files': 'files_pkey',
}

/** Those that a slice of files is read by. */
const indexesOfSlice = ['files_pkey', 'secrets_pkey', 'file_tickets_of_secret']

for (const accounts of [1, 20, 200]) {
  test(`on 20,000 secrets of ${accounts} accounts each statement reads its index, and no list is sorted`, async (t) => {
    const { url, giveBack } = await databases.take()
    await (await openStorage(url)).close()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await addRows(client, accounts)
    const statements = await sentStatements()
    for (const [name, index] of Object.entries(indexes)) {
      const statement = statements.find((each) => each.name === name || each.text.includes(name))
      if (statement === undefined) {
        t.fail(`${name} was not sent`)
        continue
      }
      const plan = await planOf(client, statement)
      t.match(plan, index, name)
      t.notMatch(plan, /Seq Scan on (?:secrets|opened_forms|files|file_tickets|access_tokens)|Sort Key/, name)
    }
    const slice = statements.find(({ text }) => text.includes(') slice'))
    const plan = slice === undefined ? '' : await planOf(client, slice)
    for (const index of indexesOfSlice) t.match(plan, index, 'a slice of files is looked up')
    t.notMatch(plan, /Seq Scan|Sort Key/)
    await client.end()
    giveBack()
  })
}

/** What the methods of the stores send. */
async function sentStatements(): Promise<readonly Recorded[]> {
  const { db, sql, statements } = createRecorder(0)
  const make = createSamples(1)
  const folder = make.folder(make.uuid())
  const { accountId, id: folderId } = folder
  const [secrets, keys] = [createSecrets(db), createIdempotencyKeys(db)]
  const after: Cursor = { createdAtMicros: 1, id: folderId }
  const draft = { ...make.draft(folder), link: undefined }
  await run(sql, eraseSecrets([folderId]))
  const [links, lookup] = [createLinks(db), make.bytes(32)]
  const { drafts, secretFiles } = createStores(createEngine(db), ownSecrets)
  await Promise.all([
    links.find(lookup, 1),
    links.findWithNote(lookup, { nowMicros: 1, evenWithPassword: false }),
    createAccessTokens(db, createBatchedReads(db)).findUsable(lookup, 1),
    secrets.find(accountId, folderId, 1),
    secrets.activity(accountId, folderId),
    secrets.erase(accountId, folderId),
    secrets.eraseExpired(1, 10, () => make.event(accountId)),
    drafts.find(accountId, folderId),
    drafts.erase(accountId, folderId),
    drafts.share({ accountId, id: folderId, expectedHeadCiphertext: draft.headCiphertext }, make.link(), {
      kid: 1,
      headCiphertext: draft.headCiphertext,
      wrappedKey: draft.headCiphertext,
    }),
    ...[{ accountId }, { accountId, folderId }].flatMap((filter) => [
      secrets.page({ ...filter, nowMicros: 1 }, after, 10),
      secrets.overviews({ ...filter, nowMicros: 1 }, after, 10),
      secrets.counts({ ...filter, nowMicros: 1 }),
      drafts.page(filter, after, 10),
    ]),
    keys.find(accountId, [make.bytes(32)], 1),
    keys.eraseOld(1, 10),
    secretFiles.page({ overAtMicros: 1 }, undefined, 10),
  ])
  return statements
}

/** The plan that a prepared statement has on every connection after a few executions, whatever its parameters. */
async function planOf(client: pg.Client, { text }: Recorded): Promise<string> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${text}`)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

/**
 * 20,000 secrets, a tenth of them drafts, in three folders of each account; as many access tokens; files, forms, tickets and idempotency keys
 * for some.
 */
async function addRows(client: pg.Client, accounts: number): Promise<void> {
  const uuid = (group: string, number: string) =>
    `('00000000-0000-7000-${group}-' || lpad(to_hex(${number}), 12, '0'))::uuid`
  const digest = (number: string) => `decode(lpad(to_hex(${number}), 64, '0'), 'hex')`
  const [account, folder] = [uuid('8000', `n % ${accounts}`), uuid('9000', `n % ${accounts} * 3 + n % 3`)]
  const ofLink = (value: string) => `CASE WHEN n % 10 > 0 THEN ${value} END`
  const sealed = `decode(repeat('ab', 200), 'hex')`
  const statements = [
    `INSERT INTO keys VALUES (1, '', 1)`,
    `INSERT INTO accounts SELECT ${account}, n, NULL, NULL, true, true, 1, NULL, '' FROM generate_series(0, ${accounts} - 1) n`,
    `INSERT INTO folders SELECT DISTINCT ON (1) ${folder}, ${account}, n, 1, ''::bytea FROM generate_series(1, 20000) n`,
    `INSERT INTO secrets (id, account_id, folder_id, created_at, link_created_at, expires_at, notify, has_password, kid, lookup, head, wrap, note)
     SELECT ${uuid('a000', 'n')}, ${account}, ${folder}, n, ${ofLink('n')}, ${ofLink('n + 9')}, true, false, 1,
       ${ofLink(digest('n'))}, ${sealed}, ${sealed}, ${sealed} FROM generate_series(1, 20000) n`,
    `INSERT INTO opened_forms SELECT id, ${uuid('b000', 'n')} FROM secrets, generate_series(1, 4) n WHERE created_at <= 5000`,
    `INSERT INTO files (id, account_id, secret_id, nr, shown, kid, about)
     SELECT ${uuid('a000', 'n')}, ${account}, ${uuid('a000', 'n')}, 1, true, 1, ${sealed} FROM generate_series(1, 20000) n`,
    `INSERT INTO file_tickets (digest, secret_id, account_id, expires_at, sealed)
     SELECT ${digest('n')}, ${uuid('a000', 'n')}, ${account}, n, ${sealed} FROM generate_series(1, 20000) n`,
    `INSERT INTO access_tokens (id, account_id, created_at, scopes, kid, name, digest)
     SELECT ${uuid('c000', 'n')}, ${account}, n, '', 1, '', ${digest('n')} FROM generate_series(1, 20000) n`,
    `INSERT INTO idempotency_keys SELECT ${account}, substring(${digest('n')} FROM 17), ${digest('n')}, ${uuid('a000', 'n')}, n FROM generate_series(1, 20000) n`,
    'ANALYZE',
  ]
  for (const statement of statements) await client.query(statement)
}

test('to find no secret takes the reading of one row, whatever the cause', async (t) => {
  const { url, giveBack } = await databases.take()
  const storage = await openStorage(url)
  const { make, folder } = await addSampleFolder(storage)
  const account = make.account()
  const elsewhere = make.folder(account.id)
  expectOk(await storage.accounts.insert(account, [make.nameIndex()]))
  expectOk(await storage.folders.insert(elsewhere))
  const [draft, expired, theirs] = [make.draft(folder), make.secret(folder, 0), make.secret(elsewhere)]
  for (const secret of [theirs, draft, expired]) expectOk(await storage.secrets.insert(secret, make.note()))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { db, statements } = createRecorder()
  expectOk(await createSecrets(db).find(folder.accountId, draft.id, noonMicros))
  await client.query(`PREPARE find AS ${statements[0]?.text}`)
  const causes = {
    draft: draft.id,
    expired: expired.id,
    theirs: theirs.id,
    newer: make.uuid(),
    older: nilUuid,
  }
  for (const [cause, id] of Object.entries(causes)) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE) EXECUTE find('{${id}}', '{${folder.accountId}}', '{${noonMicros}}')`,
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    t.match(plan, 'Rows Removed by Filter: 1', cause)
  }
  await client.end()
  await storage.close()
  giveBack()
})

test('every statement that changes a row of secrets gives it another version', async (t) => {
  const sources = globSync(`${import.meta.dirname}/../../src/**/*.ts`).map((file) =>
    readFileSync(file, 'utf8'),
  )
  const updates = sources.flatMap((source) => source.match(/UPDATE secrets\b[^`]*/g) ?? [])
  t.ok(updates.length >= 4, 'the statements are found')
  for (const update of updates) t.match(update, /version = (?:\w+\.)?version \+ 1/, update)
})
