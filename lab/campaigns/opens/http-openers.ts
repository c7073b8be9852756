import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Place } from '../support/place.ts'
import type { Opener, OpensAnswer, OpensRequest } from './opener-process.ts'

/** Connections of each opener. */
const connections = 32

/** Starts a server with workers, and recipients who open over HTTP. The last of them to end stops the server. */
export async function startHttpOpeners(
  { directory, env }: Place,
  { openers, workers }: { readonly openers: number; readonly workers: number },
): Promise<readonly Opener[]> {
  const program = fileURLToPath(new URL('../../../packages/server/src/main.ts', import.meta.url))
  const settings = { ...env, SOTTO_WORKERS: String(workers), SOTTO_LOG_LEVEL: 'info' }
  const server = spawn(process.execPath, [program, 'serve', '--json'], { cwd: directory, env: settings })
  const ended = once(server, 'close')
  const answeredBy = followLog(server.stderr)
  const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string]
  const { listening: origin } = JSON.parse(line) as { listening: string }
  let left = openers
  return Array.from({ length: openers }, () => {
    const agent = new Agent({ keepAlive: true, maxSockets: connections })
    return {
      open: (request) => openManyTimes(request, { origin, agent, answeredBy }),
      async end() {
        agent.destroy()
        left -= 1
        if (left === 0) server.kill('SIGTERM')
        await ended
      },
    }
  })
}

/** The process that has answered a request, by the id of the request. */
type AnsweredBy = (requestId: string) => Promise<number>

function followLog(log: NodeJS.ReadableStream): AnsweredBy {
  const pids = new Map<string, number>()
  createInterface({ input: log }).on('line', (line) => {
    const [, pid, id] = /"pid":(\d+),.*"reqId":"([^"]+)".*"status":200/.exec(line) ?? []
    if (id !== undefined) pids.set(id, Number(pid))
  })
  return async (id) => {
    for (;;) {
      const pid = pids.get(id)
      if (pid !== undefined) return pid
      await pause(5)
    }
  }
}

interface Recipients {
  readonly origin: string
  readonly agent: Agent
  readonly answeredBy: AnsweredBy
}

interface Counting {
  readonly notes: string[]
  readonly tickets: string[]
  readonly deliveries: string[]
  readonly unexpected: string[]
  refused: number
  gone: number
  retries: number
}

async function openManyTimes(request: OpensRequest, recipients: Recipients): Promise<OpensAnswer> {
  const counts = { refused: 0, gone: 0, retries: 0 }
  const answer: Counting = { notes: [], tickets: [], deliveries: [], unexpected: [], ...counts }
  const opens: Promise<void>[] = []
  while (opens.length < request.times) {
    for (let begun = 0; begun < request.perTurn && opens.length < request.times; begun += 1)
      opens.push(openOnce(request, recipients, answer))
    await turn()
  }
  await Promise.all(opens)
  const { deliveries, ...counted } = answer
  const deliveredBy = await Promise.all(deliveries.map((id) => recipients.answeredBy(id)))
  return { ...counted, deliveredBy: [...new Set(deliveredBy)] }
}

/** One recipient, who retries as often as the answer allows it. */
async function openOnce(
  { token, password, proof }: OpensRequest,
  { origin, agent }: Recipients,
  answer: Counting,
): Promise<void> {
  for (;;) {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const sent = httpRequest(`${origin}/${token}`, { method: 'POST', agent, headers })
    sent.end(JSON.stringify({ password, proof }))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const body = await text(response)
    const { statusCode: status = 0 } = response
    if (status === 200) {
      const { data } = JSON.parse(body) as { data: { note: string; files?: readonly { url: string }[] } }
      answer.notes.push(data.note)
      answer.tickets.push(...(data.files ?? []).map(({ url }) => new URL(url).pathname.split('/')[2] ?? ''))
      answer.deliveries.push(String(response.headers['x-request-id']))
      return
    }
    if (status === 403) return void (answer.refused += 1)
    if (status === 404) return void (answer.gone += 1)
    if (status !== 503 && !(status === 429 && password !== undefined))
      return void answer.unexpected.push(`${status} ${body}`)
    answer.retries += 1
    await pause(20 + Math.random() * 180)
  }
}
