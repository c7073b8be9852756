import { openAsBlob } from 'node:fs'
import { createClient } from '../../src/index.ts'

// Sends a file and reads it again in a process of its own, and prints how far its memory grew meanwhile: node transfer.ts ORIGIN PATH

const [, , origin = '', path = ''] = process.argv
const client = createClient({ baseUrl: origin, token: 'sotto_any' })

const before = process.memoryUsage().rss
let highest = before
const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 5)

const files = [new File([await openAsBlob(path)], 'large')]
await client.createSecret({ label: 'L', note: 'n', folderId: 'f', files })
let received = 0
for (const file of (await client.openLink(`${origin}/token`)).files)
  for await (const piece of file.stream()) received += piece.length

clearInterval(watch)
console.log(JSON.stringify({ received, grownBy: highest - before }))
