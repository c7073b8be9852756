import { isRequestEvent, requestEventTypes, secretEventTypes, type WebhookMessage } from '@sotto/core'
import * as Type from 'typebox'
import type { Static } from 'typebox'
import { isoMicros } from '../../shared/iso-micros.ts'
import { idSchema, timestampSchema } from '../../shared/scalars.ts'

const timestamp = timestampSchema('When it happened.')

/** What is posted to a webhook. It has nothing confidential: no label, title, note, link or password. */
export const webhookEventSchema = Type.Union([
  Type.Object(
    {
      type: Type.Enum([...secretEventTypes]),
      timestamp,
      data: Type.Object(
        {
          secret_id: idSchema('The secret.'),
          folder_id: idSchema('The folder that contains it.'),
          opens: Type.Integer({
            minimum: 0,
            description: 'How often it has been opened, this open included.',
          }),
          opens_left: Type.Unsafe<number | null>({
            type: ['integer', 'null'],
            minimum: 0,
            description: 'How often it can still be opened; `null` means without limit.',
          }),
          expires_at: timestampSchema('From this time on the secret no longer exists.'),
        },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false, description: 'Something that happened to a secret.' },
  ),
  Type.Object(
    {
      type: Type.Enum([...requestEventTypes]),
      timestamp,
      data: Type.Object(
        {
          request_id: idSchema('The request.'),
          folder_id: idSchema('The folder that its answers come into.'),
          answers: Type.Integer({ minimum: 0, description: 'How many answers it has, this one included.' }),
          answers_left: Type.Integer({ minimum: 0, description: 'How many answers it still takes.' }),
          expires_at: timestampSchema('From this time on nobody can answer it.'),
        },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false, description: 'Something that happened to a request.' },
  ),
  Type.Object(
    { type: Type.Literal('webhook.test'), timestamp, data: Type.Object({}, { additionalProperties: false }) },
    { additionalProperties: false, description: 'Shows that messages arrive.' },
  ),
])

/** The body of a message to a webhook. */
export type WireWebhookEvent = Static<typeof webhookEventSchema>

/** The body of a webhook message. Its id is a header, see Standard Webhooks. */
export function toWireWebhookEvent(message: WebhookMessage): WireWebhookEvent {
  const timestamp = isoMicros(message.createdAtMicros)
  if (message.type === 'webhook.test') return { type: message.type, timestamp, data: {} }
  const folder_id = message.folderId
  const expires_at = isoMicros(message.expiresAtMicros)
  if (isRequestEvent(message)) {
    const { type, requestId: request_id, answers, answersLeft: answers_left } = message
    return { type, timestamp, data: { request_id, folder_id, answers, answers_left, expires_at } }
  }
  const { type, secretId: secret_id, opens, opensLeft: opens_left = null } = message
  return { type, timestamp, data: { secret_id, folder_id, opens, opens_left, expires_at } }
}
