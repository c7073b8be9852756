import { spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'

/** A named pipe that another process reads. */
export interface Pipe {
  /** The file descriptor of the end that is written to. */
  readonly fd: number
  close(): void
}

export function openPipe(path: string): Pipe {
  const { status } = spawnSync('mkfifo', [path])
  if (status !== 0) throw new Error('there is no mkfifo')
  const reader = spawn('cat', [path], { stdio: 'ignore' })
  const fd = openSync(path, 'w')
  return {
    fd,
    close() {
      closeSync(fd)
      reader.kill()
    },
  }
}
