import { openPlace, callsPerDay, type Place } from '../support/place.ts'
import { compareSwept } from './compare-files.ts'
import { compareStore, type ListedSecrets } from './compare-store.ts'
import type { Client } from '../support/client.ts'
import { call } from './http-calls.ts'
import type { Ledger } from './ledger.ts'

export interface CheckOptions {
  readonly place: Place
  readonly ledger: Ledger
  /** A client of the server that was started after the kill. The server has no other requests now. */
  readonly client: Client
  /** Whether notes with a password are decrypted as well, which is slow. */
  readonly withPasswords: boolean
}

/** Compares what a server and its store show after a crash with what was acknowledged before; see {@link compareStore}. */
export async function check({ place, ledger, client, withPasswords }: CheckOptions): Promise<void> {
  const { secrets, counts } = await listOverHttp(client, ledger)
  const installation = await openPlace(place)
  try {
    const drafts = await compareStore({ installation, ledger, secrets, withPasswords })
    const { drafts_count: draftsCount, secrets_count: secretsCount } = counts
    if (draftsCount !== drafts || secretsCount !== secrets.size) {
      const lists = `the lists have ${drafts} and ${secrets.size}`
      ledger.violations.push(`the folder counts ${draftsCount} drafts and ${secretsCount} secrets, ${lists}`)
    }
  } finally {
    await installation.close()
  }
}

interface Listed {
  readonly secrets: ListedSecrets
  readonly counts: { readonly drafts_count: number; readonly secrets_count: number }
}

async function listOverHttp(client: Client, ledger: Ledger): Promise<Listed> {
  const folders = await data<(Listed['counts'] & { readonly id: string })[]>(client, ledger, '/api/folders')
  const list = await data<{ label: string; id: string; link: { url: string } }[]>(
    client,
    ledger,
    '/api/secrets',
  )
  const secrets = new Map(
    list.map(({ label, id, link }) => [label, { id, token: new URL(link.url).pathname.slice(1) }]),
  )
  if (secrets.size !== list.length) ledger.violations.push('a secret is listed twice')
  const counts = folders.find(({ id }) => id === ledger.folderId)
  if (counts === undefined) ledger.violations.push('the folder is missing')
  return { secrets, counts: counts ?? { drafts_count: -1, secrets_count: -1 } }
}

/** No other call is under way, so the quota shows exactly what was counted. */
async function data<T>(client: Client, ledger: Ledger, path: string): Promise<T> {
  const answer = await call(client, ledger, 'GET', path)
  if (answer?.status !== 200) throw new Error(`${path} was answered with ${answer?.status}: ${answer?.text}`)
  ledger.countsMayBeForgotten = false
  ledger.calls.least = ledger.calls.most = callsPerDay - Number(answer.headers['x-ratelimit-remaining'])
  return (JSON.parse(answer.text) as { data: T }).data
}

/** Compares files with what a sweep leaves a day later. Nothing else works on the place. */
export async function checkSwept(place: Place, ledger: Ledger): Promise<void> {
  const nowMicros = (): number => (Date.now() + 25 * 3_600_000) * 1_000
  const installation = await openPlace(place, { clock: { nowMicros } })
  try {
    await compareSwept(installation, ledger)
  } finally {
    await installation.close()
  }
}
