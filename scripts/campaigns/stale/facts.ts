import type { Sotto } from '../../../packages/core/src/index.ts'
import { expectOk } from '../../../packages/test-kit/src/index.ts'

/** A request, without its body's length. */
export interface Asked {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly token: string
  readonly body?: string
}

/** Something that is true until `end` has resolved. */
export interface Fact {
  readonly name: string
  readonly request: Asked
  /** `undefined` for a request that would change the fact. */
  readonly statusBefore: number | undefined
  readonly statusAfter: number
  end(): Promise<void>
}

type Kind = (sotto: Sotto, number: number) => Promise<Fact>

async function makeOwner(sotto: Sotto, number: number) {
  const { id: accountId } = expectOk(await sotto.createAccount({ email: `owner${number}@example.org` }))
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'a folder' }))
  const { id: tokenId, token } = expectOk(await sotto.createAccessToken({ accountId, name: 'campaign' }))
  return { accountId, folderId, tokenId, token }
}

const tokenRevoked: Kind = async (sotto, number) => {
  const { accountId, tokenId, token } = await makeOwner(sotto, number)
  return {
    name: 'an access token that was revoked',
    request: { method: 'GET', path: '/api/folders', token },
    statusBefore: 200,
    statusAfter: 401,
    end: async () => {
      expectOk(await sotto.revokeAccessToken({ accountId, id: tokenId }))
    },
  }
}

const accountDisabled: Kind = async (sotto, number) => {
  const { accountId, token } = await makeOwner(sotto, number)
  return {
    name: 'an access token of an account that was disabled',
    request: { method: 'GET', path: '/api/secrets', token },
    statusBefore: 200,
    statusAfter: 401,
    end: async () => {
      expectOk(await sotto.disableAccount({ accountId }))
    },
  }
}

const secretDestroyed: Kind = async (sotto, number) => {
  const { accountId, folderId, token } = await makeOwner(sotto, number)
  const { id } = expectOk(await sotto.createSecret({ accountId, folderId, label: 'a label', note: 'a note' }))
  return {
    name: 'a secret that was destroyed',
    request: { method: 'GET', path: `/api/secret/${id}`, token },
    statusBefore: 200,
    statusAfter: 404,
    end: async () => {
      expectOk(await sotto.destroySecret({ accountId, id }))
    },
  }
}

const folderDeleted: Kind = async (sotto, number) => {
  const { accountId, token } = await makeOwner(sotto, number)
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'another folder' }))
  const body = JSON.stringify({ label: 'a label', note: 'a note', folder_id: folderId })
  return {
    name: 'a folder that was deleted',
    request: { method: 'POST', path: '/api/secret', token, body },
    // Only an empty folder can be deleted.
    statusBefore: undefined,
    statusAfter: 400,
    end: async () => {
      expectOk(await sotto.deleteFolder({ accountId, id: folderId }))
    },
  }
}

export const kinds = [tokenRevoked, accountDisabled, secretDestroyed, folderDeleted] as const
