import type { StorageHarness } from '@sotto/test-kit'
import { ok } from 'neverthrow'
import { brokenStore, slowly, type Broken } from './broken.ts'

const damage = brokenStore('damage')

export const brokenDamage: readonly Broken<StorageHarness>[] = [
  damage(
    'answers true without erasing a secret',
    [
      'damage-store/secret-is-erased',
      'damage-store/secret-without-note-is-erased',
      'damage-store/erasures-are-durable',
    ],
    () => ({ eraseSecret: () => slowly(async () => ok(true)) }),
  ),
  damage('erases no draft', ['damage-store/secret-is-erased'], (store) => ({
    eraseSecret: (from, note) =>
      from.secret.link === undefined ? slowly(async () => ok(false)) : store.eraseSecret(from, note),
  })),
  damage('erases all secrets of the folder', ['damage-store/secret-is-erased'], (store, { secrets }) => ({
    eraseSecret: (from, note) =>
      store.eraseSecret(from, note).map((isErased) => {
        for (const [id, { secret }] of secrets)
          if (isErased && secret.folderId === from.secret.folderId) secrets.delete(id)
        return isErased
      }),
  })),
  damage('erases only with the note', ['damage-store/secret-is-erased'], (store) => ({
    eraseSecret: (from, note) =>
      note === undefined ? slowly(async () => ok(false)) : store.eraseSecret(from, note),
  })),
  damage('does not compare the head', ['damage-store/changed-secret-stays'], (store, { secrets }) => ({
    eraseSecret({ secret, wrap }, note) {
      const head = secrets.get(secret.id)?.secret.head ?? secret.head
      return store.eraseSecret({ secret: { ...secret, head }, wrap }, note)
    },
  })),
  damage(
    'does not compare the wrap',
    ['damage-store/changed-secret-stays', 'damage-store/secret-without-note-is-erased'],
    (store, { secrets }) => ({
      eraseSecret: ({ secret }, note) =>
        store.eraseSecret(
          { secret, wrap: secrets.get(secret.id)?.note?.wrap },
          secrets.get(secret.id)?.note && note,
        ),
    }),
  ),
  damage('does not compare the note', ['damage-store/changed-secret-stays'], (store) => ({
    eraseSecret: (from) => store.eraseSecret(from, undefined),
  })),
  damage(
    'answers true without erasing a token',
    ['damage-store/access-token-is-erased', 'damage-store/erasures-are-durable'],
    () => ({ eraseAccessToken: () => slowly(async () => ok(true)) }),
  ),
  damage('erases all tokens', ['damage-store/access-token-is-erased'], (store, { accessTokens }) => ({
    eraseAccessToken: (id, name) =>
      store.eraseAccessToken(id, name).map((isErased) => {
        if (isErased) accessTokens.clear()
        return isErased
      }),
  })),
  damage('answers true without erasing a password', ['damage-store/password-is-erased'], () => ({
    erasePassword: () => slowly(async () => ok(true)),
  })),
  damage('erases all passwords', ['damage-store/password-is-erased'], (store, { passwords }) => ({
    erasePassword: (id, hash) =>
      store.erasePassword(id, hash).map((isErased) => {
        if (isErased) passwords.clear()
        return isErased
      }),
  })),
  damage('does not compare the hash', ['damage-store/changed-password-stays'], (store, { passwords }) => ({
    erasePassword: (id, hash) =>
      store.erasePassword(id, passwords.values().find((each) => each.id === id)?.hash ?? hash),
  })),
  damage(
    'does not compare the name of a token',
    ['damage-store/changed-access-token-stays'],
    (store, { accessTokens }) => ({
      eraseAccessToken: (id, name) => store.eraseAccessToken(id, accessTokens.get(id)?.token.name ?? name),
    }),
  ),
]
