/** No delivery has this id. */
export interface DeliveryNotFound {
  readonly code: 'delivery_not_found'
}
