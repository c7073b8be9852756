import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../support/client.ts'
import { call } from '../crash/http-calls.ts'
import { isSettled, type Entry, type Ledger } from '../crash/ledger.ts'
import type { FaultFigures } from './figures.ts'
import type { FaultKind } from './kinds.ts'
import type { FaultyServer } from './server.ts'

/** How long a server may take to notice a fault, or its end. A lock is waited for, for two seconds, and an answer is kept for one. */
const noticeMillis = 20_000

export interface Observed {
  readonly kind: FaultKind
  readonly server: FaultyServer
  readonly client: Client
  readonly ledger: Ledger
  readonly figures: FaultFigures
}

/** Waits until the server has noticed that a fault has begun, as its kind says. */
export async function awaitNotice({ kind, server, client, ledger, figures }: Observed): Promise<void> {
  if (kind.then === 'red') {
    const refusedBefore = figures.refused
    const millis = await untilReadiness(client, 503)
    // Overwriting works on a full disk, so it may take a while until something is refused.
    const isHarmless = kind.isSteady !== true && figures.refused === refusedBefore
    if (millis === undefined && isHarmless) return
    if (millis === undefined) ledger.violations.push(`${kind.name}: the server stays ready`)
    else figures.slowestRed = Math.max(figures.slowestRed, millis)
  } else if (kind.then === 'ends') {
    const code = await Promise.race([server.child.ended, pause(noticeMillis, 'runs')])
    if (code !== 1)
      ledger.violations.push(`${kind.name}: the server does not end with code 1: ${String(code)}`)
    figures.ended += 1
  } else {
    await pause(1_200)
    const answer = await client.ask('GET', '/readyz')
    if (kind.then === 'green' && answer?.status !== 200)
      ledger.violations.push(`${kind.name}: the server is not ready`)
  }
}

/** Waits until the server is ready again. */
export async function awaitEnd({ kind, client, ledger, figures }: Observed): Promise<void> {
  const millis = await untilReadiness(client, 200)
  if (millis === undefined) ledger.violations.push(`${kind.name}: the server does not become ready again`)
  else figures.slowestGreen = Math.max(figures.slowestGreen, millis)
}

/** Resolves with the milliseconds that it took; `undefined` when it took too long. */
async function untilReadiness(client: Client, status: number): Promise<number | undefined> {
  const startMillis = performance.now()
  while (performance.now() - startMillis < noticeMillis) {
    const answer = await client.ask('GET', '/readyz')
    if (answer?.status === status) return Math.round(performance.now() - startMillis)
    await pause(50)
  }
  return undefined
}

/** Reads while a fault lasts. What needs no write must be answered. */
export async function readDuring({ kind, client, ledger, figures }: Observed): Promise<void> {
  const health = await client.ask('GET', '/healthz')
  if (health?.status !== 200) ledger.violations.push(`${kind.name}: /healthz is ${health?.status}`)
  const entry = entryToRead(ledger)
  if (kind.hasExpired !== true && entry !== undefined) {
    const page = await client.ask('GET', `/${entry.token}`)
    if (page?.status === 200) figures.pagesRead += 1
    else if (kind.readsMayFail !== true)
      ledger.violations.push(`${kind.name}: the page of a link is ${page?.status}`)
  }
  const list = await call(client, ledger, 'GET', '/api/folders')
  if (list?.status === 200) figures.listsRead += 1
  else if (kind.counts === true) ledger.violations.push(`${kind.name}: a list is ${list?.status}`)
}

/** A secret whose link is never used up. */
export function entryToRead(ledger: Ledger): Entry | undefined {
  return [...ledger.entries.values()].find(
    (entry) => isSettled(entry, 'shared') && entry.openLimit === undefined && entry.token !== undefined,
  )
}

/** What must not be in a log: notes, links and access tokens. */
export function checkLog(log: string, { entries, bearer, violations }: Ledger): void {
  if (log.includes(bearer)) violations.push('an access token is in the log')
  for (const { label, note, token } of entries.values()) {
    if (token !== undefined && log.includes(token)) violations.push(`${label}: its link is in the log`)
    const text = note.split('\n')[1] ?? ''
    if (text.length >= 16 && log.includes(text.slice(0, 64)))
      violations.push(`${label}: its note is in the log`)
  }
}
