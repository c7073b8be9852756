import { connect, type Socket } from 'node:net'

/** A request whose body never ends. */
export interface HalfBody {
  readonly origin: string
  readonly path: string
  /** Further lines of its head. */
  readonly lines: readonly string[]
  /** The length of the body that its head announces, of which half is sent. */
  readonly length: number
}

/** Connections that wait with half-sent bodies. */
export interface HalfBodies {
  /** The most that were open at the same time. */
  readonly held: number
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<string, number>>
  end(): void
}

/** Holds so many connections with half-sent bodies. Each that the server closes is replaced. */
export function holdHalfBodies(connections: number, body: HalfBody): HalfBodies {
  const open = new Set<Socket>()
  const statuses: Record<string, number> = {}
  let held = 0
  let isOver = false
  const hold = (): void => {
    const socket = begin(body)
    socket.on('connect', () => {
      open.add(socket)
      held = Math.max(held, open.size)
    })
    socket.once('data', (answer: Buffer) => {
      const status = answer.toString('latin1', 9, 12)
      statuses[status] = (statuses[status] ?? 0) + 1
    })
    socket.on('close', () => {
      open.delete(socket)
      if (!isOver) setTimeout(hold, 1_000)
    })
  }
  for (let n = 0; n < connections; n += 1) hold()
  return {
    get held() {
      return held
    },
    statuses,
    end() {
      isOver = true
      for (const socket of open) socket.destroy()
    },
  }
}

function begin({ origin, path, lines, length }: HalfBody): Socket {
  const { hostname, port, host } = new URL(origin)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  const type = 'Content-Type: application/x-www-form-urlencoded'
  const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, type, `Content-Length: ${length}`, ...lines]
  socket.write(`${head.join('\r\n')}\r\n\r\nnote=`)
  socket.write(Buffer.alloc(Math.floor(length / 2), 'x'))
  return socket
}
