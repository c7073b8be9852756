import type {
  IdentityProvider,
  IdentityProviderUnreachable,
  ProvenIdentity,
  ProvenLogout,
  SsoRefused,
  SsoRefusedReason,
} from '@sotto/identity'
import { err, errAsync, ok, okAsync, type Result } from 'neverthrow'

/** A person at the identity provider in memory: what it proves about them. */
export type MemoryPerson = Omit<ProvenIdentity, 'issuer' | 'emailVerified' | 'groups' | 'more'> &
  Partial<Pick<ProvenIdentity, 'issuer' | 'emailVerified' | 'groups'>>

/** How the identity provider in memory says what may decide about a person. */
export interface MemoryTelling {
  /** Whether it says address and groups only when it is asked for them. */
  readonly isTerse?: boolean
}

/** An identity provider with the people that a test signs in. */
export interface MemoryIdentityProvider extends IdentityProvider {
  /** Signs a person in at the URL that `begin` answered. Returns where the browser comes back to; it counts once. */
  signIn(url: string, person: MemoryPerson, telling?: MemoryTelling): string

  /** How often it was asked for more about somebody. */
  readonly askedForMore: number

  /** A logout token that `readLogout` reads. */
  logoutToken(logout: Omit<ProvenLogout, 'issuer'>): string

  /** Whether it can be asked from now on. */
  setReachable(isReachable: boolean): void
}

/** What {@link createMemoryIdentityProvider} takes. */
export interface MemoryIdentityProviderOptions {
  /** `https://login.example` by default. */
  readonly issuer?: string
}

/** Makes an identity provider that signs in the people whom a test names. It verifies states, codes and nothing else. For tests only. */
export function createMemoryIdentityProvider({
  issuer = 'https://login.example',
}: MemoryIdentityProviderOptions = {}): MemoryIdentityProvider {
  const codes = new Map<string, ProvenIdentity & { readonly state: string }>()
  let [begun, isReachable, askedForMore] = [0, true, 0]
  const unreachable: IdentityProviderUnreachable = {
    code: 'identity_provider_unreachable',
    reason: 'connection refused',
    isRefusal: false,
  }

  function read(callbackUrl: string, pending: string): Result<ProvenIdentity, SsoRefused> {
    const query = URL.canParse(callbackUrl) ? new URL(callbackUrl).searchParams : undefined
    if (query?.get('state') !== pending) return refused('state')
    const code = query.get('code') ?? ''
    const proven = codes.get(code)
    codes.delete(code)
    if (proven?.state !== pending) return refused('code')
    const { state: _, ...identity } = proven
    return identity.issuer === issuer ? ok(identity) : refused('issuer')
  }

  function terse({ email, emailVerified, groups, ...who }: ProvenIdentity): ProvenIdentity {
    const ask = (): ReturnType<NonNullable<ProvenIdentity['more']>['ask']> => {
      askedForMore += 1
      return isReachable ? okAsync({ email, emailVerified, groups }) : errAsync(unreachable)
    }
    return { ...who, emailVerified: false, groups: [], more: { email: true, groups: true, ask } }
  }

  return {
    issuer,
    get askedForMore() {
      return askedForMore
    },
    begin({ redirectUri, fresh }) {
      if (!isReachable) return errAsync(unreachable)
      begun += 1
      const state = `state-${String(begun)}`
      const query = new URLSearchParams({
        state,
        redirect_uri: redirectUri,
        ...(fresh ? { max_age: '0' } : {}),
      })
      return okAsync({ url: `${issuer}/authorize?${query.toString()}`, pending: state })
    },
    finish: ({ callbackUrl, pending }) =>
      isReachable ? okAsync(undefined).andThen(() => read(callbackUrl, pending)) : errAsync(unreachable),
    readLogout(token) {
      const [prefix, text] = [token.slice(0, logoutPrefix.length), token.slice(logoutPrefix.length)]
      if (prefix !== logoutPrefix) return errAsync({ code: 'sso_refused', reason: 'signature' })
      if (!isReachable) return errAsync(unreachable)
      return okAsync({ ...(parsed(text) as Omit<ProvenLogout, 'issuer'>), issuer })
    },
    signIn(url, person, { isTerse = false } = {}) {
      const query = new URL(url).searchParams
      const [state, code] = [query.get('state') ?? '', `code-${String(codes.size + 1)}-${String(begun)}`]
      const proven = { issuer, emailVerified: false, groups: [], ...person }
      codes.set(code, { ...(isTerse ? terse(proven) : proven), state })
      return `${query.get('redirect_uri') ?? ''}?${new URLSearchParams({ state, code, iss: issuer }).toString()}`
    },
    logoutToken: (logout) => `${logoutPrefix}${JSON.stringify(logout)}`,
    setReachable(is) {
      isReachable = is
    },
  }
}

const logoutPrefix = 'logout:'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function refused(reason: SsoRefusedReason): Result<never, SsoRefused> {
  return err({ code: 'sso_refused', reason })
}
