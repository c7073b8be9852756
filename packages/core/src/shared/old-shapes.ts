import type { Uuid } from './uuid.ts'
import type { Cursor } from './cursor.ts'
import { objectOf, optional, type Shape } from './inputs.ts'
import type { ListInput } from './pages.ts'

// Shapes that the inputs of several use-cases have in common.

/** The input of a use-case that takes a token alone. */
export const token = { token: 'string' } as const

/** The input of a use-case about an account. */
export const account = { accountId: 'string' } as const

/** The input of a use-case about something of an account. */
export const accountAndId = { ...account, id: 'string' } as const

/** The input of a use-case that finds an account by its email. */
export const email = { email: 'string' } as const

/** The fields of every list. */
export const pages: Shape<ListInput> = {
  after: optional(objectOf<Cursor>({ createdAtMicros: 'number', id: 'string' })),
  pageSize: 'number?',
}

/** A list of an account. */
export const pagesOfAccount: Shape<ListInput & { readonly accountId: Uuid }> = { ...account, ...pages }

/** A list of an account, or of one of its folders. */
export const pagesOfFolder: Shape<
  ListInput & { readonly accountId: Uuid; readonly folderId?: string | undefined }
> = { ...pagesOfAccount, folderId: 'string?' }
