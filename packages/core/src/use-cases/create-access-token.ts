import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { allScopes, makeAccessToken, type AccessToken } from '../entities/access-token.ts'
import { uuidV7, uuidV7RandomBytes, type Uuid } from '../entities/uuid.ts'
import type { AccountNotFound, FieldFault, FieldsInvalid, KeyRetired, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { addFault, labelFault, parseScopes, tokenLifetimeFault } from '../rules/fields.ts'
import { underActiveKey } from './active-key.ts'

type CreateAccessTokenPorts = Pick<
  Ports,
  'accessTokens' | 'textCipher' | 'keyRing' | 'digests' | 'clock' | 'random'
>
type CreateAccessTokenError = FieldsInvalid | AccountNotFound | KeyRetired | StorageError
interface CreateAccessTokenInput {
  readonly accountId: Uuid
  /** What it is for, in the owner's words: 1 to 255 code points, no control characters. */
  readonly name: string
  /** Names of scopes; all of them by default. */
  readonly scopes?: readonly string[] | undefined
  /** After how many seconds it expires, up to ten years; never by default. */
  readonly expiresInSeconds?: number | undefined
}

/** A token that was just made, with its text: the only moment at which it can be read. */
export interface NewAccessToken extends AccessToken {
  readonly token: string
}

/**
 * Makes an access token of an account.
 * @errors `fields_invalid` with every field at fault, `account_not_found`
 */
export function createAccessToken(
  ports: CreateAccessTokenPorts,
  input: CreateAccessTokenInput,
): ResultAsync<NewAccessToken, CreateAccessTokenError> {
  return new ResultAsync(create(ports, input))
}

async function create(
  ports: CreateAccessTokenPorts,
  { accountId, name, scopes = allScopes, expiresInSeconds }: CreateAccessTokenInput,
): Promise<Result<NewAccessToken, CreateAccessTokenError>> {
  const { accessTokens, textCipher, keyRing, digests, clock, random } = ports
  const parsedScopes = parseScopes(scopes)
  const faults: FieldFault[] = []
  addFault(faults, 'name', labelFault(name))
  addFault(faults, 'scopes', parsedScopes === undefined ? { rule: 'unknown_scope' } : undefined)
  addFault(
    faults,
    'expiresIn',
    expiresInSeconds === undefined ? undefined : tokenLifetimeFault(expiresInSeconds),
  )
  if (parsedScopes === undefined || faults.length > 0) return err({ code: 'fields_invalid', faults })

  const nowMicros = clock.nowMicros()
  const unused = {
    id: uuidV7(nowMicros, random.bytes(uuidV7RandomBytes)),
    scopes: parsedScopes,
    createdAtMicros: nowMicros,
    expiresAtMicros: expiresInSeconds === undefined ? undefined : nowMicros + expiresInSeconds * 1_000_000,
    revokedAtMicros: undefined,
    lastUsedAtMicros: undefined,
  }
  const token = makeAccessToken((count) => random.bytes(count))
  const inserted = await underActiveKey(keyRing, () => {
    const place = { column: 'access_token.name', accountId, rowId: unused.id } as const
    const stored = { ...unused, accountId, name: textCipher.encryptText(place, name) }
    return accessTokens.insert(stored, digests.accessTokenHash(token))
  })
  return inserted.isErr() ? err(inserted.error) : ok({ ...unused, name, token })
}
