// The ports are in memory, for tests: `core/sotto.ts` has those on a disk. Without HTTPS and users of your own this is for 127.0.0.1.
import { serve } from '@hono/node-server'
import { createSotto } from '@sotto/core'
import { createMemoryPorts } from '@sotto/test-kit'
import { createApp } from './app.ts'

const clock = { nowMicros: () => Date.now() * 1_000 }
const sotto = createSotto({ ports: { ...createMemoryPorts(), clock } })
const app = createApp(sotto, ({ headers }) => headers.get('x-user') ?? undefined)
const port = Number(process.env['PORT'] ?? 3000)
serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`)
})
