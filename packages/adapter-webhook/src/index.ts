/**
 * Sotto's `WebhookSender` on `node:https`: create it with the address ranges that an installation allows beside the public ones. The README
 * shows receivers how to verify what it posts.
 */

export type { ResolveName } from './resolve-name.ts'
export { createWebhookSender, type NodeWebhookSender, type WebhookSenderOptions } from './webhook-sender.ts'
