import { isBareOrigin } from '@sotto/http-fastify/settings'
import * as Type from 'typebox'
import { isWholeNumber } from './setting-rules.ts'

/** The kinds of settings, of which the schema is made. */

/** The schema of one variable. `accepts` checks its value; `takes` describes the same rule in words. */
export function setting<T>(options: {
  readonly description: string
  readonly takes: string
  readonly default?: string
  /** A default that depends on another setting, in Markdown. */
  readonly derived?: string
  readonly accepts: (text: string) => boolean
  readonly read: (text: string) => T
}) {
  const { accepts, read, ...documented } = options
  return Type.Decode(Type.Refine(Type.String(documented), accepts), read)
}

/** A whole number within bounds. */
export function wholeNumber({
  min,
  max,
  ...documented
}: {
  default?: string
  derived?: string
  min: number
  max: number
  description: string
}) {
  return setting({
    ...documented,
    takes: `a whole number from ${min} to ${max}`,
    accepts: (text) => isWholeNumber(text, { min, max }),
    read: Number,
  })
}

/** `true` or `false`. */
export function flag(options: { default: 'true' | 'false'; description: string }) {
  return setting({
    ...options,
    takes: 'true or false',
    accepts: (text) => text === 'true' || text === 'false',
    read: (text) => text === 'true',
  })
}

/** A path, relative to the working directory. */
export function path(options: { default?: string; derived?: string; description: string }) {
  return setting({ ...options, takes: 'a path', accepts: (text) => text !== '', read: (text) => text })
}

const originTakes =
  'a bare origin in lower case, such as https://sotto.example.org: no path, no slash at its end, no port that is the usual one, no letters but a to z'

/** A bare origin, such as `https://sotto.example.org`. */
export function origin(options: { derived: string; description: string }) {
  return setting({ ...options, takes: originTakes, accepts: isBareOrigin, read: (text) => text })
}

/**
 * The bare origin that a refused value is another spelling of: with the usual port, a slash at its end, or letters that the name of a host
 * spells otherwise (UTS 46). It is in every link, so it may be shown. `undefined` for every other value, and for other settings.
 */
export function spelledOrigin(takes: string, text: string): string | undefined {
  const url = takes === originTakes ? URL.parse(text) : null
  if (url === null) return undefined
  return url.href === `${url.origin}/` && isBareOrigin(url.origin) ? url.origin : undefined
}
