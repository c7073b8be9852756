// What an owner chooses
export * from './mails/mail-settings.ts'
export * from './webhooks/webhooks.ts'

// The queue
export * from './distribute-events.ts'
export * from './lease-deliveries.ts'
export * from './deliver-lease.ts'
export * from './queue/deliveries.ts'
