/**
 * The wire of Sotto's API and links: every request, answer and problem as a TypeBox schema, and the change between the wire's names
 * (snake_case) and the code's (camelCase). No other package spells a name of the wire. For servers and clients, without a framework.
 */

// Every answer
export { apiVersion, envelopeEnd, envelopeSchema, envelopeStart, envelopeText } from './envelope.ts'
export type { ProblemBody } from './problem.ts'
export { problemSchema, problemText } from './problem.ts'
export type { FieldMessages } from './field-messages.ts'
export { fieldMessages } from './field-messages.ts'
export { isoMicros } from './iso-micros.ts'

// The API
export type { WireFolder } from './folder.ts'
export { folderSchema, toWireFolder } from './folder.ts'
export type { WireSecret } from './secret.ts'
export { linkUrl, secretSchema, toWireSecret } from './secret.ts'
export type { NewSecretReading, NewSecretSchema, WireNewSecret } from './new-secret.ts'
export { fromWireNewSecret, newSecretSchema, readNewSecret, toWireNewSecret } from './new-secret.ts'
export { fromWireOpenLimit, toWireOpenLimit } from './open-limit.ts'

// Links
export type { OpenRequest, WireLinkPreview, WireOpenedSecret } from './open-link.ts'
export {
  fileUrl,
  linkPreviewSchema,
  openedSecretSchema,
  openFormSchema,
  openNames,
  openRequestSchema,
  readOpenRequest,
  toWireLinkPreview,
  toWireOpenedSecret,
} from './open-link.ts'

// Requests
export type { AnswerFields, WireAnswerReceipt, WireRequestPreview } from './answer-request.ts'
export {
  answerFormSchema,
  answerNames,
  answerReceiptSchema,
  answerSchema,
  readAnswer,
  requestPreviewSchema,
  toWireAnswerReceipt,
  toWireRequestPreview,
} from './answer-request.ts'
export { requestUrl, toWireClosed, toWireListedRequest, toWireNewRequest, toWireRequest } from './request.ts'

// The service
export { serviceSchema, statusSchema, toWireService } from './service.ts'

// Webhooks
export type { WireWebhookEvent } from './webhook-event.ts'
export { toWireWebhookEvent, webhookEventSchema } from './webhook-event.ts'

// The documents of the command
export type { Announcement } from './command.ts'
export {
  toWireAccessToken,
  toWireAccount,
  toWireAnnouncement,
  toWireBackup,
  toWireCompletion,
  toWireDeleted,
  toWireDraft,
  toWireFinding,
  toWireInitialized,
  toWireMoved,
  toWireKey,
  toWireWaitingKey,
  toWireNewAccessToken,
  toWireCorruptedRow,
  toWireDroppedCorruptedRows,
  toWireRestored,
  toWireRetiredKey,
  toWireRevoked,
  toWireRotation,
  toWireSwept,
} from './command.ts'
export { toWireAnswered, toWireLogin, toWireOpened, toWireShared } from './remote.ts'

// The owner's view
export {
  exportLists,
  toWireDestroyed,
  toWireDisconnected,
  toWireExportItem,
  toWireIdentity,
  toWireMailedInvitation,
  toWireRenamed,
  toWireSecretOverview,
  toWireSession,
  toWireInvitation,
} from './owner.ts'
export type { TestOutcome } from './notifications.ts'
export {
  toWireDelivery,
  toWireNewWebhook,
  toWireRetried,
  toWireTestOutcome,
  toWireWebhook,
} from './notifications.ts'
export { confirmUrl, invitationUrl } from './invitation-url.ts'
