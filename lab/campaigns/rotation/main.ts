/**
 * Rotates keys in processes that are killed with SIGKILL: before each step of the first batches, then once a batch, then at random times.
 * Reads every row after each kill.
 *
 *     npm run campaign rotation -- [--kills N] [--rows N] [--postgres]
 */
import { conclude, optionsFrom } from '../support/command.ts'
import { makePlace } from '../support/place.ts'
import { startPostgres } from '../support/postgres.ts'
import { addRows, killAtRandom, killAtSteps } from './kills.ts'

const { kills, rows: count, postgres } = optionsFrom({ kills: 200, rows: 500, postgres: false })
const batchSize = 50

const database = postgres ? await startPostgres() : undefined
const place = makePlace(undefined, await database?.newSettings())
const rows = await addRows(place, count)
const atSteps = await killAtSteps(place, rows, steps())
const atRandom = await killAtRandom(place, rows, Math.ceil(kills / 3))
await database?.stop()
place.remove()
const unreadable = atSteps.unreadable + atRandom.unreadable
conclude(
  {
    rows: rows.links.length + rows.drafts + 3,
    files: rows.links.filter(({ file }) => file !== undefined).length + Math.ceil(rows.drafts / 2),
    killedBeforeStep: atSteps.kills,
    killedAtRandom: atRandom.kills,
    keysInTheEnd: atRandom.kids.join(', '),
  },
  [
    ...(unreadable > 0 ? [`${unreadable} rows unreadable`] : []),
    ...(atRandom.kids.length === 1 ? [] : ['rows are under several keys in the end']),
  ],
)

/** Two thirds of the kills happen before a step, a third at a random time. */
function* steps(): Generator<number> {
  for (let number = 0; number < (kills * 2) / 3; number += 1)
    yield number % 3 === 2 ? batchSize + 6 : number % 40
}
