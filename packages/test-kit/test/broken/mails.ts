import { defaultMailChoice } from '@sotto/core'
import type { StorageHarness } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { memoryStorageHarness } from '../harnesses.ts'
import { brokenStorage, brokenStore, type Broken } from './broken.ts'

const accounts = brokenStore('accounts')

/** Flaws of the choice of mails, and of what is to be sent to accounts that are being erased. */
export const brokenMails: readonly Broken<StorageHarness>[] = [
  accounts('loses the choice of mails', ['account-store/find-gives-the-account-with-the-id'], (store) => ({
    insert: (account, indexes) => store.insert({ ...account, mails: defaultMailChoice }, indexes),
  })),
  accounts('names no labels without mails', ['account-store/mails-are-set'], (store) => ({
    setMails: (id, { enabled, nameLabels }) =>
      store.setMails(id, { enabled, nameLabels: enabled && nameLabels }),
  })),
  accounts('sets the mails of all accounts', ['account-store/mails-are-set'], (store, data) => ({
    setMails: (id, mails) =>
      store.setMails(id, mails).map((done) => {
        for (const [each, row] of data.accounts) {
          data.accounts.set(each, { ...row, account: { ...row.account, mails } })
        }
        return done
      }),
  })),
  accounts('answers true for every account', ['account-store/mails-of-none-is-false'], (store) => ({
    setMails: (...asked) => store.setMails(...asked).map(() => true),
  })),
  accounts(
    'takes a choice for an account',
    ['account-store/begun-erasure-hides-the-account'],
    (store, data) => ({
      setMails: (id, mails) => (data.erasing.has(id) ? okAsync(true) : store.setMails(id, mails)),
    }),
  ),
  {
    flaw: 'forgets the choice of mails when it is closed',
    breaks: ['account-store/changes-are-durable'],
    harness: memoryStorageHarness({
      reopened(data) {
        for (const [id, row] of data.accounts) {
          data.accounts.set(id, { ...row, account: { ...row.account, mails: defaultMailChoice } })
        }
        return data
      },
    }),
  },
  ...(['webhooks', 'deliveries'] as const).map((name) =>
    accounts(`leaves the ${name}`, ['account-store/begun-erasure-lets-nobody-in'], (store, data) => ({
      beginErasure(id) {
        const rows = [...data[name]]
        return store.beginErasure(id).map((begun) => {
          for (const [key, row] of rows) data[name].set(key, row as never)
          return begun
        })
      },
    })),
  ),
  brokenStorage(
    'adds webhooks to an account that is being erased',
    ['account-store/nothing-is-added-to-an-account-that-is-being-erased'],
    ({ webhooks, data }) => ({
      webhooks: {
        ...webhooks,
        insert: (webhook, max) =>
          data.erasing.has(webhook.accountId) ? okAsync(undefined) : webhooks.insert(webhook, max),
      },
    }),
  ),
  brokenStorage(
    'adds deliveries to an account that is being erased',
    ['account-store/nothing-is-added-to-an-account-that-is-being-erased'],
    ({ outbox, data }) => ({
      outbox: {
        ...outbox,
        distribute: (events) =>
          outbox.distribute(events).map((replaced) => {
            for (const added of events.flatMap(({ deliveries }) => deliveries)) {
              const delivery = {
                ...added,
                count: 1,
                attempts: 0,
                lastFailure: undefined,
                deadAtMicros: undefined,
              }
              data.deliveries.set(added.id, { delivery, isTouched: false })
            }
            return replaced
          }),
      },
    }),
  ),
]
