import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Test } from 'tap'

/** What a name server says: addresses (IPv4 and `::1`), or a response code (RFC 1035, section 4.1.1). */
type NameAnswer = readonly string[] | 'server failure' | 'no such name'

export interface NameServer {
  /** As `dns.setServers` takes it. */
  readonly address: string
  readonly asked: readonly string[]
}

/** A DNS server on 127.0.0.1. */
export async function startNameServer(
  t: Test,
  names: Readonly<Record<string, NameAnswer>>,
): Promise<NameServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, end, type } = questionOf(query)
    asked.push(name)
    socket.send(answerTo(query.subarray(0, end), type, names[name] ?? 'no such name'), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

function questionOf(query: Buffer): { readonly name: string; readonly end: number; readonly type: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5, type: query.readUInt16BE(at + 1) }
}

const typeA = 1
const typeAAAA = 28

function answerTo(question: Buffer, type: number, answer: NameAnswer): Buffer {
  const isText = typeof answer === 'string'
  const code = answer === 'server failure' ? 2 : answer === 'no such name' ? 3 : 0
  const records = isText ? [] : answer.map(recordOf).filter((record) => record.type === type)
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180 | code, 2) // an answer, recursion wanted and available
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...records.map(({ bytes }) => bytes)])
}

function recordOf(address: string): { readonly type: number; readonly bytes: Buffer } {
  const isIPv6 = address === '::1'
  const data = isIPv6 ? Buffer.alloc(16) : Buffer.from(address.split('.').map(Number))
  if (isIPv6) data.writeUInt8(1, 15)
  const type = isIPv6 ? typeAAAA : typeA
  const bytes = Buffer.alloc(12)
  bytes.writeUInt16BE(0xc00c, 0) // the name of the question
  bytes.writeUInt16BE(type, 2)
  bytes.writeUInt16BE(1, 4)
  bytes.writeUInt16BE(data.length, 10)
  return { type, bytes: Buffer.concat([bytes, data]) }
}
