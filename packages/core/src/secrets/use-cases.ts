// What a sender of a secret, and its recipient, do.

export * from './create-secret.ts'
export * from './secrets.ts'
export * from './preview-link.ts'
export * from './open-secret.ts'
