// What has expired, and what an account has
export * from './sweep-expired.ts'
export * from './export-account.ts'

// What is damaged
export * from './corrupted-rows.ts'
export * from './examine-files.ts'

// Keys
export * from '../keys/keys.ts'
export * from '../keys/rotate-keys.ts'
export * from '../keys/show-server.ts'
