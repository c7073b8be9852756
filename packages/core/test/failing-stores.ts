/** The stores of the core whose calls a test lets fail. */
export const coreStores = [
  ...['accounts', 'folders', 'secrets', 'drafts', 'links', 'requests', 'outbox', 'deliveries', 'webhooks'],
  ...['idempotencyKeys', 'secretFiles', 'fileContents', 'keys', 'servers', 'rewraps', 'corruption', 'quota'],
]
