import { isIP, isIPv4 } from 'node:net'
import { isHostName } from '@sotto/http-fastify/settings'

/** The rules for the values of settings. None throws. */

/** An IP address, or a host name. */
export function isHost(text: string): boolean {
  return isIP(text) !== 0 || isHostName(text)
}

/** A host of this machine, as the host of a URL is written. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
}

/** The URL of a PostgreSQL database, with a host or several, separated by commas, and the name of the database. */
export function isDatabaseUrl(text: string): boolean {
  const [, before = '', hosts = '', after = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? []
  return !/\s/.test(text) && hosts.split(',').every((host) => isUrlOfOneHost(before + host + after))
}

function isUrlOfOneHost(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && url.hostname !== '' && /^\/[^/]+$/.test(url.pathname) && url.hash === ''
}

/** A whole number in plain digits: no sign, no space, no leading zero, no exponent. */
export function isWholeNumber(text: string, { min, max }: { min: number; max: number }): boolean {
  if (!/^(?:0|[1-9][0-9]{0,14})$/.test(text)) return false
  return Number(text) >= min && Number(text) <= max
}

/** The parts of a list that is separated by commas, without the spaces around them; none for an empty text. */
export function partsOf(text: string): string[] {
  return text.trim() === '' ? [] : text.split(',').map((part) => part.trim())
}

/** The fault of two settings of which only one is set. */
export function bothOrNeither(values: NodeJS.ProcessEnv, one: string, other: string): string[] {
  if ((values[one] === undefined) === (values[other] === undefined)) return []
  const [set, missing] = values[one] === undefined ? [other, one] : [one, other]
  return [`${set} needs ${missing}: set both or neither`]
}
