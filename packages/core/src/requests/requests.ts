import { err } from 'neverthrow'
import { filesOff } from '../files/errors.ts'
import { takesFiles as areFilesTaken } from '../policy.ts'
import { unknownFolder, withoutFolderNotFound } from '../secrets/check-fields.ts'
import { underActiveKey } from '../shared/active-key.ts'
import type { FieldsInvalid } from '../shared/errors.ts'
import { foundOr } from '../shared/found-or.ts'
import { newId } from '../shared/ids.ts'
import { aBoolean, aNumber, aString } from '../shared/inputs.ts'
import { makeOpaqueToken, opaqueTokenRandomBytes } from '../shared/opaque-token.ts'
import { creationOf, pagesOf } from '../shared/pages.ts'
import { account, accountAndId, inFolder, pages } from '../shared/shapes.ts'
import { listCase, useCase } from '../shared/use-case.ts'
import { uuidToFind } from '../shared/uuid.ts'
import { requestNotFound } from './errors.ts'
import { newRequestErrors, unifyLineBreaks } from './request-fields.ts'
import { defaultRequestLifetimeSeconds, requestContentText, type SecretRequest } from './request.ts'
import { contentPlace, showRequest } from './show-request.ts'

/**
 * Asks for a text: makes a link with which somebody without an account can hand one in.
 * @errors `fields_invalid` with every invalid field; an unknown, a malformed and another account's folder give the same error. `files_off` for
 * one that takes files where the installation takes none
 */
export const createRequest = useCase({
  needs: [
    'requests.insert',
    'folders.owns',
    'textCipher.encryptText',
    'keyRing.follow',
    'digests.opaqueTokenDigest',
    'clock.nowMicros',
    'random.bytes',
    'policy.files',
  ],
  takes: {
    ...account,
    /** 1 to 255 code points, nothing that people do not see. */
    title: aString,
    folderId: aString,
  },
  mayTake: {
    /** What is to be handed in: up to 2,000 code points, nothing that people do not see but line breaks and tabs; empty by default. */
    text: aString,
    /** How many answers it takes, 1 to 100; 1 by default. */
    answersAllowed: aNumber,
    /** How long the request can be answered, in whole seconds: 30 days at most; 7 by default. */
    lifetimeSeconds: aNumber,
    /** Whether the owner hears of answers, and of none; false by default. */
    notify: aBoolean,
    /** Whether an answer may have files; false by default. */
    takesFiles: aBoolean,
    /** The key with which its answers have to be encrypted, see `requestKeyShape`: then only whoever has the private one reads them. */
    key: aString,
  },
  async run({ requests, folders, textCipher, keyRing, digests, clock, random, policy }, input) {
    const { accountId, title, key, answersAllowed = 1, notify = false, takesFiles = false } = input
    const { lifetimeSeconds = defaultRequestLifetimeSeconds } = input
    const text = unifyLineBreaks(input.text ?? '')
    const folderId = uuidToFind(input.folderId)
    const errors = newRequestErrors({ title, text, answersAllowed, lifetimeSeconds, key })
    const owned = await folders.owns(accountId, folderId)
    if (owned.isErr()) return owned
    if (!owned.value) errors.push(unknownFolder)
    if (errors.length > 0) return err<never, FieldsInvalid>({ code: 'fields_invalid', errors })
    if (takesFiles && !areFilesTaken(policy.files)) return err(filesOff)
    const token = makeOpaqueToken(random.bytes(opaqueTokenRandomBytes))
    const createdAtMicros = clock.nowMicros()
    const closesAtMicros = createdAtMicros + lifetimeSeconds * 1_000_000
    const id = newId(random, createdAtMicros)
    const columns = { id, folderId, createdAtMicros, closesAtMicros, answersAllowed, notify, takesFiles }
    const content = { title, text, link: { token }, ...(key !== undefined && { key }) }
    const inserted = await underActiveKey(keyRing, () => {
      const encrypted = textCipher.encryptText(contentPlace(accountId, id), requestContentText(content))
      const stored = { ...columns, accountId, content: encrypted }
      return requests.insert(stored, digests.opaqueTokenDigest('request', token))
    })
    return inserted
      .map((): SecretRequest => ({ ...columns, ...content, answers: 0, closedAtMicros: undefined }))
      .mapErr(withoutFolderNotFound)
  },
})

/** The account's requests, newest first, until they close by themselves: also those that are full, or closed by their owner. */
export const listRequests = listCase({
  needs: ['requests.page', 'textCipher.decryptText', 'clock.nowMicros'],
  takes: account,
  mayTake: { ...pages, ...inFolder },
  run({ requests, textCipher, clock }, { accountId, folderId, after: first, pageSize }) {
    const nowMicros = clock.nowMicros()
    const folder = folderId === undefined ? undefined : uuidToFind(folderId)
    return pagesOf({
      after: first,
      pageSize,
      read: (after, limit) => requests.page({ accountId, folderId: folder, nowMicros }, after, limit),
      cursorOf: ({ request }) => creationOf(request),
      show: (record) => showRequest(textCipher, record),
    })
  },
})

/**
 * One request of the account.
 * @errors `request_not_found`, the same for an unknown, malformed or another account's id, and for one that is over
 */
export const getRequest = useCase({
  needs: ['requests.find', 'textCipher.decryptText', 'clock.nowMicros'],
  takes: accountAndId,
  async run({ requests, textCipher, clock }, { accountId, id }) {
    const found = await requests.find(accountId, uuidToFind(id), clock.nowMicros())
    if (found.isErr()) return found
    return found.value === undefined ? err(requestNotFound) : showRequest(textCipher, found.value)
  },
})

/** How many requests of the account, or in one of its folders, can still be answered. */
export const countRequests = useCase({
  needs: ['requests.countOpen', 'clock.nowMicros'],
  takes: account,
  mayTake: inFolder,
  async run({ requests, clock }, { accountId, folderId }) {
    const folder = folderId === undefined ? undefined : uuidToFind(folderId)
    return requests.countOpen({ accountId, folderId: folder, nowMicros: clock.nowMicros() })
  },
})

/**
 * Closes a request: from now on nobody can answer it. One that is closed already stays so. Its answers stay, and nobody is told.
 * @errors `request_not_found`, as `getRequest`
 */
export const closeRequest = useCase({
  needs: ['requests.close', 'clock.nowMicros'],
  takes: accountAndId,
  async run({ requests, clock }, { accountId, id }) {
    return requests.close(accountId, uuidToFind(id), clock.nowMicros()).andThen(foundOr(requestNotFound))
  },
})
