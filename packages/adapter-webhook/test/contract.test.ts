import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  runContract,
  webhookSenderContract,
  type ReceiverBehaviour,
  type WebhookSenderHarness,
} from '@sotto/test-kit'
import t from 'tap'
import { createWebhookSender } from '../src/index.ts'

const harness: WebhookSenderHarness = {
  supports: ['fails', 'defers', 'leaves', 'hangs', 'closes', 'absent'],
  async open() {
    const receiver = createReceiver()
    await receiver.listen()
    const allow = ['127.0.0.0/8']
    // Only a receiver that hangs is waited for in vain: any other one may be slow on a busy machine.
    const [hasty, patient] = [
      createWebhookSender({ allow, timeoutMillis: 1_000 }),
      createWebhookSender({ allow }),
    ]
    let isHanging = false
    return {
      sender: {
        checkUrl: (url) => patient.checkUrl(url),
        send: (request) => (isHanging ? hasty : patient).send(request),
      },
      url: `http://127.0.0.1:${receiver.port()}/hook`,
      refusedUrls: ['https://10.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/'],
      withinMillis: 20_000,
      serve(behaviour) {
        isHanging = behaviour === 'hangs'
        return receiver.serve(behaviour)
      },
      taken: () => receiver.taken(),
      async dispose() {
        hasty.close()
        patient.close()
        await receiver.close()
      },
    }
  },
}

runContract(t.test, webhookSenderContract, harness)

function createReceiver() {
  let current: 'takes' | ReceiverBehaviour = 'takes'
  let taken = 0
  let port = 0
  const server: Server = createServer((request, response) => {
    request.resume().once('end', () => {
      if (current === 'takes') taken += 1
      answer(response, current)
    })
  })
  const close = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  const listen = async (): Promise<void> => {
    if (server.listening) return
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  return {
    listen,
    close,
    port: () => port,
    taken: () => taken,
    async serve(behaviour: typeof current) {
      current = behaviour
      if (behaviour === 'absent') await close()
      else await listen()
    },
  }
}

function answer(response: ServerResponse, behaviour: 'takes' | ReceiverBehaviour): void {
  if (behaviour === 'takes') response.writeHead(204).end()
  if (behaviour === 'fails') response.writeHead(503).end()
  if (behaviour === 'defers') response.writeHead(429, { 'retry-after': '7' }).end()
  if (behaviour === 'leaves') response.writeHead(410).end()
  if (behaviour === 'closes') response.destroy()
}
