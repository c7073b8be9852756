// What an owner does beyond creating, getting and listing secrets.

export * from './folders.ts'
export * from './ensure-folder.ts'
export * from './search-secrets.ts'
export * from './delete-secrets.ts'

export * from '../secrets/owned-secrets.ts'
export * from '../secrets/create-secret-once.ts'
export * from '../files/is-key-used.ts'

export * from '../drafts/drafts.ts'
export * from '../drafts/get-draft.ts'
export * from '../drafts/edit-draft.ts'
