import type { Uuid } from '@sotto/core'
import type { Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'

/** An account with a folder and an access token. */
export interface Owner {
  readonly accountId: Uuid
  readonly folderId: Uuid
  readonly tokenId: Uuid
  readonly token: string
}

export async function addOwner(
  sotto: Pick<Installation['sotto'], 'createAccount' | 'createFolder' | 'createAccessToken'>,
  email = 'owner@example.org',
): Promise<Owner> {
  const { id: accountId } = expectOk(await sotto.createAccount({ email }))
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'Folder' }))
  const { id: tokenId, token } = expectOk(await sotto.createAccessToken({ accountId, name: 'campaign' }))
  return { accountId, folderId, tokenId, token }
}
