import type { AccountName } from '../accounts/account.ts'
import { aListOfStrings, objectOf, optional } from '../shared/inputs.ts'
import { addKey } from '../keys/add-key.ts'
import { dropCorruptedRows } from './drop-corrupted-rows.ts'
import { examineFiles } from './examine-files.ts'
import { exportAccount } from './export-account.ts'
import { findCorruptedRows } from './find-corrupted-rows.ts'
import { fitKeyRing, keyStatus, retireKey } from '../keys/keys.ts'
import { rotateKeys } from '../keys/rotate-keys.ts'
import { checkActiveKey, hideServer, showServer } from '../keys/show-server.ts'
import { sweepExpired } from './sweep-expired.ts'
import { bindAll, list, result, withoutInput, type MethodsOf, type PortsOf } from '../shared/bind.ts'
import { account } from '../shared/shapes.ts'

const useCases = {
  sweepExpired: result(sweepExpired, { shouldStop: 'function?' }),
  exportAccount: list(exportAccount, account),
  findCorruptedRows: result(findCorruptedRows, { accountId: 'string?' }),
  dropCorruptedRows: result(dropCorruptedRows, {
    ids: aListOfStrings,
    accountName: optional(objectOf<AccountName>({ email: 'string?', externalId: 'string?' })),
  }),
  examineFiles: withoutInput(examineFiles),
  fitKeyRing: withoutInput(fitKeyRing),
  checkActiveKey: withoutInput(checkActiveKey),
  showServer: result(showServer, { id: 'string', name: 'string' }),
  hideServer: result(hideServer, { id: 'string' }),
  keyStatus: withoutInput(keyStatus),
  addKey: withoutInput(addKey),
  rotateKeys: result(rotateKeys, { onProgress: 'function?' }),
  retireKey: result(retireKey, { kid: 'number' }),
}

const methods: MethodsOf<typeof useCases> = {
  accounts: { eraseBegun: true, findByName: true, find: true },
  folders: { page: true },
  secretFiles: { page: true, erase: true, eraseTickets: true },
  fileContents: { drop: true, page: true },
  secrets: { eraseExpired: true, overviews: true },
  requests: { eraseExpired: true, page: true },
  drafts: { find: true, page: true, updateAttempts: true },
  links: { findWithNote: true },
  idempotencyKeys: { eraseOld: true },
  accessTokens: { page: true },
  sessions: { eraseOver: true, page: true },
  identities: { list: true },
  passkeys: { list: true },
  invitations: { eraseExpired: true },
  emailChanges: { eraseExpired: true },
  signIns: { eraseOver: true },
  usedTokens: { eraseOver: true },
  webhooks: { erase: true, list: true },
  outbox: { eraseOld: true },
  deliveries: { eraseDead: true },
  quota: { eraseOver: true },
  keys: { known: true, list: true, add: true, activate: true, retire: true },
  servers: { list: true, show: true, remove: true },
  rewraps: { secrets: true, texts: true, replaceText: true, replaceSecret: true },
  corruption: { eraseSecret: true, eraseText: true },
  textCipher: { decryptText: true, encryptText: true },
  secretCipher: { decryptHead: true, decryptNote: true, rebind: true },
  keyRing: {
    refresh: true,
    follow: true,
    kids: true,
    checkValue: true,
    activeKid: true,
    addKey: true,
    activate: true,
    removeKey: true,
  },
  digests: { accountIndexes: true, keyedDigests: true },
  clock: { nowMicros: true },
  random: { bytes: true },
}

/** What {@link createUpkeep} binds its use-cases to. */
export interface UpkeepOptions {
  readonly ports: PortsOf<typeof useCases>
}

/**
 * What keeps an installation in order: erasing what has expired, keys and their rotation, corruption, and the export of an account. Throws
 * a TypeError when a method of a port is missing.
 */
export function createUpkeep({ ports }: UpkeepOptions) {
  return bindAll(useCases, methods, ports)
}
