/**
 * Rotates keys in processes that are killed with SIGKILL: before each step of the first batches, then once a batch, then at random times.
 * Reads every row after each kill. Exit code 1 if one could not be read.
 *
 *     npm run campaign:rotation -- [--postgres] [KILLS] [ROWS]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../../../../adapter-postgres/test/support/server.ts'
import { addRows, killAtRandom, killAtSteps } from '../support/killed-rotation.ts'

const args = process.argv.slice(2).filter((arg) => arg !== '--')
const [kills = 200, count = 500] = args.filter((arg) => arg !== '--postgres').map(Number)
const batchSize = 50

const cwd = mkdtempSync(join(tmpdir(), 'sotto-rotation-'))
process.on('exit', () => rmSync(cwd, { recursive: true, force: true }))
const database = args.includes('--postgres') ? await startServer() : undefined
const env = database && { SOTTO_DATABASE_URL: await database.newDatabase() }
const place = { cwd, env }
const rows = await addRows(place, count)
const report = (done: number): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} kills`)
}

/** Two thirds of the kills happen before a step, a third at a random time. */
function* steps(): Generator<number> {
  for (let number = 0; number < (kills * 2) / 3; number += 1)
    yield number % 3 === 2 ? batchSize + 6 : number % 40
}

const atSteps = await killAtSteps(place, rows, steps(), report)
const atRandom = await killAtRandom(place, rows, Math.ceil(kills / 3), report)
await database?.stop()
const unreadable = atSteps.unreadable + atRandom.unreadable
console.log(
  `${rows.links.length + rows.drafts + 3} rows; killed ${atSteps.kills} times before a step and ${atRandom.kills} times at ` +
    `random; ${unreadable} rows unreadable; in the end all under key ${atRandom.kids.join(', ')}`,
)
process.exitCode = unreadable === 0 && atRandom.kids.length === 1 ? 0 : 1
