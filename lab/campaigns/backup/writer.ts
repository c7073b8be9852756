import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../support/child.ts'
import { addOwner, type Owner } from '../support/owner.ts'
import { openPlace, placeIn, type Place } from '../support/place.ts'

const child = fileURLToPath(new URL('./write-process.ts', import.meta.url))

/** A process that writes to an installation. */
export interface Writer {
  readonly owner: Owner
  /** How many of its writes have been acknowledged. */
  acknowledged(): number
  stop(): Promise<void>
}

export async function startWriter({ directory, env }: Place): Promise<Writer> {
  const installation = await openPlace(placeIn(directory))
  const owner = await addOwner(installation.sotto)
  await installation.close()
  const { accountId, folderId } = owner
  const writer = spawn(process.execPath, [child, directory, accountId, folderId], {
    env: { ...env, NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let acknowledged = 0
  writer.stdout
    .setEncoding('utf8')
    .on('data', (text: string) => (acknowledged += text.split('\n').length - 1))
  const ended = once(writer, 'close')
  await Promise.race([once(writer.stdout, 'data'), ended])
  return {
    owner,
    acknowledged() {
      if (writer.exitCode !== null) throw new Error(`the writer ended with ${writer.exitCode}`)
      return acknowledged
    },
    async stop() {
      writer.kill('SIGKILL')
      await ended
    },
  }
}
