import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { codeOf } from './messages.mjs'
import { TOOLS } from './places.mjs'
import { endIfStopped } from './processes.mjs'

const NAME = /^lock-(\d+)-[0-9a-f-]{36}$/

/** Runs one set-up at a time: two installations into one directory disturb each other.
 * @param {() => Promise<void>} work */
export async function locked(work) {
  fs.mkdirSync(TOOLS, { recursive: true })
  // Each process has a lock of its own name, so that whoever removes an abandoned lock cannot remove another one.
  const lock = `lock-${process.pid}-${randomUUID()}`
  try {
    while (!takeLock(lock)) {
      endIfStopped()
      // Two processes that made their locks at the same time both give way. They try again at different times.
      await new Promise((resolve) => setTimeout(resolve, 100 + 200 * Math.random()))
    }
    await work()
  } finally {
    remove(lock)
  }
}

/** Whoever makes a lock and then finds no other one has it: of two, the one that looks later finds the other's.
 * @param {string} lock */
function takeLock(lock) {
  if (isOtherHeld(lock)) return false
  fs.writeFileSync(join(TOOLS, lock), '', { flag: 'wx' })
  if (!isOtherHeld(lock)) return true
  remove(lock)
  return false
}

/** Whether another process has a lock. Abandoned ones are removed.
 * @param {string} lock */
function isOtherHeld(lock) {
  const others = fs.readdirSync(TOOLS).filter((name) => NAME.test(name) && name !== lock)
  const abandoned = others.filter(isAbandoned)
  abandoned.forEach(remove)
  return abandoned.length < others.length
}

/** @param {string} lock */
function isAbandoned(lock) {
  try {
    if (Date.now() - fs.lstatSync(join(TOOLS, lock)).mtimeMs > 15 * 60_000) return true
    const holder = Number(NAME.exec(lock)?.[1])
    return holder === process.pid || !process.kill(holder, 0)
  } catch (error) {
    // ENOENT: it was released since it was listed.
    return ['ESRCH', 'ENOENT'].includes(String(codeOf(error)))
  }
}

/** @param {string} lock */
function remove(lock) {
  fs.rmSync(join(TOOLS, lock), { force: true })
}
