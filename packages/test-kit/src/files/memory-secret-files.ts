import {
  isExpired,
  nilUuid,
  type ContentUnderWay,
  type DiskFull,
  type FilesFull,
  type KeyRetired,
  type NewTicket,
  type SecretFileStore,
  type ReserveLimits,
  type StorageFailed,
  type StorageUnavailable,
  type StoredSecret,
  type StoredSecretFile,
  type Uuid,
  type WithFiles,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import {
  equalBytes,
  keyRetired,
  taken,
  type MemoryConnection,
  type MemoryData,
} from '../stores/memory-data.ts'

export function createMemorySecretFiles({ data, answer }: MemoryConnection): SecretFileStore {
  return {
    bytesOf: (accountId) => answer(() => ok(sumOf(data, accountId))),

    page: ({ accountId, secretId, overAtMicros }, after = '', limit) =>
      answer(() => {
        const files = [...data.files.values()]
          .filter((file) => file.id > after && (accountId === undefined || file.accountId === accountId))
          .filter((file) => secretId === undefined || file.secretId === secretId)
          .filter((file) => overAtMicros === undefined || isOver(data, file, overAtMicros))
          .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        return ok(files.slice(0, limit))
      }),

    reserve: (content, limits) => answer(() => reserve(data, content, limits)),

    endUnderWay: (nowMicros, after = '', limit) =>
      answer(() => {
        for (const each of data.underWay.values())
          if (each.untilMicros <= nowMicros) data.underWay.set(each.id, { ...each, untilMicros: 0 })
        const over = data.underWay.values().filter(({ id, untilMicros }) => untilMicros === 0 && id > after)
        const ids = [...over].map(({ id }) => id).toSorted()
        return ok(ids.slice(0, limit))
      }),

    erase: (id) =>
      answer(() => {
        const isFile = data.files.delete(id)
        const isUnderWay = data.underWay.delete(id)
        data.counted.delete(id)
        return ok(isFile || isUnderWay)
      }),

    findTicket: (digest, nowMicros) =>
      answer(() => {
        const ticket = liveTickets(data).find((each) => equalBytes(each.digest, digest))
        return ok(ticket && !isExpired(ticket.expiresAtMicros, nowMicros) ? ticket : undefined)
      }),

    eraseTickets: (expiredByMicros, limit) =>
      answer(() => {
        const live = liveTickets(data)
        const over = live.filter((each) => isExpired(each.expiresAtMicros, expiredByMicros)).slice(0, limit)
        data.tickets = live.filter((each) => !over.includes(each))
        return ok(over.length)
      }),
  }
}

/** The tickets whose secrets are there. */
function liveTickets({ tickets, secrets, erasing }: MemoryData) {
  return tickets.filter(({ secretId, accountId }) => secrets.has(secretId) && !erasing.has(accountId))
}

export function hasTicket(data: MemoryData, secretId: Uuid): boolean {
  return liveTickets(data).some((ticket) => ticket.secretId === secretId)
}

export function addTicket(
  data: MemoryData,
  { id, accountId }: StoredSecret,
  { othersMax, ...ticket }: NewTicket,
): void {
  const others = data.tickets.filter(({ secretId }) => secretId === id)
  const latest = others.toSorted((one, other) => other.expiresAtMicros - one.expiresAtMicros)
  const ended = latest.slice(othersMax)
  const kept = data.tickets.filter((each) => !ended.includes(each))
  data.tickets = [...kept, structuredClone({ ...ticket, accountId, secretId: id })]
}

function isOver(data: MemoryData, { secretId }: StoredSecretFile, nowMicros: number): boolean {
  if (data.secrets.get(secretId)?.note !== undefined) return false
  return !liveTickets(data).some(
    (ticket) => ticket.secretId === secretId && !isExpired(ticket.expiresAtMicros, nowMicros),
  )
}

/** The files of a secret, by their numbers. */
export function filesOf({ files }: MemoryData, secretId: Uuid): WithFiles {
  const own = [...files.values()].filter((file) => file.secretId === secretId)
  return own.length === 0 ? {} : { files: own.toSorted((one, other) => one.number - other.number) }
}

/** The number of a secret's files, as a list has it. */
export function filesCountOf(data: MemoryData, secretId: Uuid): { readonly filesCount?: number } {
  const { files } = filesOf(data, secretId)
  return files === undefined ? {} : { filesCount: files.length }
}

function sumOf({ counted }: MemoryData, accountId: Uuid): number {
  const own = counted.values().filter((each) => each.accountId === accountId)
  return own.reduce((sum, { bytes }) => sum + bytes, 0)
}

const ended: StorageUnavailable = { code: 'storage_unavailable', reason: 'busy' }

function isUnderWay({ underWay }: MemoryData, id: Uuid): boolean {
  return (underWay.get(id)?.untilMicros ?? 0) > 0
}

function reserve(
  data: MemoryData,
  content: ContentUnderWay,
  { bytesMax, aheadMax }: ReserveLimits,
): Result<void, FilesFull | DiskFull | StorageUnavailable | StorageFailed> {
  const { id, accountId, secretId, bytes, aheadBytes, untilMicros, isNew } = content
  if (!isNew && !isUnderWay(data, id)) return err(ended)
  if (isNew && (data.underWay.has(id) || data.files.has(id))) return err(taken)
  const more = bytes - (data.counted.get(id)?.bytes ?? 0)
  if (more > 0 && sumOf(data, accountId) + more > bytesMax)
    return err({ code: 'files_full', maxBytes: bytesMax })
  const others = data.underWay.values().filter((other) => other.id !== id)
  const ahead = others.reduce((sum, other) => sum + other.aheadBytes, aheadBytes)
  if (more > 0 && aheadMax !== undefined && ahead > aheadMax) return err({ code: 'disk_full' })
  data.counted.set(id, { accountId, bytes })
  data.underWay.set(id, content)
  for (const other of data.underWay.values())
    if (other.secretId === secretId && isUnderWay(data, other.id))
      data.underWay.set(other.id, { ...other, untilMicros })
  return ok()
}

/** Gives a secret the files that it has from now on, inside a method; without them they stay. */
export function changeFiles(
  { data, mayWrite }: Pick<MemoryConnection, 'data' | 'mayWrite'>,
  { id: secretId, accountId }: StoredSecret,
  files: readonly StoredSecretFile[] | undefined,
): Result<void, KeyRetired | StorageUnavailable> {
  if (files === undefined) return ok()
  const isThere = ({ id }: StoredSecretFile): boolean =>
    data.files.get(id)?.secretId === secretId ||
    (isUnderWay(data, id) && data.underWay.get(id)?.accountId === accountId)
  if (!files.every(isThere)) return err(ended)
  if (!files.every(({ about }) => mayWrite(about))) return err(keyRetired)
  for (const old of filesOf(data, secretId).files ?? []) data.files.set(old.id, { ...old, secretId: nilUuid })
  for (const file of files) {
    data.underWay.delete(file.id)
    data.files.set(file.id, structuredClone(file))
  }
  return ok()
}
