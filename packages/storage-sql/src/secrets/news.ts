import type { SecretStore } from '@sotto/core'
import type { Engine } from '../engine/engine.ts'

/** Makes `SecretStore.markSeen`. */
export function createMarkSeen({ dialect: { id }, change }: Engine): SecretStore['markSeen'] {
  const forget = 'UPDATE secrets SET news = 0 WHERE id = $1 AND account_id = $2 AND news = $3'
  return (accountId, secretId, news) =>
    change(forget, id.in(secretId), id.in(accountId), news).map(() => undefined)
}
