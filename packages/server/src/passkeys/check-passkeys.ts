import type { PasskeyStore } from '@sotto/identity'
import type { Finding } from '@sotto/core'
import { counted } from '../shared/text.ts'
import { bad, good, unchecked } from '../shared/finding.ts'

const check = 'passkeys'

/** Checks that the owners' passkeys are for the host of the base URL: a browser offers no others. Finds nothing where there are none. */
export async function checkPasskeys({
  passkeys,
  baseUrl,
}: {
  readonly passkeys: Pick<PasskeyStore, 'hosts'>
  readonly baseUrl: string | undefined
}): Promise<readonly Finding[]> {
  const hosts = await passkeys.hosts()
  if (hosts.isErr()) return [unchecked(check, 'the database cannot be read')]
  if (hosts.value.length === 0) return []
  if (baseUrl === undefined) return [unchecked(check, 'the settings are not valid')]
  const { hostname } = new URL(baseUrl)
  const others = hosts.value.filter(({ rpId }) => rpId !== hostname)
  if (others.length === 0) return [good(check, `all are for ${hostname}`)]
  return others.map(({ rpId, passkeys: count }) =>
    bad(
      check,
      `${counted(count, 'is', 'are')} for ${rpId}, and SOTTO_BASE_URL is on ${hostname}: nobody can sign in with them here. Their owners sign in another way and add new ones, or use a link of: sotto account reset`,
    ),
  )
}
