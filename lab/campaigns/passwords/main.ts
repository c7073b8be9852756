/**
 * Measures what a password costs, and what the API's clients notice during a flood of wrong passwords. A server process answers lists
 * at a steady pace, first without other load, then while a hundred wrong passwords arrive each second. These are several times as many as
 * can be hashed.
 *
 *     npm run campaign passwords -- [--guesses N]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { optionsFrom } from '../support/command.ts'
import { pace, shown } from '../support/others.ts'
import { addOwner } from '../support/owner.ts'
import { makePlace, openPlace } from '../support/place.ts'
import { serve } from '../support/served.ts'

const { guesses: count } = optionsFrom({ guesses: 200 })
const place = makePlace()
const installation = await openPlace(place)
const { token, folderId } = await addOwner(installation.sotto)
await installation.close()
const main = fileURLToPath(new URL('../../../packages/server/src/main.ts', import.meta.url))
const server = await serve(main, place)

try {
  const oneByOne: number[] = []
  while (oneByOne.length < 20) {
    const began = performance.now()
    await create()
    oneByOne.push(performance.now() - began)
  }
  const links = await Promise.all(
    Array.from({ length: Math.ceil(count / 4) }, (_, at) => createPatiently(at * 130)),
  )
  await pause(1_000)
  const short = { url: `${server.origin}/api/folders`, token }
  const until = performance.now() + 5_000
  const unloaded = await pace(() => performance.now() < until, short, false)
  let guessing = true
  const guesses = guessElsewhere(links).finally(() => (guessing = false))
  const loaded = await pace(() => guessing, short, false)
  const statuses = new Map<number, number>()
  for (const status of await guesses) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  print('creating with a password, one by one', shown(oneByOne))
  print('API without other load', shown(unloaded))
  print(`API while ${count} wrong passwords arrive`, shown(loaded))
  const answers = [...statuses].map(([status, times]) => `${times} × ${status}`)
  print('answers to the wrong passwords', answers.join(', '))
} finally {
  await server.stop()
  place.remove()
}

function print(name: string, figures: string): void {
  console.log(`${name}:`.padEnd(40), figures)
}

async function create(): Promise<string> {
  const response = await fetch(`${server.origin}/api/secret`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      label: 'a label',
      note: 'a note',
      password: 'the right one',
      folder_id: folderId,
    }),
  })
  const { data } = (await response.json()) as { data?: { link: { url: string } } }
  return data?.link.url ?? ''
}

/** Creating waits in its own queue, which refuses requests that wait for more than two seconds. */
async function createPatiently(delayMillis: number): Promise<string> {
  await pause(delayMillis)
  for (;;) {
    const url = await create()
    if (url !== '') return url
    await pause(500)
  }
}

/** Guesses in another process, because sending would disturb the measurement here. */
async function guessElsewhere(links: readonly string[]): Promise<readonly number[]> {
  const guesser = fork(new URL('guess.ts', import.meta.url))
  guesser.send(Array.from({ length: count }, (_, at) => links[at % links.length]))
  const [statuses] = (await once(guesser, 'message')) as [number[]]
  return statuses
}
