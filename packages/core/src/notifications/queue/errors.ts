import type { ErrorKinds } from '../../shared/error-kind.ts'

/** No delivery has this id. */
export interface DeliveryNotFound {
  readonly code: 'delivery_not_found'
}

export const deliveryErrorKinds = {
  delivery_not_found: 'not_found',
  send_failed: 'failed',
} as const satisfies ErrorKinds
