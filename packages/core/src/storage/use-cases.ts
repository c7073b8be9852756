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
import { account } from '../shared/old-shapes.ts'

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
  keys: { known: true, activate: true, add: true, list: true, retire: true },
  secretFiles: { eraseTickets: true, page: true, erase: true },
  secrets: { eraseExpired: true, overviews: true },
  requests: { eraseExpired: true, page: true },
  accounts: { eraseBegun: true, find: true, findByName: true },
  idempotencyKeys: { eraseOld: true },
  outbox: { eraseOld: true },
  deliveries: { eraseDead: true },
  quota: { eraseOver: true },
  clock: { nowMicros: true },
  random: { bytes: true },
  textCipher: { decryptText: true, encryptText: true },
  folders: { page: true },
  drafts: { page: true, find: true, updateAttempts: true },
  secretCipher: { decryptHead: true, decryptNote: true, rebind: true },
  webhooks: { list: true, erase: true },
  rewraps: { secrets: true, texts: true, replaceText: true, replaceSecret: true },
  links: { findWithNote: true },
  fileContents: { drop: true, page: true },
  corruption: { eraseSecret: true, eraseText: true },
  digests: { accountIndexes: true, keyedDigests: true },
  keyRing: {
    follow: true,
    kids: true,
    checkValue: true,
    refresh: true,
    activeKid: true,
    addKey: true,
    removeKey: true,
    activate: true,
  },
  servers: { show: true, remove: true, list: true },
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
