import { isoMicros } from '@sotto/http-fastify'

/** A moment as the API spells it, for JSON; `null` when there is none. */
export function timeOrNull(micros: number | undefined): string | null {
  return micros === undefined ? null : isoMicros(micros)
}

/** A moment as the API spells it, for a table; empty when there is none. */
export function timeOrEmpty(micros: number | undefined): string {
  return micros === undefined ? '' : isoMicros(micros)
}
