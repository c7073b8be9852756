import { addedFiles } from '../files/shapes.ts'
import { account } from '../shared/shapes.ts'
import { useCase } from '../shared/use-case.ts'
import { checkFields, checkNeeds } from './check-fields.ts'
import { insertNeeds, insertSecret } from './insert-secret.ts'
import { linkNeeds, makeLink, showLink } from './links.ts'
import { lifetime, newSecret, noteFiles } from './new-secret.ts'
import type { ShareableSecret } from './secret.ts'

/**
 * Checks those fields of a new secret that are given, the folder's ownership included, without storing anything. For callers that have
 * found other invalid fields already and want to report all of them together.
 * @errors `fields_invalid` with every invalid field; an unknown, a malformed and another account's folder give the same error
 */
export const checkNewSecret = useCase({
  needs: checkNeeds,
  takes: account,
  mayTake: { ...newSecret.takes, ...newSecret.mayTake, ...lifetime, ...noteFiles },
  run: checkFields,
})

/**
 * Stores a secret that is shareable immediately: its link exists and its lifetime has begun.
 * @errors `fields_invalid` with every invalid field; `hasher_busy` when too many passwords wait to be hashed
 */
export const createSecret = useCase({
  needs: [...checkNeeds, ...insertNeeds, ...linkNeeds, 'secrets.insert'],
  takes: { ...account, ...newSecret.takes },
  mayTake: { ...newSecret.mayTake, ...addedFiles, ...lifetime },
  async run(deps, input) {
    const checked = await checkFields(deps, input)
    if (checked.isErr()) return checked
    const nowMicros = deps.clock.nowMicros()
    const link = makeLink(deps, nowMicros, input.lifetimeSeconds)
    const inserted = await insertSecret<never>(deps, input, { nowMicros, link, into: deps.secrets })
    return inserted.map((secret): ShareableSecret => ({ ...secret, ...showLink(link) }))
  },
})

/** What {@link createSecret} takes. */
export type CreateSecretInput = Parameters<typeof createSecret>[1]
