import { isRefusal, type HttpStepOptions } from './http-calls.ts'
import type { Entry, Ledger } from './ledger.ts'

/** Keeps the ticket of an open, which the answer must have exactly if the secret has a file. */
export function recordTicket({ violations, ticketsMayEnd }: Ledger, entry: Entry, text: string): void {
  const { files = [] } = (JSON.parse(text) as { data: { files?: readonly { size: number; url: string }[] } })
    .data
  const [given] = files
  if (files.length !== (entry.file === undefined ? 0 : 1) || given?.size !== entry.file?.length)
    violations.push(`${entry.label}: other files were delivered than were sent`)
  if (given === undefined || ticketsMayEnd) return
  const [, , ticket = ''] = new URL(given.url).pathname.split('/')
  entry.tickets = [...(entry.tickets ?? []), ticket]
}

/** Downloads the file of a link that was opened. False when the server is gone. */
export async function fetchFile({ ledger, chance, client }: HttpStepOptions): Promise<boolean> {
  const { ticketsMayEnd } = ledger
  const entry = chance.pick(
    [...ledger.entries.values()].slice(-150).filter(({ tickets }) => tickets !== undefined),
  )
  const ticket = chance.pick(entry?.tickets ?? [])
  if (entry?.file === undefined || ticket === undefined) return true
  const answer = await client.ask('GET', `/f/${ticket}/1`)
  if (answer === undefined) return false
  const { status, bytes, complete } = answer
  if (status === 200) {
    if (!entry.file.subarray(0, bytes.length).equals(bytes) || (complete && bytes.length < entry.file.length))
      ledger.violations.push(`${entry.label}: another file was delivered`)
    if (complete) ledger.figures.filesCompared += 1
  } else if (!isRefusal(ledger, answer) && !(status === 404 && (ticketsMayEnd || ledger.ticketsMayEnd)))
    ledger.violations.push(`${entry.label}: its file was answered with ${status}`)
  return complete
}
