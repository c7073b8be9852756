import { generateKeyPairSync, sign } from 'node:crypto'
import {
  logoutEvent,
  type LyingProvider,
} from '../../../packages/adapter-oidc/test/support/lying-provider.ts'
import type { Chance } from '../support/chance.ts'

type Values = Record<string, unknown>

/** One thing that is not as the provider made it. */
export interface Tampering {
  readonly name: string
  readonly fresh?: boolean
  /** What the provider is made to say. */
  readonly lies?: (chance: Chance) => LyingProvider['lies']
  /** What is done to what the browser brings back. */
  readonly callback?: (callback: Callback, others: Callback, chance: Chance) => Callback
}

export interface Callback {
  readonly callbackUrl: string
  readonly pending: string
}

const claims =
  (change: (honest: Values, chance: Chance) => Values) =>
  (chance: Chance): LyingProvider['lies'] => ({
    claims: (honest) => ({ ...honest, ...change(honest, chance) }),
  })
const inQuery =
  (change: (query: URLSearchParams, chance: Chance) => void) =>
  ({ callbackUrl, pending }: Callback, _: Callback, chance: Chance): Callback => {
    const url = new URL(callbackUrl)
    change(url.searchParams, chance)
    return { callbackUrl: url.href, pending }
  }

/** Lies about a sign-in. Each is one whatever values are drawn. */
export const tamperings: readonly Tampering[] = [
  { name: 'state', callback: inQuery((query, chance) => query.set('state', text(chance, 43))) },
  {
    name: 'iss',
    callback: inQuery((query, chance) => query.set('iss', `https://${text(chance, 9)}.example`)),
  },
  { name: 'no iss', callback: inQuery((query) => query.delete('iss')) },
  { name: 'code', callback: inQuery((query, chance) => query.set('code', text(chance, 36))) },
  { name: 'no code', callback: inQuery((query) => query.delete('code')) },
  { name: 'the cookie of another', callback: (own, others) => ({ ...own, pending: others.pending }) },
  { name: 'the callback of another', callback: (own, others) => ({ ...others, pending: own.pending }) },
  {
    name: 'the code of another',
    callback(own, others) {
      const url = new URL(own.callbackUrl)
      url.searchParams.set('code', new URL(others.callbackUrl).searchParams.get('code') ?? '')
      return { ...own, callbackUrl: url.href }
    },
    lies: () => ({ isCareless: true }),
  },
  { name: 'nonce', lies: claims((_, chance) => ({ nonce: text(chance, 43) })) },
  { name: 'issuer', lies: claims((_, chance) => ({ iss: `https://${text(chance, 9)}.example` })) },
  { name: 'audience', lies: claims((_, chance) => ({ aud: text(chance, 9) })) },
  { name: 'audiences', lies: claims((_, chance) => ({ aud: [text(chance, 9)] })) },
  { name: 'party', lies: claims((_, chance) => ({ aud: ['sotto', 'other'], azp: text(chance, 9) })) },
  {
    name: 'expired',
    lies: claims(({ iat }, chance) => ({ exp: Number(iat) - 61 - chance.between(0, 1e6 - 1) })),
  },
  {
    name: 'not yet',
    lies: claims(({ iat }, chance) => ({ nbf: Number(iat) + 61 + chance.between(0, 1e6 - 1) })),
  },
  {
    name: 'issued later',
    lies: claims(({ iat }, chance) => ({ iat: Number(iat) + 61 + chance.between(0, 1e6 - 1) })),
  },
  {
    name: 'subject',
    lies: claims((_, chance) => ({ sub: chance.pick<unknown>([1, '', null, {}, 'x'.repeat(256)]) })),
  },
  {
    name: 'not fresh',
    fresh: true,
    lies: claims(({ iat }, chance) => ({ auth_time: Number(iat) - 61 - chance.between(0, 1e6 - 1) })),
  },
  { name: 'never fresh', fresh: true, lies: claims(() => ({ auth_time: undefined })) },
  {
    name: 'userinfo of another',
    lies: (chance) => ({
      ...claims(() => ({ groups: undefined }))(chance),
      userinfo: { sub: text(chance, 9) },
    }),
  },
  {
    name: 'signature',
    lies: (chance) => ({ signed: (header, body) => withoutSignature(header, body, chance) }),
  },
]

/** Lies in a logout token: what is changed in the claims and the header of one that is in order. */
export const logoutTamperings: readonly {
  readonly name: string
  readonly claims?: (honest: Values, chance: Chance) => Values
  readonly header?: (honest: Values, chance: Chance) => Values
  readonly isForged?: boolean
}[] = [
  { name: 'issuer of a logout', claims: (_, chance) => ({ iss: `https://${text(chance, 9)}.example` }) },
  { name: 'audience of a logout', claims: (_, chance) => ({ aud: text(chance, 9) }) },
  {
    name: 'events',
    claims: (_, chance) => ({
      events: chance.pick<unknown>([undefined, null, [], {}, { [logoutEvent]: 1 }]),
    }),
  },
  { name: 'nonce of a logout', claims: (_, chance) => ({ nonce: text(chance, 9) }) },
  { name: 'nobody', claims: () => ({ sub: undefined, sid: undefined }) },
  { name: 'no expiry', claims: () => ({ exp: undefined }) },
  {
    name: 'expired logout',
    claims: ({ iat }, chance) => ({ exp: Number(iat) - 61 - chance.between(0, 1e6 - 1) }),
  },
  {
    name: 'later logout',
    claims: ({ iat }, chance) => ({ iat: Number(iat) + 61 + chance.between(0, 1e6 - 1) }),
  },
  { name: 'no name', claims: (_, chance) => ({ jti: chance.pick([undefined, '', 1, 'x'.repeat(256)]) }) },
  {
    name: 'type',
    header: (_, chance) => ({ typ: chance.pick([undefined, 'JWT', 'at+jwt', text(chance, 9)]) }),
  },
  { name: 'signature of a logout', isForged: true },
]

/** A token that is signed with another key, with none, at random, or for another payload. */
export function withoutSignature(header: Values, body: Values, chance: Chance): string {
  const encoded = (value: Values): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const input = `${encoded(header)}.${encoded(body)}`
  switch (chance.between(0, 4 - 1)) {
    case 0:
      return `${encoded({ ...header, alg: 'none' })}.${encoded(body)}.`
    case 1:
      return `${input}.${Buffer.from(Array.from({ length: 64 }, () => chance.between(0, 256 - 1))).toString('base64url')}`
    case 2:
      return `${encoded({ ...header, alg: 'HS256' })}.${encoded(body)}.${text(chance, 43)}`
    default: {
      const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
      return `${input}.${signature.toString('base64url')}`
    }
  }
}

/** Letters by chance. */
function text(chance: Chance, length: number): string {
  return Array.from({ length }, () => String.fromCharCode(chance.between(97, 122))).join('')
}
