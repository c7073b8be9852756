/**
 * The wire of Sotto's API and links: every request, answer and problem as a TypeBox schema, and the change between the wire's names
 * (snake_case) and the code's (camelCase). No other package spells a name of the wire. For servers and clients, without a framework.
 */

export { toWireDeleted } from './shared/deleted.ts'
export { apiVersion, envelopeEnd, envelopeSchema, envelopeStart, envelopeText } from './shared/envelope.ts'
export { fieldMessages, type FieldMessages } from './shared/field-messages.ts'
export { isoMicros } from './shared/iso-micros.ts'
export { type ProblemBody, problemSchema, problemText } from './shared/problem.ts'

export { toWireAccount } from './accounts/account.ts'

export { fileUrl } from './files/file.ts'

export {
  fromWireNewSecret,
  type NewSecretReading,
  newSecretSchema,
  newSecretWithFilesSchema,
  type NewSecretSchema,
  readNewSecret,
  toWireNewSecret,
  type WireNewSecret,
} from './secrets/new-secret.ts'
export { fromWireOpenLimit, toWireOpenLimit } from './secrets/open-limit.ts'
export {
  linkPreviewSchema,
  openedSecretSchema,
  openFormSchema,
  openNames,
  type OpenRequest,
  openRequestSchema,
  readOpenRequest,
  toWireLinkPreview,
  toWireOpenedSecret,
  type WireLinkPreview,
  type WireOpenedSecret,
} from './secrets/open-link.ts'
export { toWireOpened, toWireShared } from './secrets/remote.ts'
export { toWireDestroyed, toWireSecretOverview } from './secrets/secret-overview.ts'
export { linkUrl, secretSchema, toWireSecret, type WireSecret } from './secrets/secret.ts'

export { toWireDraft } from './drafts/draft.ts'

export {
  type AnswerFields,
  answerFormSchema,
  answerNames,
  answerPartName,
  answerReceiptSchema,
  answerSchema,
  readAnswer,
  requestPreviewSchema,
  toWireAnswered,
  toWireAnswerReceipt,
  toWireRequestPreview,
  type WireAnswerReceipt,
  type WireRequestPreview,
} from './requests/answer-request.ts'
export {
  requestUrl,
  toWireClosed,
  toWireListedRequest,
  toWireNewRequest,
  toWireRequest,
} from './requests/request.ts'

export { folderSchema, toWireFolder, toWireRenamed, type WireFolder } from './folders/folder.ts'

export {
  type TestOutcome,
  toWireDelivery,
  toWireRetried,
  toWireTestOutcome,
} from './notifications/delivery.ts'

export {
  toWireWebhookEvent,
  webhookEventSchema,
  type WireWebhookEvent,
} from './notifications/webhooks/webhook-event.ts'
export { toWireNewWebhook, toWireWebhook } from './notifications/webhooks/webhook.ts'

export { toWireKey, toWireRetiredKey, toWireRotation, toWireWaitingKey } from './keys/key.ts'

export { toWireBackup, toWireRestored } from './storage/backup.ts'
export { toWireCorruptedRow, toWireDroppedCorruptedRows } from './storage/corrupted-row.ts'
export { toWireMoved } from './storage/move.ts'
export { toWireSwept } from './storage/swept.ts'

export {
  type Announcement,
  toWireAnnouncement,
  toWireCompletion,
  toWireFinding,
  toWireInitialized,
  toWireLogin,
} from './command.ts'
export { serviceSchema, statusSchema, toWireService } from './service.ts'
