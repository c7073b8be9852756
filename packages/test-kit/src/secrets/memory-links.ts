import {
  isExpired,
  openTimesMax,
  type FoundLink,
  type LinkChange,
  type LinkNotFound,
  type LinkRecord,
  type LinkStore,
  type StoredShareableSecret,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import {
  equalBytes,
  type MemoryConnection,
  type MemoryData,
  type SecretRow,
  putEvents,
} from '../stores/memory-data.ts'
import { addTicket, filesOf } from '../files/memory-secret-files.ts'
import { isShareable } from './memory-secrets.ts'

type LinkRow = SecretRow & { readonly secret: StoredShareableSecret }

export function createMemoryLinks({ data, answer }: MemoryConnection): LinkStore {
  return {
    find: (lookup, nowMicros) =>
      answer(() => {
        const row = liveRowBehind(data, lookup, nowMicros)
        if (row === undefined) return ok(undefined)
        const { files = [] } = filesOf(data, row.secret.id)
        const shownFiles = files.filter(({ isShown }) => isShown)
        return ok({ ...foundOf(data, row), ...(shownFiles.length > 0 && { shownFiles }) })
      }),

    findWithNote: (lookup, { nowMicros, evenWithPassword }) =>
      answer(() => {
        const row = liveRowBehind(data, lookup, nowMicros)
        if (row === undefined) return ok(undefined)
        const found = foundOf(data, row)
        const note = evenWithPassword || !row.secret.hasPassword ? row.note : undefined
        return ok({ ...found, note })
      }),

    update<Change extends LinkChange, E>(
      lookup: Uint8Array,
      formId: string | undefined,
      decide: (record: LinkRecord) => Result<Change, E>,
    ) {
      return answer<Change, E | LinkNotFound>(() => {
        const row = rowBehind(data, lookup)
        if (row === undefined) return err({ code: 'link_not_found' })
        return decide(recordOf(row, formId)).map((change) => {
          data.secrets.set(row.secret.id, changed(row, change, formId))
          if (change.ticket !== undefined) addTicket(data, row.secret, change.ticket)
          putEvents(data, change.events ?? [])
          return change
        })
      })
    },
  }
}

/** The row with this lookup, if it has its note and has not expired. */
function liveRowBehind(data: MemoryData, lookup: Uint8Array, nowMicros: number): LinkRow | undefined {
  const row = rowBehind(data, lookup)
  const isLive = row?.note !== undefined && !isExpired(row.secret.link.expiresAtMicros, nowMicros)
  return isLive ? row : undefined
}

function rowBehind({ secrets, erasing }: MemoryData, lookup: Uint8Array): LinkRow | undefined {
  const found = secrets
    .values()
    .find((row): row is LinkRow => isShareable(row.secret) && equalBytes(row.secret.link.lookup, lookup))
  return found === undefined || erasing.has(found.secret.accountId) ? undefined : found
}

function recordOf({ secret, note, opens, attempts, forms }: LinkRow, formId: string | undefined): LinkRecord {
  const { headCiphertext: _, ...linked } = secret
  const formUsed = formId !== undefined && forms.has(formId)
  return { secret: linked, state: { opens, hasNote: note !== undefined, attempts, formUsed } }
}

function foundOf({ accounts }: MemoryData, row: LinkRow): FoundLink {
  const from = accounts.get(row.secret.accountId)?.account.displayName
  return { ...recordOf(row, undefined), secret: row.secret, ...(from === undefined ? {} : { from }) }
}

function changed(row: LinkRow, change: LinkChange, formId: string | undefined): LinkRow {
  const latest = change.openedAtMicros === undefined ? [] : [change.openedAtMicros]
  return {
    ...row,
    opens: change.opens ?? row.opens,
    attempts: structuredClone(change.attempts) ?? row.attempts,
    openedAtMicros: [...row.openedAtMicros, ...latest].slice(-openTimesMax),
    news: row.news + (row.secret.notify ? latest.length : 0),
    note: change.destroyNote === true ? undefined : row.note,
    forms: change.rememberForm === true && formId !== undefined ? new Set([...row.forms, formId]) : row.forms,
  }
}
