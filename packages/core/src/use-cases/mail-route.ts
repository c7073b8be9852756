import { err, ok, okAsync, type Result } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { StorageError } from '../errors.ts'
import type { StoredAccount } from '../ports/account-store.ts'
import type { Delivery } from '../ports/delivery-store.ts'
import type { PortMethods } from '../ports/ports.ts'
import { showAccount } from './accounts.ts'
import { mailLanguage } from './mails.ts'
import { blockedRoute, type Route, type Send } from './routes.ts'

export type MailRouteDeps = PortMethods<{
  secrets: 'find'
  secretCipher: 'decryptHead'
  textCipher: 'decryptText'
  clock: 'nowMicros'
  mailSender: 'send'
}>

/** The way to the email address of an account; `undefined` when its owner wants no mails, or it has no address. */
export function mailRoute(deps: MailRouteDeps, account: StoredAccount): Route | undefined {
  const { mailSender } = deps
  if (!account.mails.enabled) return undefined
  if (mailSender === undefined) return blockedRoute('retry', 'no mail server')
  const shown = showAccount(deps.textCipher, account)
  if (shown.isErr()) return blockedRoute('retry', 'account unreadable')
  const { id: accountId, email: to, mails } = shown.value
  if (to === undefined) return undefined
  const language = mailLanguage(shown.value)
  return {
    async prepare({ event, count }: Delivery): Promise<Result<Send, StorageError>> {
      const label = mails.nameLabels ? await labelOf(deps, accountId, event.secretId) : ok(undefined)
      if (label.isErr()) return err(label.error)
      const content = { kind: 'event', event, count, label: label.value } as const
      const atMicros = event.createdAtMicros
      return ok(() => mailSender.send({ id: event.id, to, language, atMicros, content }))
    },
    recordOutcome: () => okAsync(undefined),
  }
}

/** The label of a secret; `undefined` when the secret is gone, or its label does not decrypt. */
async function labelOf(
  { secrets, secretCipher, clock }: MailRouteDeps,
  accountId: Uuid,
  secretId: Uuid,
): Promise<Result<string | undefined, StorageError>> {
  const found = await secrets.find(accountId, secretId, clock.nowMicros())
  return found.map((secret) => {
    const head = secret && secretCipher.decryptHead(secret)
    return head?.isOk() === true ? head.value.label : undefined
  })
}
