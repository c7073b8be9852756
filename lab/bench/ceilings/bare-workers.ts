// What several processes cost a server that does nothing: Fastify with one route, shared as the server shares its port.
// Usage: node bare-workers.ts PORT WORKERS
import cluster from 'node:cluster'
import Fastify from 'fastify'

/** This text is as long as the answer to a get. */
const answer = {
  success: true,
  version: '1.0',
  data: {
    id: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3d',
    label: 'Database, staging',
    expires_at: '2026-12-20T12:00:00.000000Z',
    folder_id: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3d',
    created_at: '2026-11-20T12:00:00.000000Z',
    link: {
      url: 'http://localhost:3000/9fVHrA0b7PzQ0m0wC3dUuYl8b1o3eN5JxkT2gRq4iEs',
      created_at: '2026-11-20T12:00:00.000000Z',
    },
  },
}

const [port = '0', workers = '1'] = process.argv.slice(2)

if (cluster.isPrimary && Number(workers) > 1) {
  cluster.schedulingPolicy = cluster.SCHED_NONE
  let listening = 0
  cluster.on('listening', () => {
    listening += 1
    if (listening === Number(workers)) console.log('ready')
  })
  for (let forked = 0; forked < Number(workers); forked += 1) cluster.fork()
} else {
  const app = Fastify()
  app.get('/bare', () => answer)
  await app.listen({ host: '127.0.0.1', port: Number(port) })
  if (cluster.isPrimary) console.log('ready')
}
process.on('SIGTERM', () => process.exit(0))
