// Loaded into a server before its own code. It imitates a machine that has run for a day, and whose wall clock is set by a signal. Timers
// of a minute, such as that of the sweep, take half a second. The steady clock stays as it is.
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

let aheadMillis = 0
const { now } = Date
Date.now = () => now() + aheadMillis
process.on('SIGUSR2', () => {
  aheadMillis = Number(readFileSync(process.env['CLOCK_FILE'] ?? '', 'utf8'))
})

// Node.js ignores it, so that a write beyond the limit of a file's size is an error. A test runner may load something that ends the process.
process.on('SIGXFSZ', () => undefined)

const { uptime } = os
os.uptime = () => uptime() + 86_400
syncBuiltinESMExports()

const every = globalThis.setInterval
const soon = (call: () => void, millis?: number): NodeJS.Timeout =>
  every(call, millis === 60_000 ? 500 : millis)
globalThis.setInterval = soon
