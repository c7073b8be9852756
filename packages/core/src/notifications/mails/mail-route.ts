import { err, ok, okAsync, type Result } from 'neverthrow'
import { isRequestEvent, type OwnerEvent } from '../queue/owner-event.ts'
import type { StorageError } from '../../shared/errors.ts'
import type { StoredAccount } from '../../accounts/account-store.ts'
import type { Delivery } from '../queue/delivery-store.ts'
import type { DepsOf } from '../../shared/use-case.ts'
import { showAccount } from '../../accounts/accounts.ts'
import { mailLanguage } from './mails.ts'
import { showRequest } from '../../requests/show-request.ts'
import { blockedRoute, type Route, type Send } from '../queue/routes.ts'

/** What {@link mailRoute} needs. */
export const mailRouteNeeds = [
  'secrets.find',
  'requests.find',
  'secretCipher.decryptHead',
  'textCipher.decryptText',
  'mailSender?.send',
  'clock.nowMicros',
] as const

type Deps = DepsOf<(typeof mailRouteNeeds)[number]>

/** The way to the email address of an account; `undefined` when its owner wants no mails, or it has no address. */
export function mailRoute(deps: Deps, account: StoredAccount): Route | undefined {
  const { mailSender } = deps
  if (!account.mails.enabled) return undefined
  if (mailSender === undefined) return blockedRoute('retry', 'no mail server')
  const shown = showAccount(deps.textCipher, account)
  if (shown.isErr()) return blockedRoute('retry', 'account unreadable')
  const { email: to, mails } = shown.value
  if (to === undefined) return undefined
  const language = mailLanguage(shown.value)
  return {
    async prepare({ event, count }: Delivery): Promise<Result<Send, StorageError>> {
      const label = mails.nameLabels ? await labelOf(deps, event) : ok(undefined)
      if (label.isErr()) return err(label.error)
      const content = { kind: 'event', event, count, label: label.value } as const
      const atMicros = event.createdAtMicros
      return ok(() => mailSender.send({ id: event.id, to, language, atMicros, content }))
    },
    recordOutcome: () => okAsync(undefined),
  }
}

/** The label of a secret, or the title of a request; `undefined` when it is gone, or does not decrypt. */
async function labelOf(
  { secrets, requests, secretCipher, textCipher, clock }: Deps,
  event: OwnerEvent,
): Promise<Result<string | undefined, StorageError>> {
  const { accountId } = event
  const nowMicros = clock.nowMicros()
  if (isRequestEvent(event)) {
    const found = await requests.find(accountId, event.requestId, nowMicros)
    return found.map((record) => {
      const request = record && showRequest(textCipher, record)
      return request?.isOk() === true ? request.value.title : undefined
    })
  }
  const found = await secrets.find(accountId, event.secretId, nowMicros)
  return found.map((secret) => {
    const head = secret && secretCipher.decryptHead(secret)
    return head?.isOk() === true ? head.value.label : undefined
  })
}
