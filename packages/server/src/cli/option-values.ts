import { InvalidArgumentError } from 'commander'
import { parseDuration } from './duration.ts'

/** Reads the value of an option that counts something. */
export function countOption(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError('must be a whole number')
  return Number(text)
}

/** Reads the value of an option that is a duration, as seconds. */
export function durationOption(text: string): number {
  const seconds = parseDuration(text)
  if (seconds === undefined) throw new InvalidArgumentError('must be a duration such as 90d, 12h, 30m or 45s')
  return seconds
}
