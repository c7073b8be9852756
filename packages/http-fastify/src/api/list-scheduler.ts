import { createPlaces, type ListPlaces, type ListPlacesOptions } from './list-places.ts'
import { createTurns, type ListTurns } from './list-turns.ts'

/** Decides when the lists of one plugin instance read their pages, so that they leave time for other requests. */
export type ListScheduler = ListTurns & ListPlaces

export function createListScheduler(options: ListPlacesOptions = {}): ListScheduler {
  const places = createPlaces(options)
  return { ...createTurns((accountId) => places.isBusy(accountId)), ...places }
}
