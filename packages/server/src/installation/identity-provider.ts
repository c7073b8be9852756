import type { IdentityProvider } from '@sotto/identity'
import type { Clock } from '@sotto/core'
import type { Settings } from '../config/settings.ts'

/** The identity provider of an installation, where one is set up. Nothing of it is loaded otherwise, and it is not asked before a sign-in. */
export async function openIdentityProvider(
  { singleSignOn }: Pick<Settings, 'singleSignOn'>,
  clock: Clock,
): Promise<IdentityProvider | undefined> {
  if (singleSignOn === undefined) return undefined
  const { createIdentityProvider } = await import('@sotto/adapter-oidc')
  return createIdentityProvider({ ...singleSignOn, clock })
}
