// Tries a wrong password on each link of its message, a hundred a second, and answers with the statuses. See main.ts.
import { setTimeout as pause } from 'node:timers/promises'

process.once('message', (links: readonly string[]) => {
  void Promise.all(links.map((link, at) => pause(10 * at).then(() => guess(link)))).then((statuses) =>
    process.send?.(statuses, () => process.exit(0)),
  )
})

async function guess(url: string): Promise<number> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: '{"password":"a wrong one"}' })
  await response.arrayBuffer()
  return response.status
}
