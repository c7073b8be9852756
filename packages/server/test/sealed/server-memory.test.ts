import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { createClient, openLink } from '@sotto/client'
import { lockOf, readKey } from '@sotto/sealed'
import t from 'tap'
import { spawnServer } from '../support/spawned.ts'
import { filesIn } from '../support/tree.ts'

const skip = process.platform === 'linux' ? false : 'the memory of a process is read as Linux shows it'

const pageBytes = 65_536
const empty = Buffer.alloc(pageBytes)

/** Everything that a process has in memory and may write to: what lies side by side, without what was never used. */
function* memoryOf(pid: number): Generator<Buffer> {
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  try {
    const maps = readFileSync(`/proc/${pid}/maps`, 'utf8').matchAll(/^([\da-f]+)-([\da-f]+) rw/gm)
    for (const [, from = '', to = ''] of maps) {
      const used: Buffer[] = []
      for (let at = parseInt(from, 16); at < parseInt(to, 16); at += pageBytes) {
        const page = pageAt(memory, at, Math.min(pageBytes, parseInt(to, 16) - at))
        if (page !== undefined) used.push(page)
        else if (used.length > 0) yield Buffer.concat(used.splice(0))
      }
      yield Buffer.concat(used)
    }
  } finally {
    closeSync(memory)
  }
}

/** `undefined` for what was never used, and for what the process has given back meanwhile. */
function pageAt(memory: number, at: number, length: number): Buffer | undefined {
  const page = Buffer.alloc(length)
  try {
    readSync(memory, page, 0, length, at)
  } catch {
    return undefined
  }
  return page.equals(length === pageBytes ? empty : empty.subarray(0, length)) ? undefined : page
}

/** The names of the canaries that are in these bytes, as bytes or as strings of two bytes a character. */
function found(bytes: Buffer, canaries: Readonly<Record<string, Buffer>>): string[] {
  return Object.entries(canaries).flatMap(([name, canary]) =>
    bytes.includes(canary) || bytes.includes(Buffer.from(canary.toString('latin1'), 'utf16le')) ? [name] : [],
  )
}

// Promise (Encrypted in the browser): The server has neither the text, nor the names and contents of files, nor the password, nor the key in memory, files or log
t.test(
  'what is sealed is in no file, no line of the log and nowhere in the memory of the server',
  { skip },
  async (t) => {
    const cwd = t.testdir()
    const server = await spawnServer(t, { cwd, env: { SOTTO_LOG_LEVEL: 'trace' } })
    const client = createClient({ baseUrl: server.baseUrl, token: server.firstStart?.token ?? '' })
    const folderId = server.firstStart?.folder_id ?? ''
    const secret = (name: string) => `${name} ${randomBytes(12).toString('hex')}`
    const [text, password, fileName, content, plain] = ['text', 'password', 'name', 'content', 'plain'].map(
      secret,
    )
    const file = new File([`${content}\n`.repeat(5_000)], `${fileName}.pdf`)
    const { link } = await client.createSecret({
      ...{
        folderId,
        label: 'a title',
        note: `${text}\n`.repeat(50),
        openLimit: 2,
        sealed: true,
        files: [file],
      },
      password,
    })
    const opened = await openLink(link.url, { password })
    t.match(opened, { note: `${text}\n`.repeat(50), files: [{ name: `${fileName}.pdf` }] })
    for (const { stream } of opened.files) t.equal((await new Response(stream()).text()).length, file.size)
    const other = await client.createSecret({ folderId, label: 'b', note: `${plain}\n`.repeat(50) })
    await openLink(other.link.url)

    const key = readKey(new URL(link.url).hash.slice(1)) ?? new Uint8Array()
    const { secret: lock } = await lockOf(key, password)
    const canaries = {
      ...Object.fromEntries(
        Object.entries({ text, password, fileName, content, keyText: link.url.split('#')[1], plain }).map(
          ([name, canary = '']) => [name, Buffer.from(canary)],
        ),
      ),
      key: Buffer.from(key),
      lock: Buffer.from(lock),
    }
    const inMemory = new Set([...memoryOf(server.child.pid ?? 0)].flatMap((bytes) => found(bytes, canaries)))
    t.same([...inMemory], ['plain'], 'the text of the other secret is found, so the search works')
    t.same(
      filesIn(cwd).flatMap((path) => found(readFileSync(path), canaries)),
      [],
    )
    t.same(found(Buffer.from(server.stderr()), canaries), [])
  },
)
