import {
  bindAll,
  list,
  result,
  type MethodsOf,
  type PortsOf,
  accountAndId,
  pagesOfAccount,
  token,
} from '@sotto/core/building-blocks'
import { authenticateSession } from './authenticate-session.ts'
import { endSession, listSessions } from './sessions.ts'
import { nameSession } from './name-session.ts'

const useCases = {
  authenticateSession: result(authenticateSession, token),
  listSessions: list(listSessions, pagesOfAccount),
  nameSession: result(nameSession, { ...accountAndId, name: 'string' }),
  endSession: result(endSession, accountAndId),
}

const methods: MethodsOf<typeof useCases> = {
  digests: { opaqueTokenDigest: true },
  clock: { nowMicros: true },
  textCipher: { decryptText: true, encryptText: true },
  keyRing: { follow: true },
  sessions: { recordUse: true, findByDigest: true, page: true, rename: true, erase: true },
}

/** What {@link createSessions} binds its use-cases to. */
export interface SessionsOptions {
  readonly ports: PortsOf<typeof useCases>
}

/** Sessions of browsers: accepting, listing, naming and ending them. Throws a TypeError when a method of a port is missing. */
export function createSessions({ ports }: SessionsOptions) {
  return bindAll(useCases, methods, ports)
}
