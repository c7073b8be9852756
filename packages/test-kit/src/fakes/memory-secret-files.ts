import {
  isExpired,
  type FileChange,
  type FilesFull,
  type KeyRetired,
  type NewTicket,
  type SecretFileStore,
  type StorageFailed,
  type StoredSecret,
  type StoredSecretFile,
  type Uuid,
  type WithFiles,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { equalBytes, keyRetired, taken, type MemoryConnection, type MemoryData } from './memory-data.ts'

export function createMemorySecretFiles({ data, answer }: MemoryConnection): SecretFileStore {
  return {
    bytesOf: (accountId) => answer(() => ok(data.fileSums.get(accountId) ?? 0)),

    page: ({ accountId, overAtMicros }, after = '', limit) =>
      answer(() => {
        const files = [...data.files.values()]
          .filter((file) => file.id > after && (accountId === undefined || file.accountId === accountId))
          .filter((file) => overAtMicros === undefined || isOver(data, file, overAtMicros))
          .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        return ok(files.slice(0, limit))
      }),

    erase: (id, bytes = 0) =>
      answer(() => {
        const file = data.files.get(id)
        if (file === undefined) return ok(false)
        data.files.delete(id)
        const { accountId } = file
        const isLast = !data.files.values().some((other) => other.accountId === accountId)
        const sum = Math.max((data.fileSums.get(accountId) ?? 0) - bytes, 0)
        if (isLast) data.fileSums.delete(accountId)
        else data.fileSums.set(accountId, sum)
        return ok(true)
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

/** The same as a list has it: how many they are. */
export function filesCountOf(data: MemoryData, secretId: Uuid): { readonly filesCount?: number } {
  const { files } = filesOf(data, secretId)
  return files === undefined ? {} : { filesCount: files.length }
}

/** Replaces the files of a secret, inside a method; nothing without a change. */
export function changeFiles(
  { data, mayWrite }: Pick<MemoryConnection, 'data' | 'mayWrite'>,
  { id: secretId, accountId }: StoredSecret,
  change: FileChange | undefined,
): Result<void, FilesFull | KeyRetired | StorageFailed> {
  if (change === undefined) return ok()
  const { files, bytes, bytesMax } = change
  if (!files.every(({ about }) => mayWrite(about))) return err(keyRetired)
  const sum = (data.fileSums.get(accountId) ?? 0) + bytes
  if (bytes > 0 && sum > bytesMax) return err({ code: 'files_full', maxBytes: bytesMax })
  if (files.some(({ id }) => (data.files.get(id)?.secretId ?? secretId) !== secretId)) return err(taken)
  for (const old of filesOf(data, secretId).files ?? []) data.files.delete(old.id)
  for (const file of files) data.files.set(file.id, structuredClone(file))
  data.fileSums.set(accountId, Math.max(sum, 0))
  return ok()
}
