import type { StorageHarness } from '@sotto/test-kit'
import { err, ok, okAsync } from 'neverthrow'
import { brokenStore, pause, slowly, type Broken } from './broken.ts'

const rewraps = brokenStore('rewraps')

export const brokenRewraps: readonly Broken<StorageHarness>[] = [
  rewraps('gives the texts of all keys', ['rewrap-store/texts-under-other-keys'], (store) => ({
    texts: (column, _, after, limit) => store.texts(column, -1, after, limit),
  })),
  rewraps(
    'gives the id of the row as that of the account',
    ['rewrap-store/texts-under-other-keys'],
    (store) => ({
      texts: (...asked) =>
        store
          .texts(...asked)
          .map((texts) =>
            texts.map((text) => ({ ...text, place: { ...text.place, accountId: text.place.rowId } })),
          ),
    }),
  ),
  rewraps('gives no webhooks', ['rewrap-store/texts-under-other-keys'], (store) => ({
    texts: (column, ...asked) =>
      store.texts(column, ...asked).map((texts) => (column === 'webhook.endpoint' ? [] : texts)),
  })),
  rewraps('leaves webhooks as they are', ['rewrap-store/text-is-replaced'], (store) => ({
    replaceText: (from, to, index) =>
      from.place.column === 'webhook.endpoint' ? okAsync(true) : store.replaceText(from, to, index),
  })),
  rewraps('gives no passwords', ['rewrap-store/texts-under-other-keys'], (store) => ({
    texts: (column, ...asked) =>
      store.texts(column, ...asked).map((texts) => (column === 'account.password' ? [] : texts)),
  })),
  rewraps('leaves passwords as they are', ['rewrap-store/text-is-replaced'], (store) => ({
    replaceText: (from, to, index) =>
      from.place.column === 'account.password' ? okAsync(true) : store.replaceText(from, to, index),
  })),
  rewraps('lists texts in the order of insertion', ['rewrap-store/texts-are-in-order'], (store, data) => ({
    texts(column, kid, after, limit) {
      const ids = [...data.accounts.keys(), ...data.folders.keys()]
      const order = (id: string): number => ids.indexOf(id)
      return store
        .texts(column, kid, undefined, 100)
        .map((texts) => texts.toSorted((one, other) => order(one.place.rowId) - order(other.place.rowId)))
        .map((texts) =>
          texts.slice(texts.findIndex(({ place }) => place.rowId === after) + 1).slice(0, limit),
        )
    },
  })),
  rewraps(
    'starts a page of texts with the one at the cursor',
    ['rewrap-store/texts-are-in-order'],
    (store) => ({
      texts: (column, kid, after, limit) =>
        store.texts(column, kid, after && `${after.slice(0, -1)}!`, limit),
    }),
  ),
  rewraps(
    'answers true without replacing a text',
    ['rewrap-store/text-is-replaced', 'rewrap-store/texts-are-replaced-durably'],
    (store) => ({
      replaceText: (from, to, index) =>
        store.replaceText({ ...from, place: { ...from.place, rowId: '' } }, to, index).map(() => true),
    }),
  ),
  rewraps('replaces the labels of all folders', ['rewrap-store/text-is-replaced'], (store, { folders }) => ({
    replaceText: (from, to, index) =>
      store.replaceText(from, to, index).map((done) => {
        for (const [id, folder] of folders) if (done) folders.set(id, { ...folder, label: to })
        return done
      }),
  })),
  rewraps(
    'leaves an account under its old index',
    ['rewrap-store/account-is-found-by-its-new-index'],
    (store) => ({
      replaceText: (from, to) => store.replaceText(from, to, undefined),
    }),
  ),
  rewraps('compares only the row of a text', ['rewrap-store/changed-text-stays'], (store) => ({
    replaceText: (from, to, index) =>
      store
        .texts(from.place.column, -1, undefined, 100)
        .map((texts) => texts.find(({ place }) => place.rowId === from.place.rowId) ?? from)
        .andThen((text) => store.replaceText(text, to, index)),
  })),
  rewraps(
    'sets the new index before it compares',
    ['rewrap-store/changed-text-stays'],
    (store, { accounts }) => ({
      replaceText(from, to, index) {
        const row = accounts.get(from.place.rowId)
        if (row && index) accounts.set(from.place.rowId, { ...row, nameIndex: index })
        return store.replaceText(from, to, index)
      },
    }),
  ),
  rewraps(
    'replaces what it refuses',
    [
      'rewrap-store/text-under-a-retired-key-is-refused',
      'rewrap-store/secret-under-a-retired-key-is-refused',
    ],
    (store, { accounts, secrets }) => ({
      replaceText: (from, to, index) =>
        store.replaceText(from, to, index).mapErr((error) => {
          const row = accounts.get(from.place.rowId)
          if (row) accounts.set(from.place.rowId, { ...row, account: { ...row.account, name: to } })
          return error
        }),
      replaceSecret: (from, to) =>
        store.replaceSecret(from, to).mapErr((error) => {
          const row = secrets.get(from.secret.id)
          if (row)
            secrets.set(from.secret.id, { ...row, secret: { ...row.secret, kid: to.kid, head: to.head } })
          return error
        }),
    }),
  ),
  rewraps(
    'compares, then replaces a text',
    ['rewrap-store/one-of-parallel-replacements-wins'],
    (_, { folders }) => ({
      replaceText: ({ place, encrypted }, to) =>
        slowly(async () => {
          const row = folders.get(place.rowId)
          const isSame = row && Buffer.compare(row.label.ciphertext, encrypted.ciphertext) === 0
          await pause()
          if (!row || !isSame) return ok(false)
          folders.set(row.id, { ...row, label: to })
          return ok(true)
        }),
    }),
  ),
  rewraps(
    'gives shareable secrets only',
    ['rewrap-store/secrets-under-other-keys', 'rewrap-store/secrets-are-in-order'],
    (store) => ({
      secrets: (...asked) =>
        store.secrets(...asked).map((rows) => rows.filter(({ secret }) => secret.link !== undefined)),
    }),
  ),
  rewraps('leaves out secrets without a note', ['rewrap-store/secrets-under-other-keys'], (store) => ({
    secrets: (...asked) =>
      store.secrets(...asked).map((rows) => rows.filter(({ wrap }) => wrap !== undefined)),
  })),
  rewraps(
    'starts a page of secrets with the one at the cursor',
    ['rewrap-store/secrets-are-in-order'],
    (store) => ({
      secrets: (kid, after, limit) => store.secrets(kid, after && `${after.slice(0, -1)}!`, limit),
    }),
  ),
  rewraps(
    'answers true without replacing a secret',
    [
      'rewrap-store/secret-is-replaced',
      'rewrap-store/draft-is-replaced',
      'rewrap-store/secret-without-note-is-replaced',
      'rewrap-store/secrets-are-replaced-durably',
    ],
    (store) => ({
      replaceSecret: ({ secret, wrap }, to) =>
        store.replaceSecret({ wrap, secret: { ...secret, id: '' } }, to).map(() => true),
    }),
  ),
  rewraps('replaces the wrap of all secrets', ['rewrap-store/secret-is-replaced'], (store, { secrets }) => ({
    replaceSecret: (from, to) =>
      store.replaceSecret(from, to).map((done) => {
        const { wrap } = to
        for (const [id, row] of secrets)
          if (wrap && row.note) secrets.set(id, { ...row, note: { ...row.note, wrap } })
        return done
      }),
  })),
  rewraps(
    'forgets the opens of a replaced secret',
    ['rewrap-store/secret-is-replaced'],
    (store, { secrets }) => ({
      replaceSecret(from, to) {
        const row = secrets.get(from.secret.id)
        if (row) secrets.set(from.secret.id, { ...row, opens: 0 })
        return store.replaceSecret(from, to)
      },
    }),
  ),
  rewraps(
    'does not compare the secret',
    ['rewrap-store/changed-secret-stays', 'rewrap-store/destroyed-note-stays-destroyed'],
    (store, { secrets }) => ({
      replaceSecret(from, to) {
        const row = secrets.get(from.secret.id)
        const current = row && { secret: row.secret, wrap: row.note?.wrap }
        return store.replaceSecret(current ?? from, to)
      },
    }),
  ),
  rewraps(
    'compares only the head',
    ['rewrap-store/changed-secret-stays', 'rewrap-store/destroyed-note-stays-destroyed'],
    (store, { secrets }) => ({
      replaceSecret: ({ secret }, to) =>
        store.replaceSecret({ secret, wrap: secrets.get(secret.id)?.note?.wrap }, to),
    }),
  ),
  rewraps(
    'compares, then replaces a secret',
    ['rewrap-store/share-or-replacement-wins', 'rewrap-store/replacement-undoes-no-update'],
    (_, { secrets }) => ({
      replaceSecret: (from, { kid, head, wrap }) =>
        slowly(async () => {
          const row = secrets.get(from.secret.id)
          const isSame = row && Buffer.compare(row.secret.head, from.secret.head) === 0
          await pause()
          if (!row || !isSame) return ok(false)
          if (!row.note || !wrap) return err({ code: 'key_retired' as const })
          secrets.set(row.secret.id, {
            ...row,
            secret: { ...row.secret, kid, head },
            note: { ...row.note, wrap },
          })
          return ok(true)
        }),
    }),
  ),
]
