/**
 * The wire of Sotto's API and links: every request, answer and problem as a TypeBox schema, and the change between the wire's names
 * (snake_case) and the code's (camelCase). No other package spells a name of the wire. For servers and clients, without a framework.
 */

// Every answer
export { apiVersion, envelopeEnd, envelopeSchema, envelopeStart, envelopeText } from './shared/envelope.ts'
export type { ProblemBody } from './shared/problem.ts'
export { problemSchema, problemText } from './shared/problem.ts'
export type { FieldMessages } from './shared/field-messages.ts'
export { fieldMessages } from './shared/field-messages.ts'
export { isoMicros } from './shared/iso-micros.ts'

// The API
export type { WireFolder } from './folders/folder.ts'
export { folderSchema, toWireFolder } from './folders/folder.ts'
export type { WireSecret } from './secrets/secret.ts'
export { linkUrl, secretSchema, toWireSecret } from './secrets/secret.ts'
export type { NewSecretReading, NewSecretSchema, WireNewSecret } from './secrets/new-secret.ts'
export { fromWireNewSecret, newSecretSchema, readNewSecret, toWireNewSecret } from './secrets/new-secret.ts'
export { fromWireOpenLimit, toWireOpenLimit } from './secrets/open-limit.ts'

// Links
export type { OpenRequest, WireLinkPreview, WireOpenedSecret } from './secrets/open-link.ts'
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
} from './secrets/open-link.ts'

// Requests
export type { AnswerFields, WireAnswerReceipt, WireRequestPreview } from './requests/answer-request.ts'
export {
  answerFormSchema,
  answerNames,
  answerReceiptSchema,
  answerSchema,
  readAnswer,
  requestPreviewSchema,
  toWireAnswerReceipt,
  toWireRequestPreview,
} from './requests/answer-request.ts'
export {
  requestUrl,
  toWireClosed,
  toWireListedRequest,
  toWireNewRequest,
  toWireRequest,
} from './requests/request.ts'

// The service
export { serviceSchema, statusSchema, toWireService } from './service.ts'

// Webhooks
export type { WireWebhookEvent } from './notifications/webhooks/webhook-event.ts'
export { toWireWebhookEvent, webhookEventSchema } from './notifications/webhooks/webhook-event.ts'

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
export { toWireAnswered, toWireLogin, toWireOpened, toWireShared } from './secrets/remote.ts'

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
} from './export.ts'
export type { TestOutcome } from './notifications/notifications.ts'
export {
  toWireDelivery,
  toWireNewWebhook,
  toWireRetried,
  toWireTestOutcome,
  toWireWebhook,
} from './notifications/notifications.ts'
export { confirmUrl, invitationUrl } from './invitations/invitation-url.ts'
