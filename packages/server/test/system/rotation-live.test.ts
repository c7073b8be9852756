import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { spawnServer, spawnSotto, type SpawnedServer } from '../support/spawned.ts'

interface Key {
  readonly kid: number
  readonly active: boolean
  readonly rows: number
}

// Promise (Sealed at rest): A running server changes to a new key
// Promise (Sealed at rest): A running server changes to a new key: before the rotation moves the rows, so that the old one is free
t.test('a running server changes to a new key without a restart; the old one can be retired', async (t) => {
  const cwd = t.testdir()
  const env = { SOTTO_LIMIT_PER_MINUTE: '100000', SOTTO_LIMIT_PER_DAY: '100000' }
  const server = await spawnServer(t, { cwd, env })
  const sotto = async <T>(...args: string[]): Promise<T> => {
    const command = spawnSotto(t, [...args, '--json'], { cwd })
    t.equal(await command.ended, 0, command.stderr())
    return JSON.parse(command.stdout()) as T
  }
  const rowsUnder = async (kid: number) =>
    (await sotto<Key[]>('keys', 'status')).find((key) => key.kid === kid)?.rows ?? 0

  const links = [await create(server, 'before')]
  // What the server creates during the rotation must not be lost.
  const rotated = sotto<object>('keys', 'rotate')
  const rotation = new AbortController()
  const during = (async () => {
    for (let at = 0; !rotation.signal.aborted; at += 1) {
      links.push(await create(server, `during ${at}`))
      await pause(20)
    }
  })()
  t.match(await rotated, { kid: 2, added: true, damaged: [] })
  rotation.abort()
  await during

  const before = await rowsUnder(2)
  links.push(await create(server, 'after'))
  t.equal(await rowsUnder(2), before + 1, 'new rows are under the new key')
  t.equal(await rowsUnder(1), 0)
  await sotto('keys', 'retire', '1', '--yes')
  links.push(await create(server, 'retired'))
  const notes = await Promise.all(links.map(({ url }) => open(url)))
  t.strictSame(
    notes,
    links.map(({ note }) => note),
  )
})

async function create(
  { baseUrl, firstStart }: SpawnedServer,
  note: string,
): Promise<{ readonly url: string; readonly note: string }> {
  const response = await fetch(`${baseUrl}/api/secret`, {
    method: 'POST',
    headers: { authorization: `Bearer ${firstStart?.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'a label', note, folder_id: firstStart?.folder_id }),
  })
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
  const { data } = (await response.json()) as { data: { link: { url: string } } }
  return { url: data.link.url, note }
}

async function open(url: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers: { accept: 'application/json' } })
  const { data } = (await response.json()) as { data: { note: string } }
  return data.note
}
