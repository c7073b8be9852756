import { createIdentityProvider } from '@sotto/adapter-oidc'
import { createManualClock, expectOk } from '@sotto/test-kit'
import {
  clientId,
  clientSecret,
  startLyingProvider,
} from '../../../packages/adapter-oidc/test/support/lying-provider.ts'
import { createChance } from '../support/chance.ts'
import { logoutTamperings, tamperings, withoutSignature } from './tampering.ts'

export interface SsoCampaignOptions {
  readonly attempts: number
  readonly seed: number
}

const redirectUri = 'https://sotto.example/login/sso/callback'

/**
 * Tampers with one thing in each sign-in and each logout token, and counts what is accepted all the same. Every kind has its turn; now and then
 * nothing is changed, and that has to be accepted.
 */
export async function runSsoCampaign({ attempts, seed }: SsoCampaignOptions) {
  const chance = createChance(seed)
  const clock = createManualClock(Date.UTC(2030, 0, 1) * 1_000)
  const provider = await startLyingProvider(clock.nowMicros)
  const { issuer } = provider
  const identities = createIdentityProvider({ issuer, clientId, clientSecret, clock })
  const begin = async (fresh = false) => expectOk(await identities.begin({ redirectUri, fresh }))
  const figures = { attempts: 0, refused: 0, honest: 0 }
  const violations: string[] = []

  const kinds = [
    ...tamperings.map((each) => ({
      name: each.name,
      async isAccepted() {
        const [own, others] = [await begin(each.fresh), await begin()]
        provider.lies = each.lies?.(chance) ?? {}
        const [mine, theirs] = [own, others].map(({ url, pending }) => ({
          callbackUrl: provider.signIn(url),
          pending,
        })) as [Callback, Callback]
        const proven = await identities.finish(each.callback?.(mine, theirs, chance) ?? mine)
        if (proven.isErr()) return false
        const { more } = proven.value
        return more === undefined || (await more.ask()).isOk()
      },
    })),
    ...logoutTamperings.map(({ name, claims, header, isForged }) => ({
      name,
      async isAccepted() {
        const token = provider.logoutToken(
          (honest) => ({ ...honest, ...claims?.(honest, chance) }),
          (honest) => ({ ...honest, ...header?.(honest, chance) }),
        )
        const [head = '', body = ''] = token.split('.')
        const forged = isForged === true ? withoutSignature(decoded(head), decoded(body), chance) : token
        return (await identities.readLogout(forged)).isOk()
      },
    })),
  ]
  try {
    for (let at = 0; at < attempts; at += 1) {
      const kind = kinds[at % kinds.length]
      if (kind === undefined) break
      figures.attempts += 1
      if (await kind.isAccepted()) violations.push(`accepted: ${kind.name}`)
      else figures.refused += 1
      if (at % 50 !== 0) continue
      provider.lies = {}
      const { url, pending } = await begin()
      const honest = await identities.finish({ callbackUrl: provider.signIn(url), pending })
      const logout = await identities.readLogout(provider.logoutToken())
      if (honest.isOk() && logout.isOk()) figures.honest += 1
      else violations.push('an honest sign-in or logout was refused')
    }
  } finally {
    await provider.setReachable(false)
  }
  return { figures, violations: [...new Set(violations)] }
}

interface Callback {
  readonly callbackUrl: string
  readonly pending: string
}

function decoded(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
}
