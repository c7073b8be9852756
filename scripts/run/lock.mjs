import * as fs from 'node:fs'
import { join } from 'node:path'
import { codeOf } from './messages.mjs'
import { TOOLS } from './places.mjs'
import { endIfStopped } from './processes.mjs'

const LOCK = join(TOOLS, 'lock')

/** One set-up at a time: two installations into one directory disturb each other.
 * @param {() => Promise<void>} work */
export async function locked(work) {
  fs.mkdirSync(TOOLS, { recursive: true })
  // A symbolic link whose target is the holder's process id: it is created with its content in one atomic step.
  while (!takeLock()) {
    endIfStopped()
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  try {
    await work()
  } finally {
    fs.rmSync(LOCK, { force: true })
  }
}

function takeLock() {
  try {
    fs.symlinkSync(String(process.pid), LOCK)
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    if (isAbandoned(LOCK)) fs.rmSync(LOCK, { force: true })
    return false
  }
}

/** @param {string} lock */
function isAbandoned(lock) {
  try {
    if (Date.now() - fs.lstatSync(lock).mtimeMs > 15 * 60_000) return true
    const holder = Number(fs.readlinkSync(lock))
    return holder === process.pid || !process.kill(holder, 0)
  } catch (error) {
    return codeOf(error) === 'ESRCH'
  }
}
