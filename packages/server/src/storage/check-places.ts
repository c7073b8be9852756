import { err, ok, type Result } from 'neverthrow'
import type { Settings } from '../config/settings.ts'
import { placeFaults } from './places.ts'
import type { Surroundings } from '../cli/command.ts'
import type { PlaceUnsafe } from '../errors/errors.ts'

/**
 * Checks the places of data and keys: an error where nothing may be kept, because others can replace it; a warning where they may be able
 * to.
 */
export function checkPlaces({ stderr }: Surroundings, settings: Settings): Result<void, PlaceUnsafe> {
  const faults = placeFaults(settings)
  const fatal = faults.filter(({ isFatal }) => isFatal)
  if (fatal.length > 0) return err({ code: 'place_unsafe', faults: fatal.map(({ text }) => text) })
  for (const { text } of faults) stderr.write(`sotto: ${text}\n`)
  return ok()
}
