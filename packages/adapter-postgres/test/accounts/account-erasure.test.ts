import type { Uuid } from '@sotto/core'
import type { FullOpenStorage } from '@sotto/identity'
import { createStores, type Engine } from '@sotto/storage-sql'
import { createIdentityStores } from '@sotto/storage-sql/identity'
import { expectOk, noonMicros, type Samples } from '@sotto/test-kit'
import type { ResultAsync } from 'neverthrow'
import pg from 'pg'
import { after, test, type Test } from 'tap'
import { createEngine } from '../../src/engine/engine.ts'
import { ownSecrets } from '../../src/own-secrets.ts'
import { besideTransaction } from '../support/blocking.ts'
import { openStorage, startDatabases } from '../support/databases.ts'
import { openDatabase, watched } from '../support/raw.ts'
import { addSampleFolder } from '../support/sample-folder.ts'

const databases = await startDatabases()
after(() => databases.stop())

interface Opened {
  readonly url: string
  readonly storage: FullOpenStorage
  readonly make: Samples
  readonly accountId: Uuid
}

/** A storage with an account. */
async function open(t: Test): Promise<Opened> {
  const { url, giveBack } = await databases.take()
  const storage = await openStorage(url)
  t.teardown(async () => {
    await storage.close()
    giveBack()
  })
  const { make, folder } = await addSampleFolder(storage)
  return { url, storage, make, accountId: folder.accountId }
}

/** How many rows of an account a table has. */
async function countOf(url: string, table: string, accountId: Uuid): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const text = `SELECT count(*)::integer AS count FROM ${table} WHERE account_id = $1`
    const { rows } = await client.query<{ count: number }>(text, [accountId])
    return rows[0]?.count ?? 0
  } finally {
    await client.end()
  }
}

test('the beginning of an erasure erases the deliveries that were being added while it waited', async (t) => {
  const { url, storage, make, accountId } = await open(t)
  // As `OutboxStore.distribute` does.
  const distribute = [
    `SELECT id FROM accounts WHERE id = '${accountId}' AND name_index IS NOT NULL FOR KEY SHARE`,
    `INSERT INTO targets (kind, id, account_id) VALUES ('mail', '${accountId}', '${accountId}')`,
    `INSERT INTO deliveries (id, target_kind, target_id, event_id, event_type, account_id, secret_id, folder_id, event_at,
      opens, expires_at, joins, due_at)
     VALUES ('${make.uuid()}', 'mail', '${accountId}', '${make.uuid()}', 'secret.opened', '${accountId}', '${make.uuid()}',
      '${make.uuid()}', 1, 1, 2, false, 1)`,
  ]
  const begun = await besideTransaction(url, distribute, () => storage.accounts.beginErasure(accountId))
  t.equal(expectOk(begun), true)
  for (const table of ['targets', 'deliveries']) t.equal(await countOf(url, table, accountId), 0, table)
})

test('the beginning of an erasure erases the remembered requests that were being added while it waited', async (t) => {
  const { url, storage, make, accountId } = await open(t)
  const bytes = `decode(repeat('07', 32), 'hex')`
  const claim = `INSERT INTO idempotency_keys (account_id, key, request, secret_id, claimed_at)
    VALUES ('${accountId}', substring(${bytes} FROM 1 FOR 16), ${bytes}, '${make.uuid()}', 1)`
  expectOk(await besideTransaction(url, [claim], () => storage.accounts.beginErasure(accountId)))
  t.equal(await countOf(url, 'idempotency_keys', accountId), 0)
})

type Code = ResultAsync<unknown, { readonly code: string }>

interface Addition {
  readonly table: string
  /** How the statement begins that adds the row, or locks what it refers to, after the account was found to be there. */
  readonly statement: string
  /** How many rows the account has left when it is being erased; none by default. */
  readonly left?: number
  /** Prepares the account, then returns the call that adds a row. */
  readonly prepare: (opened: Opened) => Promise<(engine: Engine) => Code>
}

const additions: readonly Addition[] = [
  {
    table: 'access_tokens',
    statement: 'INSERT INTO access_tokens',
    prepare: async ({ make, accountId }) =>
      Promise.resolve((engine) =>
        createIdentityStores(engine).accessTokens.insert(make.accessToken(accountId), make.tokenDigest()),
      ),
  },
  {
    table: 'folders',
    statement: 'INSERT INTO folders',
    left: 1,
    prepare: async ({ make, accountId }) =>
      Promise.resolve((engine) => createStores(engine, ownSecrets).folders.insert(make.folder(accountId))),
  },
  {
    table: 'webhooks',
    statement: 'INSERT INTO webhooks',
    prepare: async ({ make, accountId }) =>
      Promise.resolve((engine) =>
        createStores(engine, ownSecrets).webhooks.insert(make.webhook(accountId), 5),
      ),
  },
  {
    table: 'welcomes',
    statement: 'INSERT INTO welcomes',
    prepare: async ({ make, accountId }) =>
      Promise.resolve((engine) =>
        createIdentityStores(engine).invitations.replace(make.invitation(accountId), make.tokenDigest()),
      ),
  },
  {
    table: 'known_addresses',
    statement: 'INSERT INTO known_addresses',
    prepare: async ({ make, accountId }) => {
      const known = { accountId, address: make.bytes(32), atMicros: noonMicros }
      return Promise.resolve((engine) => createIdentityStores(engine).signIns.rememberAddress(known, 5))
    },
  },
  {
    table: 'sessions',
    statement: 'INSERT INTO sessions',
    prepare: async (opened) => {
      const { make, accountId } = opened
      const { passwordId } = await addPassword(opened)
      return (engine) =>
        createIdentityStores(engine).sessions.insert(make.session(accountId), make.tokenDigest(), passwordId)
    },
  },
  {
    table: 'passwords',
    statement: 'SELECT 1 FROM sessions',
    prepare: async (opened) => {
      const { make, accountId } = opened
      const { passwordId: expectedId, sessionId: keepSessionId } = await addPassword(opened)
      return (engine) =>
        createIdentityStores(engine).passwords.replace(make.password(accountId), {
          expectedId,
          keepSessionId,
        })
    },
  },
]

async function addPassword({
  storage,
  make,
  accountId,
}: Opened): Promise<{ readonly passwordId: Uuid; readonly sessionId: Uuid }> {
  const digest = make.tokenDigest()
  expectOk(await storage.invitations.replace(make.invitation(accountId), digest))
  const password = make.password(accountId)
  const [session, sessionDigest] = [make.session(accountId), make.tokenDigest()]
  expectOk(
    await storage.invitations.spend(digest, { nowMicros: noonMicros, password, session, sessionDigest }),
  )
  return { passwordId: password.id, sessionId: session.id }
}

for (const { table, statement, left = 0, prepare } of additions) {
  test(`an erasure that begins after a transaction found the account lets it add nothing to ${table}`, async (t) => {
    const opened = await open(t)
    const { url, storage, accountId } = opened
    const add = await prepare(opened)
    const db = openDatabase(url)
    t.teardown(() => db.close())
    let begun = 0
    const between = watched(db, async (sent) => {
      if (sent.text.startsWith(statement) && begun === 0) {
        begun += 1
        expectOk(await storage.accounts.beginErasure(accountId))
      }
      return sent
    })
    const added = await add(createEngine(between))
    t.equal(begun, 1)
    if (added.isErr()) t.equal(added.error.code, 'account_not_found')
    else t.not(added.value, true)
    t.equal(await countOf(url, table, accountId), left)
  })
}
