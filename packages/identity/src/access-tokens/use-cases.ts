import {
  aListOfStrings,
  optional,
  bindAll,
  list,
  result,
  type MethodsOf,
  type PortsOf,
  account,
  accountAndId,
  pagesOfAccount,
  token,
} from '@sotto/core/building-blocks'
import { authenticate } from './authenticate.ts'
import { createAccessToken, listAccessTokens, revokeAccessToken } from './access-tokens.ts'

const useCases = {
  authenticate: result(authenticate, token),
  createAccessToken: result(createAccessToken, {
    ...account,
    name: 'string',
    scopes: optional(aListOfStrings),
    expiresInSeconds: 'number?',
  }),
  listAccessTokens: list(listAccessTokens, pagesOfAccount),
  revokeAccessToken: result(revokeAccessToken, accountAndId),
}

const methods: MethodsOf<typeof useCases> = {
  digests: { accessTokenDigest: true },
  clock: { nowMicros: true },
  textCipher: { encryptText: true, decryptText: true },
  keyRing: { follow: true },
  random: { bytes: true },
  accessTokens: { findUsable: true, recordUse: true, insert: true, page: true, revoke: true },
}

/** What {@link createAccessTokens} binds its use-cases to. */
export interface AccessTokensOptions {
  readonly ports: PortsOf<typeof useCases>
}

/** Access tokens: making, listing, revoking and accepting them. Throws a TypeError when a method of a port is missing. */
export function createAccessTokens({ ports }: AccessTokensOptions) {
  return bindAll(useCases, methods, ports)
}
