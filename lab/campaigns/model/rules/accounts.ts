import { answersLeft, forget, own, rowsOf, type Account, type Book } from '../book.ts'
import type { Rules } from '../rules.ts'

/** Trimmed, lower case. */
export function plainEmail(email: string): string {
  return email.trim().toLowerCase()
}

export function withEmail({ accounts }: Book, email: string): Account | undefined {
  return accounts.values().find((account) => account.email === plainEmail(email))
}

export function addAccount({ accounts }: Book, account: Omit<Account, 'known'>): Account {
  const added: Account = { ...account, known: [] }
  accounts.set(account.id, added)
  return added
}

export function accountRules(book: Book): Rules {
  const { accounts, folders, webhooks, now } = book

  const change = (accountId: string, changes: Partial<Account>) => {
    const account = accounts.get(accountId)
    if (account === undefined) return 'account_not_found'
    Object.assign(account, changes)
    return 'ok'
  }

  return {
    createAccount({ email }, { value }) {
      if (withEmail(book, email) !== undefined) return 'account_exists'
      if (value !== undefined) addAccount(book, { id: value.id, email: plainEmail(email) })
      return 'ok'
    },

    ensureAccount({ externalId }, { value }) {
      const found = accounts.values().find((account) => account.externalId === externalId)
      if (found === undefined && value !== undefined) addAccount(book, { id: value.id, externalId })
      return found === undefined || found.id === value?.id ? 'ok' : `the account ${found.id}`
    },

    disableAccount: ({ accountId }) =>
      change(accountId, { disabledAtMicros: accounts.get(accountId)?.disabledAtMicros ?? now() }),

    deleteAccount({ accountId }) {
      if (!accounts.has(accountId)) return 'account_not_found'
      forget(book, accountId)
      return 'ok'
    },

    changeEmail({ accountId, email }) {
      const other = withEmail(book, email)
      const isTaken = accounts.has(accountId) && other !== undefined && other.id !== accountId
      if (isTaken) return 'account_exists'
      return change(accountId, { email: plainEmail(email), externalId: undefined, invitation: undefined })
    },

    setLanguage: ({ accountId, language }) => change(accountId, { language }),

    setMails: ({ accountId, ...mails }) => change(accountId, { mails }),

    rememberNotify: ({ accountId, notify }) => change(accountId, { notifies: notify }),

    setDisplayName: ({ accountId, displayName }) => change(accountId, { displayName: displayName?.trim() }),

    createFolder({ accountId, label }, { value }) {
      if (!accounts.has(accountId)) return 'account_not_found'
      if (value !== undefined) folders.set(value.id, { id: value.id, accountId, label })
      return 'ok'
    },

    renameFolder(input) {
      const folder = own(folders, input)
      if (folder === undefined) return 'folder_not_found'
      folder.label = input.label
      return 'ok'
    },

    deleteFolder({ withContents = false, ...input }) {
      const folder = own(folders, input)
      if (folder === undefined) return 'folder_not_found'
      const secrets = rowsOf(book.secrets, input.accountId).filter(({ folderId }) => folderId === folder.id)
      const requests = rowsOf(book.requests, input.accountId).filter(({ folderId }) => folderId === folder.id)
      const isInUse =
        secrets.some(({ expiresAtMicros = Infinity }) => expiresAtMicros > now()) ||
        requests.some((each) => answersLeft(each, now()) > 0)
      if (isInUse && !withContents) return 'folder_not_empty'
      folders.delete(folder.id)
      for (const { id } of secrets) book.secrets.delete(id)
      for (const { id } of requests) book.requests.delete(id)
      return 'ok'
    },

    createWebhook({ accountId }, { value }) {
      if (!accounts.has(accountId)) return 'account_not_found'
      if (rowsOf(webhooks, accountId).length === 5) return 'webhook_limit_reached'
      if (value !== undefined) webhooks.set(value.id, { id: value.id, accountId })
      return 'ok'
    },

    deleteWebhook(input) {
      const webhook = own(webhooks, input)
      if (webhook === undefined) return 'webhook_not_found'
      webhooks.delete(webhook.id)
      return 'ok'
    },
  }
}
