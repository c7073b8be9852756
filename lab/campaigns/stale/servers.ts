import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createNodeCrypto, type NodeCryptoOptions } from '@sotto/adapter-node-crypto'
import { startServer, type Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { bundle } from '../support/bundle.ts'
import { openPlace, type Place } from '../support/place.ts'
import { serve } from '../support/served.ts'

export interface Servers {
  readonly origins: readonly string[]
  stop(): Promise<void>
}

export interface Program {
  /** Starts two servers. `onRefusal` is called with the process that has refused a request. */
  start(place: Place, onRefusal: (pid: string) => void): Promise<Servers>
  remove(): void
}

/** The program of the server, bundled as it is published. */
export async function makeProgram(): Promise<Program> {
  const main = new URL('../../../packages/server/src/main.ts', import.meta.url)
  const { programs, remove } = await bundle({ main })
  const program = fileURLToPath(programs.main)
  return {
    remove,
    async start(place, onRefusal) {
      const onLog = (line: string): void => {
        const [, pid] = /"pid":(\d+),.*"status":40[014]\b/.exec(line) ?? []
        if (pid !== undefined) onRefusal(pid)
        else if (!line.startsWith('{"level":30,')) console.error(line)
      }
      const servers = await Promise.all([serve(program, place, onLog), serve(program, place, onLog)])
      return {
        origins: servers.map(({ origin }) => origin),
        async stop() {
          await Promise.all(servers.map((server) => server.stop()))
        },
      }
    },
  }
}

/** What a server that is broken on purpose never looks at again: who sent a token, or which key is the active one. */
export type Remembered = 'tokens' | 'keys'

/** Starts a server in this process that is broken on purpose. */
export async function startForgetful(place: Place, remembered: Remembered): Promise<Servers> {
  const installation = await openPlace(
    place,
    remembered === 'keys' ? { createCrypto: cryptoUnderFirstKey } : {},
  )
  const sotto = remembered === 'tokens' ? rememberTokens(installation.sotto) : installation.sotto
  const logStream = new PassThrough().resume()
  const server = expectOk(await startServer({ installation: { ...installation, sotto }, logStream }))
  return {
    origins: [server.address],
    async stop() {
      await server.stop()
      await installation.close()
    },
  }
}

function rememberTokens(sotto: Installation['sotto']): Installation['sotto'] {
  const known = new Map<string, ReturnType<typeof sotto.authenticate>>()
  const authenticate: typeof sotto.authenticate = (input) => {
    const caller = known.get(input.token) ?? sotto.authenticate(input)
    known.set(input.token, caller)
    return caller
  }
  return { ...sotto, authenticate }
}

function cryptoUnderFirstKey(options: NodeCryptoOptions) {
  const first = options.ring.active()
  return createNodeCrypto({ ...options, ring: { ...options.ring, active: () => first } })
}
