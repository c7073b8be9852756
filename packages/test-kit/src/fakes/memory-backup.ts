import { deserialize, serialize } from 'node:v8'
import {
  isExpired,
  isTokenUsable,
  type BackedUpKeys,
  type Backup,
  type Contents,
  type Restored,
  type RestoreOptions,
} from '@sotto/core'
import type { Result } from 'neverthrow'
import type { MemoryData } from './memory-data.ts'
import { rowsUnder } from './memory-keys.ts'

/** Backups by their path. */
export type MemoryBackups = Map<string, Uint8Array>

interface BackupFile {
  readonly backedUpAtMicros: number
  readonly data: MemoryData
}

/** Copies everything but the quota's counters. */
export function backedUp(
  data: MemoryData,
  nowMicros: number,
): { readonly bytes: Uint8Array; readonly backup: Backup } {
  const file: BackupFile = { backedUpAtMicros: nowMicros, data: { ...data, quota: new Map() } }
  const bytes = serialize(file)
  const contents = contentsOf(data, nowMicros)
  return { bytes, backup: { bytes: bytes.length, backedUpAtMicros: nowMicros, contents } }
}

/** The data of a backup, without what must not come back. An Err is that of `checkKeys`. */
export function restored<E>(
  bytes: Uint8Array,
  { nowMicros, keepLimited, keepTokens, checkKeys }: RestoreOptions<E>,
): Result<{ readonly data: MemoryData; readonly report: Restored }, E> {
  const { backedUpAtMicros, data } = deserialize(bytes) as BackupFile
  return checkKeys(keysOf(data)).map((kids) => {
    const contents = contentsOf(data, nowMicros)
    for (const kid of data.keys.keys()) if (!kids.includes(kid)) data.keys.delete(kid)
    data.lastSweepMicros = nowMicros
    forgetSignIns(data)
    data.outbox.clear()
    data.deliveries.clear()
    data.leases.clear()
    const erasedSecrets = eraseExpired(data, nowMicros)
    const destroyedNotes = keepLimited ? 0 : destroyLimited(data)
    const revokedTokens = keepTokens ? 0 : revokeTokens(data, nowMicros)
    return { data, report: { backedUpAtMicros, contents, erasedSecrets, destroyedNotes, revokedTokens } }
  })
}

/** An older state would bring back sessions that were ended and one-time links that were spent since. */
function forgetSignIns(data: MemoryData): void {
  data.sessions.clear()
  data.welcomes.clear()
  data.signInAttempts.clear()
  data.knownAddresses = []
}

function keysOf(data: MemoryData): BackedUpKeys {
  const keys = [...data.keys.values()].map(({ kid, checkValue }) => ({
    kid,
    checkValue,
    isUsed: rowsUnder(data, kid) > 0,
  }))
  return { instanceId: data.instanceId, keys }
}

function contentsOf(data: MemoryData, nowMicros: number): Contents {
  const links = [...data.secrets.values()].map(({ secret }) => secret.link)
  const isOver = (link: (typeof links)[number]) =>
    link !== undefined && isExpired(link.expiresAtMicros, nowMicros)
  const drafts = links.filter((link) => link === undefined).length
  const expiredSecrets = links.filter(isOver).length
  const tokens = [...data.accessTokens.values()].filter(({ token }) => isTokenUsable(token, nowMicros))
  return {
    accounts: data.accounts.size,
    folders: data.folders.size,
    drafts,
    secrets: links.length - drafts - expiredSecrets,
    expiredSecrets,
    accessTokens: tokens.length,
    kids: [...data.keys.keys()]
      .filter((kid) => rowsUnder(data, kid) > 0)
      .toSorted((one, other) => one - other),
  }
}

function eraseExpired({ secrets }: MemoryData, nowMicros: number): number {
  const before = secrets.size
  for (const [id, { secret }] of secrets) {
    if (secret.link !== undefined && isExpired(secret.link.expiresAtMicros, nowMicros)) secrets.delete(id)
  }
  return before - secrets.size
}

/** Destroys the notes of shareable secrets with an open limit. */
function destroyLimited({ secrets }: MemoryData): number {
  let destroyed = 0
  for (const [id, row] of secrets) {
    const { link, openLimit } = row.secret
    if (link === undefined || openLimit === undefined || row.note === undefined) continue
    secrets.set(id, { ...row, note: undefined })
    destroyed += 1
  }
  return destroyed
}

function revokeTokens({ accessTokens }: MemoryData, nowMicros: number): number {
  let revoked = 0
  for (const [id, row] of accessTokens) {
    if (!isTokenUsable(row.token, nowMicros)) continue
    accessTokens.set(id, { ...row, token: { ...row.token, revokedAtMicros: nowMicros } })
    revoked += 1
  }
  return revoked
}
