/** No delivery has this id. */
export interface DeliveryNotFound {
  readonly code: 'delivery_not_found'
}
export const deliveryNotFound: DeliveryNotFound = { code: 'delivery_not_found' }
