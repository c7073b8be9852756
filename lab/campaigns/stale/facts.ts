import type { FullSotto } from '@sotto/identity'
import type { Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { addOwner } from '../support/owner.ts'

/** A request, without its body's length. */
export interface Asked {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly token: string
  readonly body?: string
  /** The `Idempotency-Key`. */
  readonly idempotencyKey?: string
}

export interface Answer {
  readonly status: number
  readonly body: string
}

/** A request, and its answers before the fact has ended and afterwards. */
export interface Expectation {
  readonly request: Asked
  /** `undefined` for a request that would change the fact. */
  readonly statusBefore: number | undefined
  readonly statusAfter: number
  /** What is stale about an answer that has the status of afterwards; `undefined` when nothing is. */
  readonly staleness?: (answer: Answer) => Promise<string | undefined>
}

/** Something that is true until `end` has resolved. */
export interface Fact {
  readonly name: string
  readonly expectations: readonly [Expectation, ...Expectation[]]
  /** Whether each request afterwards waits for the answer of the one before. */
  readonly inTurn?: boolean
  end(): Promise<void>
}

/** Makes a fact. */
export type Kind = (installation: Installation, number: number) => Promise<Fact>

/** A fresh owner for the fact of this number. */
export const ownerOf = (sotto: FullSotto, number: number) => addOwner(sotto, `owner${number}@example.org`)

const tokenRevoked: Kind = async ({ sotto }, number) => {
  const { accountId, tokenId, token } = await ownerOf(sotto, number)
  const request = { method: 'GET', path: '/api/folders', token } as const
  return {
    name: 'an access token that was revoked',
    expectations: [{ request, statusBefore: 200, statusAfter: 401 }],
    end: async () => {
      expectOk(await sotto.revokeAccessToken({ accountId, id: tokenId }))
    },
  }
}

const accountDisabled: Kind = async ({ sotto }, number) => {
  const { accountId, token } = await ownerOf(sotto, number)
  const request = { method: 'GET', path: '/api/secrets', token } as const
  return {
    name: 'an access token of an account that was disabled',
    expectations: [{ request, statusBefore: 200, statusAfter: 401 }],
    end: async () => {
      expectOk(await sotto.disableAccount({ accountId }))
    },
  }
}

const secretDestroyed: Kind = async ({ sotto }, number) => {
  const { accountId, folderId, token } = await ownerOf(sotto, number)
  const { id } = expectOk(await sotto.createSecret({ accountId, folderId, label: 'a label', note: 'a note' }))
  const request = { method: 'GET', path: `/api/secret/${id}`, token } as const
  return {
    name: 'a secret that was destroyed',
    expectations: [{ request, statusBefore: 200, statusAfter: 404 }],
    end: async () => {
      expectOk(await sotto.destroySecret({ accountId, id }))
    },
  }
}

const folderDeleted: Kind = async ({ sotto }, number) => {
  const { accountId, token } = await ownerOf(sotto, number)
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'another folder' }))
  const body = JSON.stringify({ label: 'a label', note: 'a note', folder_id: folderId })
  const request = { method: 'POST', path: '/api/secret', token, body } as const
  return {
    name: 'a folder that was deleted',
    // Only an empty folder can be deleted.
    expectations: [{ request, statusBefore: undefined, statusAfter: 400 }],
    end: async () => {
      expectOk(await sotto.deleteFolder({ accountId, id: folderId }))
    },
  }
}

export const kinds = [tokenRevoked, accountDisabled, secretDestroyed, folderDeleted] as const
