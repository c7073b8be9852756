import { randomBytes } from 'node:crypto'
import type { Answer, Client } from '../support/client.ts'
import { newEntry, pickEntry } from './entries.ts'
import { fetchFile, recordTicket } from './file-steps.ts'
import { call, isRefusal, mayHaveHappened, type HttpStepOptions } from './http-calls.ts'
import { randomProof } from '../support/sealed.ts'
import { recordDelivery, recordGone, type Entry, type Ledger } from './ledger.ts'

/** Sends one request over HTTP. False when the server is gone. */
export function httpStep(options: HttpStepOptions): Promise<boolean> {
  const { chance, ledger } = options
  const kind = chance.between(1, 100)
  if (kind <= 32) return create(options, {})
  if (kind <= 40) return create(options, { withFile: true })
  if (kind <= 43) return create(options, { password: `pass ${randomBytes(6).toString('hex')}` })
  if (kind <= 50) return get(options)
  if (kind <= 55) return fetchFile(options)
  const entry = pickEntry(ledger, chance, 'shared')
  if (entry?.token === undefined) return create(options, {})
  // Verifying a password takes so long that one at a time is load enough.
  if (entry.password !== undefined) {
    if (entry.passwordTried === true) return get(options)
    entry.passwordTried = true
  }
  return openOverHttp(options.client, ledger, entry)
}

async function create(
  { ledger, chance, client }: HttpStepOptions,
  given: Parameters<typeof newEntry>[2],
): Promise<boolean> {
  const entry = newEntry(ledger, chance, given)
  entry.possible = ['absent', 'shared']
  const { label, note, password, file, openLimit = 0 } = entry
  const body = {
    label,
    note,
    folder_id: ledger.folderId,
    open_limit: openLimit,
    ...(password && { password }),
  }
  const answer = await call(client, ledger, 'POST', '/api/secret', { body, form: file && { file } })
  if (answer?.complete !== true) return answer !== undefined
  if (answer.status === 201) {
    const { data } = JSON.parse(answer.text) as { data: { id: string; link: { url: string } } }
    Object.assign(entry, {
      id: data.id,
      token: new URL(data.link.url).pathname.slice(1),
      possible: ['shared'],
    })
    ledger.figures.created += 1
    if (password !== undefined) ledger.figures.withPassword += 1
    if (file !== undefined) ledger.figures.withFile += 1
  } else if (isRefusal(ledger, answer) || (file !== undefined && isTooLate(ledger, answer))) {
    if (file !== undefined) ledger.figures.withFileRefused += 1
    if (!mayHaveHappened(answer)) entry.possible = ['absent']
  } else ledger.violations.push(`${label}: the create was answered with ${answer.status}: ${answer.text}`)
  return true
}

/** Whether an upload has taken more than its 12 hours, because the clock was set meanwhile. */
function isTooLate({ ticketsMayEnd }: Ledger, { status }: Answer): boolean {
  return status === 400 && ticketsMayEnd
}

async function get(options: HttpStepOptions): Promise<boolean> {
  const { ledger, chance, client } = options
  const entry = pickEntry(ledger, chance, 'shared')
  if (entry?.id === undefined) return create(options, {})
  const answer = await call(client, ledger, 'GET', `/api/secret/${entry.id}`)
  if (answer?.complete !== true) return answer !== undefined
  if (answer.status !== 200 && !isRefusal(ledger, answer))
    ledger.violations.push(`${entry.label}: the get was answered with ${answer.status}`)
  return true
}

/** Opens a link once. False when the server is gone. */
export async function openOverHttp(client: Client, ledger: Ledger, entry: Entry): Promise<boolean> {
  const { password, proof, token = '' } = entry
  if (proof !== undefined && !(await openWithoutKey(client, ledger, entry))) return false
  entry.opens.most += 1
  const body = { ...(password && { password }), ...(proof && { proof }) }
  const answer = await client.ask('POST', `/${token}`, Object.keys(body).length === 0 ? {} : { body })
  if (answer === undefined) return false
  // Even half a note may hold the confidential part: a status is a delivery.
  if (answer.status === 200) {
    recordDelivery(ledger, entry, answer.complete ? noteIn(answer) : entry.note)
    if (answer.complete) recordTicket(ledger, entry, answer.text)
  } else if (answer.status === 404) recordGone(ledger, entry)
  else if (isRefusal(ledger, answer) || (answer.status === 429 && password !== undefined)) {
    if (!mayHaveHappened(answer)) entry.opens.most -= 1
  } else ledger.violations.push(`${entry.label}: the open was answered with ${answer.status}: ${answer.text}`)
  return answer.complete
}

/** Tries to open a sealed secret with another key, which is refused and counts nothing, also when the server is killed meanwhile. */
async function openWithoutKey(
  client: Client,
  ledger: Ledger,
  { label, token = '' }: Entry,
): Promise<boolean> {
  const answer = await client.ask('POST', `/${token}`, { body: { proof: randomProof() } })
  if (answer === undefined) return false
  if (answer.status === 403) ledger.figures.refusedWithoutKey += 1
  else if (answer.status !== 404 && !isRefusal(ledger, answer))
    ledger.violations.push(`${label}: an open without the key was answered with ${answer.status}`)
  return answer.complete
}

function noteIn({ text }: Answer): string {
  return (JSON.parse(text) as { data: { note: string } }).data.note
}
