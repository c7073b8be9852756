// The straight line on PostgreSQL: as the one on SQLite (sqlite.ts), on a database that the server has made. Calls that arrive together, or
// while a statement is under way, share the next one. SOTTO_DATABASE_URL and the settings of the other.
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { makeUuid, rowsUnder, tokenDigest, uuidOf, type Row } from './rows.ts'
import { dayMicros, limits, minuteMicros, openedText, secretText, serve, setting, type NewSecret, type Windows } from './wire.ts' // prettier-ignore

interface Client {
  connect(): Promise<unknown>
  on(event: 'error', listener: () => void): void
  query(query: {
    name: string
    text: string
    values: readonly unknown[]
    rowMode: 'array'
  }): Promise<{ rows: unknown[][] }>
}

/** The driver of the adapter, which alone depends on it. */
const pg = createRequire(new URL('../../../../packages/adapter-postgres/package.json', import.meta.url))(
  'pg',
) as {
  readonly Client: new (config: object) => Client
  readonly types: { setTypeParser(oid: number, parse: (text: string) => unknown): void }
}
pg.types.setTypeParser(20, Number)

/** A connection of its own for each kind of write: one waits for the disk while the others work. A connection that breaks ends the process. */
async function connect(commits: 'on' | 'off'): Promise<Client> {
  const client = new pg.Client({ connectionString: setting('DATABASE_URL'), pipeline: true })
  client.on('error', () => process.exit(1))
  await client.connect()
  await ask(client, 'commits', `SELECT set_config('synchronous_commit', $1, false)`, [commits])
  return client
}

async function ask<R extends unknown[]>(
  client: Client,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<R[]> {
  return (await client.query({ name, text, values, rowMode: 'array' })).rows as R[]
}

const [reader, inserter, opener, counter] = await Promise.all([
  connect('on'),
  connect('on'),
  connect('on'),
  connect('off'),
])

/** The database's clock: it counts on with the steady clock of this machine. */
async function look(): Promise<void> {
  const before = performance.now()
  const [row] = await ask<[number]>(
    reader,
    'now',
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint',
    [],
  )
  ahead = (row?.[0] ?? 0) - ((before + performance.now()) / 2) * 1000
}

let ahead = 0
await look()
setInterval(() => void look(), 60_000).unref()
const nowMicros = (): number => Math.floor(performance.now() * 1000 + ahead)

interface Waiting<Call, Answer> {
  readonly call: Call
  readonly done: (answer: Answer) => void
  readonly failed: (error: unknown) => void
}

/** Calls that wait are run together, one group at a time. When the database refuses a group, each call is run alone. */
function together<Call, Answer>(
  sizeMax: number,
  run: (calls: readonly Call[]) => Promise<readonly Answer[]>,
): (call: Call) => Promise<Answer> {
  const waiting: Waiting<Call, Answer>[] = []
  let isRunning = false

  async function runAll(batch: readonly Waiting<Call, Answer>[]): Promise<void> {
    try {
      const answers = await run(batch.map(({ call }) => call))
      for (const [at, { done }] of batch.entries()) done(answers[at] as Answer)
    } catch (error) {
      if (batch.length === 1) batch[0]?.failed(error)
      else for (const one of batch) await runAll([one])
    }
  }

  async function start(): Promise<void> {
    const batch = waiting.splice(0, sizeMax)
    await runAll(batch)
    isRunning = waiting.length > 0
    if (isRunning) setImmediate(() => void start())
  }

  return (call) =>
    new Promise((done, failed) => {
      waiting.push({ call, done, failed })
      if (isRunning) return
      isRunning = true
      setImmediate(() => void start())
    })
}

interface Reading<Call> {
  readonly name: string
  /** The rows begin with the number of the question that they answer, from 1 on. */
  readonly text: string
  /** Calls with the same key share a question. */
  readonly keyOf: (call: Call) => string
  readonly valuesOf: (calls: readonly Call[]) => readonly unknown[]
}

function readTogether<Call, R extends unknown[]>({
  name,
  text,
  keyOf,
  valuesOf,
}: Reading<Call>): (call: Call) => Promise<R | undefined> {
  return together(128, async (calls) => {
    const nrs = new Map<string, number>()
    const asked = calls.filter((call) => !nrs.has(keyOf(call)) && nrs.set(keyOf(call), nrs.size + 1))
    const found = await ask<[number, ...R]>(reader, name, text, valuesOf(asked))
    const byNr = new Map(found.map(([nr, ...row]) => [nr, row as unknown as R]))
    return calls.map((call) => byNr.get(nrs.get(keyOf(call)) ?? 0))
  })
}

/** Arrays behind a SELECT hide their length, so that a plan is made once. */
function unnest(first: number, ...types: readonly string[]): string {
  return `unnest(${types.map((type, at) => `(SELECT $${first + at}::${type}[])`).join(', ')})`
}

const [key] = await ask<[number]>(reader, 'kid', 'SELECT max(kid) FROM keys WHERE NOT read_only', [])
const [meta] = await ask<[Buffer]>(reader, 'meta', 'SELECT instance_id FROM sotto', [])
const [kid, instanceId] = [key?.[0] ?? 0, meta?.[0] ?? Buffer.alloc(0)]
const rows = rowsUnder(setting('KEYS_FILE'), instanceId, kid)

// Access tokens and the quota.

const findToken = readTogether<
  Buffer,
  [
    isUsable: boolean,
    expiresAt: number | null,
    id: string,
    accountId: string,
    scopes: string,
    usedAt: number | null,
  ]
>({
  name: 'token',
  text: `SELECT asked.nr, found.* FROM ${unnest(1, 'bytea')} WITH ORDINALITY AS asked (digest, nr) CROSS JOIN LATERAL (
    SELECT t.digest = asked.digest AND t.revoked_at IS NULL AND a.disabled_at IS NULL AND a.name_index IS NOT NULL,
      t.expires_at, t.id, t.account_id, t.scopes, t.last_used_at
    FROM access_tokens t JOIN accounts a ON a.id = t.account_id
    WHERE t.id = coalesce((SELECT id FROM access_tokens WHERE digest = asked.digest),
      (SELECT id FROM access_tokens ORDER BY id LIMIT 1)) LIMIT 1) found`,
  keyOf: (digest) => digest.toString('latin1'),
  valuesOf: (digests) => [digests],
})
const usedAtOf = new Map<string, number>()

async function callerOf(token: string): Promise<{ accountId: string; scopes: string } | undefined> {
  const now = nowMicros()
  const [isUsable, expiresAt, id = '', accountId = '', scopes = '', usedAt] =
    (await findToken(tokenDigest(token))) ?? []
  if (isUsable !== true || (expiresAt ?? Infinity) <= now) return undefined
  if (now - (usedAtOf.get(id) ?? usedAt ?? 0) >= minuteMicros) {
    usedAtOf.set(id, now)
    void ask(inserter, 'use', 'UPDATE access_tokens SET last_used_at = $1 WHERE id = $2', [now, id])
  }
  return { accountId, scopes }
}

const runs = (window: string, micros: number): string =>
  `excluded.${window}_start - quota.${window}_start < ${micros}`
const left = (window: string, micros: number, limit: string): string =>
  `${limit}::bigint - CASE WHEN ${runs(window, micros)} THEN quota.${window}_count ELSE 0 END`
const taken = `greatest(least(excluded.taken, ${left('minute', minuteMicros, '$5')}, ${left('day', dayMicros, '$6')}), 0)`
// A window that is further ahead than it is long begins now, because the clock was set back.
const counted = (window: string, micros: number): string => `
  ${window}_start = CASE WHEN (${runs(window, micros)} OR ${taken} = 0) AND quota.${window}_start - excluded.${window}_start <= ${micros}
    THEN quota.${window}_start ELSE excluded.${window}_start END,
  ${window}_count = CASE WHEN ${runs(window, micros)} OR ${taken} = 0 THEN quota.${window}_count ELSE 0 END + ${taken}`
const takeText = `INSERT INTO quota (bucket, minute_start, minute_count, day_start, day_count, taken, is_address)
  SELECT bucket, at, asked, at, asked, asked, is_address
    FROM ${unnest(1, 'text', 'bigint', 'bigint', 'boolean')} AS v (bucket, at, asked, is_address) ORDER BY bucket
  ON CONFLICT (bucket) DO UPDATE SET taken = ${taken}, ${counted('minute', minuteMicros)}, ${counted('day', dayMicros)}
  RETURNING bucket, taken, minute_start, minute_count, day_start, day_count`

/** Counts a call. Those of a bucket that wait together are counted as one, and each has its own answer. */
const takeQuota = together<string, { isTaken: boolean; windows: Windows }>(500, async (buckets) => {
  const calls = new Map<string, number>()
  const places = buckets.map((bucket) => {
    const place = (calls.get(bucket) ?? 0) + 1
    calls.set(bucket, place)
    return place
  })
  const [names, now] = [[...calls.keys()], nowMicros()]
  const asked = names.map((name) => Math.min(calls.get(name) ?? 0, limits.perMinute, limits.perDay))
  const values = [names, names.map(() => now), asked, names.map((name) => name.startsWith('address/'))]
  const found = await ask<[string, number, ...Windows]>(counter, 'quota', takeText, [
    ...values,
    limits.perMinute,
    limits.perDay,
  ])
  const byBucket = new Map(found.map(([bucket, ...row]) => [bucket, row]))
  return buckets.map((bucket, at) => {
    const [taken = 0, minuteStart = now, minute = 0, dayStart = now, day = 0] = byBucket.get(bucket) ?? []
    const later = Math.max(0, taken - (places[at] ?? 0))
    return {
      isTaken: (places[at] ?? 0) <= taken,
      windows: [minuteStart, minute - later, dayStart, day - later],
    }
  })
})

// Secrets.

const secretColumns = `s.id, s.folder_id, s.created_at, s.open_limit, s.notify OR s.has_password, s.kid, s.head, encode(s.lookup, 'hex'),
  s.link_created_at, s.expires_at`

type SecretRow = [string, string, number, number | null, boolean, number, Buffer, string, number, number]

function rowOf(
  accountId: string,
  [id, folderId, createdAt, openLimit, , kid, , lookup, linkCreatedAt, expiresAt]: SecretRow,
): Row {
  // prettier-ignore
  return { id, accountId, folderId, kid, openLimit, lookup, createdAt, linkCreatedAt, expiresAt }
}

interface Wanted {
  readonly accountId: string
  readonly id: string
  readonly now: number
}

const findSecret = readTogether<Wanted, SecretRow>({
  name: 'secret',
  text: `SELECT asked.nr, found.* FROM ${unnest(1, 'uuid', 'uuid', 'bigint')} WITH ORDINALITY AS asked (id, account_id, at, nr)
    CROSS JOIN LATERAL (SELECT ${secretColumns} FROM secrets s
      WHERE s.id = coalesce((SELECT id FROM secrets WHERE id = asked.id), (SELECT id FROM secrets ORDER BY id DESC LIMIT 1))
        AND (s.id = asked.id AND s.account_id = asked.account_id AND s.expires_at > asked.at) IS TRUE LIMIT 1) found`,
  keyOf: ({ accountId, id, now }) => `${accountId} ${id} ${now}`,
  valuesOf: (calls) => [
    calls.map(({ id }) => id),
    calls.map(({ accountId }) => accountId),
    calls.map(({ now }) => now),
  ],
})

async function get(accountId: string, id: string): Promise<string | undefined> {
  const found = await findSecret({ accountId, id, now: nowMicros() })
  if (found === undefined) return undefined
  const row = rowOf(accountId, found)
  const { label, token } = rows.decryptHead(row, found[6])
  return secretText(row, label, token)
}

const ownsFolder = readTogether<Omit<Wanted, 'now'>, []>({
  name: 'folder',
  text: `SELECT asked.nr FROM ${unnest(1, 'uuid', 'uuid')} WITH ORDINALITY AS asked (id, account_id, nr) CROSS JOIN LATERAL
    (SELECT FROM folders f WHERE f.id = asked.id AND f.account_id = asked.account_id LIMIT 1) found`,
  keyOf: ({ accountId, id }) => `${accountId} ${id}`,
  valuesOf: (calls) => [calls.map(({ id }) => id), calls.map(({ accountId }) => accountId)],
})

const columns = 'kid, id, account_id, folder_id, created_at, link_created_at, expires_at, open_limit, notify, has_password, lookup, head, wrap, note' // prettier-ignore

/** All rows are under one key, which stays writable until the statement ends. Without it, the first row breaks its foreign key. */
const insert = together<readonly unknown[], undefined>(64, async (batch) => {
  const row = (nr: number): string => `(${batch[0]?.map((_, at) => `$${14 * nr + at + 1}`).join()})`
  const writable = 'coalesce((SELECT kid FROM keys WHERE kid = $1 AND NOT read_only FOR KEY SHARE), 0)'
  const values = batch
    .map((_, nr) => row(nr))
    .join()
    .replace('$1,', () => `${writable},`)
  await ask(
    inserter,
    `insert_${batch.length}`,
    `INSERT INTO secrets (${columns}) VALUES ${values}`,
    batch.flat(),
  )
  return batch.map(() => undefined)
})

async function create(accountId: string, secret: NewSecret): Promise<string | undefined> {
  const folderId = secret.folder_id.toLowerCase()
  if ((await ownsFolder({ accountId, id: folderId })) === undefined) return undefined
  const [createdAt, fresh] = [nowMicros(), randomBytes(116)]
  const [idBytes, token, expiresAt] = [
    fresh.subarray(0, 16),
    fresh.subarray(16, 48),
    createdAt + 30 * dayMicros,
  ]
  makeUuid(idBytes, createdAt)
  rows.makeLinkToken(token, createdAt)
  const [id, lookup] = [uuidOf(idBytes.toString('hex')), rows.lookupOf(token)]
  const openLimit = secret.open_limit === undefined || secret.open_limit === 0 ? null : secret.open_limit
  const times = { createdAt, linkCreatedAt: createdAt, expiresAt }
  const row = { id, accountId, folderId, kid, openLimit, lookup: lookup.toString('hex'), ...times }
  const { head, wrap, note } = rows.encryptSecret(row, { ...secret, token }, fresh.subarray(48))
  await insert([kid, id, accountId, folderId, createdAt, createdAt, expiresAt, openLimit, false, false, lookup, head, wrap, note]) // prettier-ignore
  return secretText(row, secret.label, token.toString('base64url'))
}

let standIn = '00000000-0000-0000-0000-000000000000'

const hasAccount = '(SELECT name_index IS NOT NULL FROM accounts WHERE id = s.account_id)'
/** When no row has the lookup, the row that was found last is read instead, so that finding nothing costs the same. */
const findLink = readTogether<
  { lookup: Buffer; now: number },
  [wrap: Buffer, note: Buffer, account: string, ...SecretRow]
>({
  name: 'link',
  text: `SELECT asked.nr, found.* FROM ${unnest(2, 'bytea', 'bigint')} WITH ORDINALITY AS asked (lookup, at, nr)
    CROSS JOIN LATERAL (SELECT CASE WHEN NOT s.has_password THEN s.wrap END, CASE WHEN NOT s.has_password THEN s.note END,
        s.account_id, ${secretColumns} FROM secrets s
      WHERE s.id = coalesce((SELECT id FROM secrets WHERE lookup = asked.lookup), $1::uuid)
        AND ${hasAccount}::integer & (s.lookup = asked.lookup)::integer & (s.wrap IS NOT NULL)::integer
          & (s.expires_at > asked.at)::integer = 1 LIMIT 1) found`,
  keyOf: ({ lookup }) => lookup.toString('latin1'),
  valuesOf: (calls) => [standIn, calls.map(({ lookup }) => lookup), calls.map(({ now }) => now)],
})

const times = `coalesce(s.open_times, ''::bytea) || v.times`
/** The rows are locked in the order of their ids, so that two processes do not wait for each other forever. */
const countText = `UPDATE secrets s SET version = s.version + 1, opens = s.opens + v.calls,
    open_times = substring(${times} FROM greatest(length(${times}) - 800 + 1, 1)),
    wrap = CASE WHEN s.opens + v.calls = s.open_limit THEN NULL ELSE s.wrap END,
    note = CASE WHEN s.opens + v.calls = s.open_limit THEN NULL ELSE s.note END
  FROM (SELECT v.* FROM ${unnest(1, 'uuid', 'bigint', 'bytea', 'bigint')} AS v (id, calls, times, at)
    JOIN secrets l ON l.id = v.id ORDER BY l.id FOR UPDATE OF l) v
  WHERE s.id = v.id AND s.wrap IS NOT NULL AND s.expires_at > v.at AND ${hasAccount}
    AND s.opens + v.calls <= coalesce(s.open_limit, s.opens + v.calls) RETURNING s.id, s.opens`

interface Claim {
  readonly row: Row
  readonly openedAt: number
}

/** Counts opens. How many are left; `undefined` when it cannot be opened any more. Of a link with a limit one at a time. */
const claim = together<Claim, number | null | undefined>(256, async (claims) => {
  const left: (number | null | undefined)[] = claims.map(() => undefined)
  const numbered = claims.map((claim, at) => ({ ...claim, at }))
  for (let rest = numbered; rest.length > 0;) {
    const links = [...Map.groupBy(rest, ({ row }) => row.id).values()]
    const now = links.map((calls) => (calls[0]?.row.openLimit === null ? calls : calls.slice(0, 1)))
    const opensOf = new Map(await ask<[string, number]>(opener, 'count', countText, [
      now.map(([first]) => first?.row.id),
      now.map((calls) => calls.length),
      now.map((calls) => timesOf(calls)),
      now.map(([first]) => first?.openedAt),
    ])) // prettier-ignore
    for (const { row, at } of now.flat()) {
      const opens = opensOf.get(row.id)
      left[at] = opens === undefined || row.openLimit === null ? opens && null : row.openLimit - opens
    }
    rest = links.flatMap((calls, at) => calls.slice(now[at]?.length))
  }
  return left
})

function timesOf(calls: readonly Claim[]): Buffer {
  const bytes = Buffer.allocUnsafe(8 * calls.length)
  for (const [at, { openedAt }] of calls.entries()) bytes.writeBigInt64BE(BigInt(openedAt), 8 * at)
  return bytes
}

/** Decrypts, counts the open durably, and only then answers. */
async function open(token: Buffer, isAbandoned: () => boolean): Promise<string | undefined> {
  const found = await findLink({ lookup: rows.lookupOf(token), now: nowMicros() })
  if (found === undefined) return undefined
  const [wrap, note, accountId, ...columns] = found
  if (columns[4]) throw new Error('passwords and messages are not on the straight line')
  const row = rowOf(accountId, columns)
  standIn = row.id
  const plain = rows.decryptSecret(row, columns[6], wrap, note)
  if (isAbandoned()) return ''
  const left = await claim({ row, openedAt: nowMicros() })
  return left === undefined ? undefined : openedText(row, plain.label, plain.note, left)
}

await serve({ addressBucket: rows.addressBucket, callerOf, create, get, nowMicros, open, takeQuota })
