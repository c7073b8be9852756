// Accounts
export * from './create-account.ts'
export * from './find-account.ts'
export * from './account-choices.ts'
export * from './delete-account.ts'

// The quota of each caller
export * from '../quota/take-quota.ts'
