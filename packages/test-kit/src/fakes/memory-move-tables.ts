import { attemptsOf, attemptsText, scopesOf, scopesText, type MovedTableName } from '@sotto/core'
import type { DeliveryRow, MemoryData, SecretRow } from './memory-data.ts'
import { deliveryOf, deliveryRows, eventOf, namedEvent } from './memory-move-queue.ts'
import { valuesOf, type NamedRow, type Values } from './memory-move-values.ts'

/** One kind of rows in memory data. */
interface MemoryTable {
  rows(data: MemoryData): readonly NamedRow[]
  add(data: MemoryData, row: NamedRow): void
}

/** @param put adds a row, whose values it asks for by their columns */
function table(rows: MemoryTable['rows'], put: (data: MemoryData, values: Values) => void): MemoryTable {
  return { rows, add: (data, row) => put(data, valuesOf(row)) }
}

const accounts = table(
  ({ accounts: known, erasing }) => [
    ...[...known.values()].map(({ account, nameIndex }) => ({
      id: account.id,
      created_at: account.createdAtMicros,
      disabled_at: account.disabledAtMicros ?? null,
      language: account.language ?? null,
      mails_enabled: account.mails.enabled,
      mails_name_labels: account.mails.nameLabels,
      kid: account.name.kid,
      name_index: nameIndex,
      name: account.name.ciphertext,
    })),
    ...[...erasing].map((id) => ({
      id,
      created_at: 0,
      kid: 0,
      mails_enabled: false,
      mails_name_labels: false,
    })),
  ],
  (data, { uuid, integer, maybe, flag, bytes, encrypted }) => {
    const id = uuid('id')
    if (maybe('name_index') === undefined) data.erasing.add(id)
    else {
      const account = {
        id,
        name: encrypted('name'),
        createdAtMicros: integer('created_at'),
        disabledAtMicros: maybe<number>('disabled_at'),
        language: maybe<'en'>('language'),
        mails: { enabled: flag('mails_enabled'), nameLabels: flag('mails_name_labels') },
      }
      data.accounts.set(id, { account, nameIndex: bytes('name_index') })
    }
  },
)

const accessTokens = table(
  ({ accessTokens: known }) =>
    [...known.values()].map(({ token, digest }) => ({
      id: token.id,
      account_id: token.accountId,
      created_at: token.createdAtMicros,
      expires_at: token.expiresAtMicros ?? null,
      revoked_at: token.revokedAtMicros ?? null,
      last_used_at: token.lastUsedAtMicros ?? null,
      scopes: scopesText(token.scopes),
      kid: token.name.kid,
      digest,
      name: token.name.ciphertext,
    })),
  (data, { uuid, integer, maybe, text, bytes, encrypted }) => {
    const token = {
      id: uuid('id'),
      accountId: uuid('account_id'),
      name: encrypted('name'),
      scopes: scopesOf(text('scopes')),
      createdAtMicros: integer('created_at'),
      expiresAtMicros: maybe<number>('expires_at'),
      revokedAtMicros: maybe<number>('revoked_at'),
      lastUsedAtMicros: maybe<number>('last_used_at'),
    }
    data.accessTokens.set(token.id, { token, digest: bytes('digest') })
  },
)

const webhooks = table(
  ({ webhooks: known }) =>
    [...known.values()].map((webhook) => ({
      id: webhook.id,
      account_id: webhook.accountId,
      created_at: webhook.createdAtMicros,
      failing_since: webhook.failingSinceMicros ?? null,
      disabled_at: webhook.disabled?.atMicros ?? null,
      disabled_reason: webhook.disabled?.reason ?? null,
      kid: webhook.endpoint.kid,
      endpoint: webhook.endpoint.ciphertext,
    })),
  (data, { uuid, integer, maybe, text, encrypted }) => {
    const atMicros = maybe<number>('disabled_at')
    const id = uuid('id')
    data.webhooks.set(id, {
      id,
      accountId: uuid('account_id'),
      endpoint: encrypted('endpoint'),
      createdAtMicros: integer('created_at'),
      failingSinceMicros: maybe<number>('failing_since'),
      disabled: atMicros === undefined ? undefined : { atMicros, reason: text('disabled_reason') as 'gone' },
    })
  },
)

const secrets = table(
  ({ secrets: known }) => [...known.values()].map(namedSecret),
  (data, values) => {
    const row = secretOf(values)
    data.secrets.set(row.secret.id, row)
  },
)

function namedSecret({ secret, note, opens, attempts, openedAtMicros }: SecretRow): NamedRow {
  return {
    id: secret.id,
    account_id: secret.accountId,
    folder_id: secret.folderId,
    created_at: secret.createdAtMicros,
    link_created_at: secret.link?.createdAtMicros ?? null,
    expires_at: secret.link?.expiresAtMicros ?? null,
    open_limit: secret.openLimit ?? null,
    opens,
    notify: secret.notify,
    has_password: secret.hasPassword,
    kid: secret.kid,
    lookup: secret.link?.lookup ?? null,
    attempts: attemptsText(attempts),
    open_times: openedAtMicros.length === 0 ? null : bytesOfTimes(openedAtMicros),
    head: secret.head,
    wrap: note?.wrap ?? null,
    note: note?.note ?? null,
  }
}

function secretOf(values: Values): SecretRow {
  const { uuid, integer, maybe, flag, bytes, ciphertext } = values
  const createdAtMicros = maybe<number>('link_created_at')
  const link = {
    lookup: bytes('lookup'),
    createdAtMicros: createdAtMicros ?? 0,
    expiresAtMicros: integer('expires_at'),
  }
  return {
    secret: {
      id: uuid('id'),
      accountId: uuid('account_id'),
      folderId: uuid('folder_id'),
      createdAtMicros: integer('created_at'),
      openLimit: maybe<number>('open_limit'),
      notify: flag('notify'),
      hasPassword: flag('has_password'),
      link: createdAtMicros === undefined ? undefined : link,
      kid: integer('kid'),
      head: ciphertext('head'),
    },
    note: maybe('note') === undefined ? undefined : { note: ciphertext('note'), wrap: ciphertext('wrap') },
    opens: integer('opens'),
    attempts: attemptsOf(values.maybe<string>('attempts') ?? null),
    openedAtMicros: timesOfBytes(maybe<Uint8Array>('open_times')),
    forms: new Set(),
  }
}

function bytesOfTimes(times: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(8 * times.length)
  for (const [at, time] of times.entries()) bytes.writeBigInt64BE(BigInt(time), 8 * at)
  return bytes
}

function timesOfBytes(bytes: Uint8Array | undefined): readonly number[] {
  const buffer = Buffer.from(bytes ?? [])
  return Array.from({ length: buffer.length / 8 }, (_, at) => Number(buffer.readBigInt64BE(8 * at)))
}

/** A form's id, 32 hexadecimal digits, as a UUID. */
function uuidOfForm(form: string): string {
  return form.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Every kind of rows that a move takes along. */
export const memoryTables: Readonly<Record<MovedTableName, MemoryTable>> = {
  keys: table(
    ({ keys }) =>
      [...keys.values()].map((key) => ({
        kid: key.kid,
        check_value: key.checkValue,
        created_at: key.createdAtMicros,
      })),
    ({ keys }, { integer, bytes }) =>
      void keys.set(integer('kid'), {
        kid: integer('kid'),
        checkValue: bytes('check_value'),
        createdAtMicros: integer('created_at'),
      }),
  ),
  accounts,
  folders: table(
    ({ folders }) =>
      [...folders.values()].map((folder) => ({
        id: folder.id,
        account_id: folder.accountId,
        created_at: folder.createdAtMicros,
        kid: folder.label.kid,
        label: folder.label.ciphertext,
      })),
    ({ folders }, { uuid, integer, encrypted }) =>
      void folders.set(uuid('id'), {
        id: uuid('id'),
        accountId: uuid('account_id'),
        label: encrypted('label'),
        createdAtMicros: integer('created_at'),
      }),
  ),
  access_tokens: accessTokens,
  passwords: table(
    ({ passwords }) =>
      [...passwords.values()].map((password) => ({
        id: password.id,
        account_id: password.accountId,
        created_at: password.createdAtMicros,
        kid: password.hash.kid,
        hash: password.hash.ciphertext,
      })),
    ({ passwords }, { uuid, integer, encrypted }) =>
      void passwords.set(uuid('account_id'), {
        id: uuid('id'),
        accountId: uuid('account_id'),
        createdAtMicros: integer('created_at'),
        hash: encrypted('hash'),
      }),
  ),
  webhooks,
  welcomes: table(
    ({ welcomes }) =>
      [...welcomes.values()].map(({ welcome, digest }) => ({
        account_id: welcome.accountId,
        kind: welcome.kind,
        created_at: welcome.createdAtMicros,
        expires_at: welcome.expiresAtMicros,
        digest,
      })),
    ({ welcomes }, { uuid, integer, text, bytes }) => {
      const accountId = uuid('account_id')
      const kind = text('kind') as 'invite'
      const times = { createdAtMicros: integer('created_at'), expiresAtMicros: integer('expires_at') }
      welcomes.set(accountId, { welcome: { accountId, kind, ...times }, digest: bytes('digest') })
    },
  ),
  known_addresses: table(
    ({ knownAddresses }) =>
      knownAddresses.map(({ accountId, address, atMicros }) => ({
        account_id: accountId,
        address,
        used_at: atMicros,
      })),
    (data, { uuid, integer, bytes }) => {
      const known = { accountId: uuid('account_id'), address: bytes('address'), atMicros: integer('used_at') }
      data.knownAddresses = [...data.knownAddresses, known]
    },
  ),
  sign_in_attempts: table(
    ({ signInAttempts }) =>
      [...signInAttempts].map(([bucket, { attempts, eraseAtMicros }]) => ({
        bucket: Buffer.from(bucket, 'hex'),
        attempts: attemptsText(attempts),
        erase_at: eraseAtMicros,
      })),
    ({ signInAttempts }, values) =>
      void signInAttempts.set(Buffer.from(values.bytes('bucket')).toString('hex'), {
        attempts: attemptsOf(values.maybe<string>('attempts') ?? null),
        eraseAtMicros: values.integer('erase_at'),
      }),
  ),
  idempotency_keys: table(
    ({ claims }) =>
      claims.map(({ accountId, key, request, secretId, claimedAtMicros }) => ({
        account_id: accountId,
        key,
        request,
        secret_id: secretId,
        claimed_at: claimedAtMicros,
      })),
    (data, { uuid, integer, bytes }) => {
      const digests = { key: bytes('key'), request: bytes('request') }
      const ids = { accountId: uuid('account_id'), secretId: uuid('secret_id') }
      data.claims = [...data.claims, { ...digests, ...ids, claimedAtMicros: integer('claimed_at') }]
    },
  ),
  secrets,
  opened_forms: table(
    (data) =>
      [...data.secrets.values()].flatMap(({ secret, forms }) =>
        [...forms].map((form): NamedRow => ({ secret_id: secret.id, form_id: uuidOfForm(form) })),
      ),
    (data, { uuid, text }) => {
      const row = data.secrets.get(uuid('secret_id'))
      if (row === undefined) return
      data.secrets.set(row.secret.id, {
        ...row,
        forms: new Set([...row.forms, text('form_id').replaceAll('-', '')]),
      })
    },
  ),
  outbox: table(
    ({ outbox }) => [...outbox.values()].map(namedEvent),
    ({ outbox }, values) => void outbox.set(values.uuid('event_id'), eventOf(values)),
  ),
  deliveries: table(deliveryRows, ({ deliveries }, values) => {
    const row: DeliveryRow = deliveryOf(values)
    deliveries.set(row.delivery.id, row)
  }),
}
