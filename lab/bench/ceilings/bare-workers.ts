// What several processes cost a server that does nothing: Fastify with one route, shared as the server shares its port.
// Usage: node bare-workers.ts PORT WORKERS
import cluster from 'node:cluster'
import Fastify from 'fastify'
import { answer } from './answer.ts'

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
