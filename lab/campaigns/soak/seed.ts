import type { CreateSecretInput } from '@sotto/core'
import type { FullSotto } from '@sotto/identity'
import { expectOk } from '@sotto/test-kit'
import { addOwner, type Owner } from '../support/owner.ts'
import { openPlace, type Place } from '../support/place.ts'

export interface Seeded {
  /** Accounts that create secrets. */
  readonly creators: readonly Owner[]
  /** An account with a list of several pages. */
  readonly lister: Owner
  /** Tokens of links with a password. */
  readonly lockedLinks: readonly string[]
}

const creators = 4
const listed = 1_000
/** The number in a long run; one of seconds has fewer. */
const expiringMax = 5_000
const lockedLinksMax = 30
const atOnce = 200
/** The shortest lifetime. */
const lifetimeSeconds = 3_600

/** Makes accounts, and secrets of which some expire in each part of the run (of its first hour). */
export async function seed(place: Place, seconds: number): Promise<Seeded> {
  const expiring = Math.min(expiringMax, atOnce * Math.ceil(seconds / 4))
  const lockedLinks = Math.min(lockedLinksMax, 2 + seconds)
  const lengthMicros = Math.min(seconds, lifetimeSeconds - 60) * 1_000_000
  const clock = { micros: Date.now() * 1000 - lifetimeSeconds * 1_000_000 }
  const installation = await openPlace(place, { clock: { nowMicros: () => clock.micros } })
  const { sotto } = installation
  try {
    const owners: Owner[] = []
    while (owners.length <= creators) owners.push(await addOwner(sotto, `owner${owners.length}@example.org`))
    const [lister, ...others] = owners
    if (lister === undefined) throw new Error('there is no account')
    const expires = await addOwner(sotto, 'expiring@example.org')
    for (let made = 0; made < expiring; made += atOnce) {
      await makeSecrets(sotto, { ...secretOf(expires), lifetimeSeconds }, atOnce)
      clock.micros += Math.floor((lengthMicros * atOnce) / expiring)
    }
    clock.micros = Date.now() * 1000
    await makeSecrets(sotto, secretOf(lister), listed)
    const locked: string[] = []
    while (locked.length < lockedLinks) {
      const secret = await sotto.createSecret({ ...secretOf(lister), password: 'right' })
      locked.push(expectOk(secret).link.token)
    }
    return { creators: others, lister, lockedLinks: locked }
  } finally {
    await installation.close()
  }
}

function secretOf({ accountId, folderId }: Owner) {
  return { accountId, folderId, label: 'Database, staging', note: 'user: app\npassword: correct horse' }
}

async function makeSecrets(sotto: FullSotto, secret: CreateSecretInput, count: number): Promise<void> {
  for (let made = 0; made < count; made += atOnce) {
    const some = Array.from({ length: atOnce }, () => sotto.createSecret(secret))
    for (const created of await Promise.all(some)) expectOk(created)
  }
}
