import { requireBounds, type Policy } from '../policy.ts'
import { dropUpload, type NewFiles, uploadFiles, type UploadFilesInput } from './upload-files.ts'
import { fileUsage } from './file-usage.ts'
import { readTicket } from './tickets.ts'
import { sweepFiles } from './sweep-files.ts'
import { objectOf, optional } from '../shared/inputs.ts'
import { bindAll, result, type MethodsOf, type PortsOf } from '../shared/bind.ts'
import { account } from '../shared/old-shapes.ts'
import { uploadFields } from './shapes.ts'

const useCases = {
  // The owner
  uploadFiles: result(uploadFiles, {
    ...account,
    files: isIterable,
    draft: optional(objectOf<NonNullable<UploadFilesInput['draft']>>({ id: 'string', filesCount: 'number' })),
    idempotencyKey: 'string?',
  }),
  dropUpload: result(dropUpload, uploadFields),
  fileUsage: result(fileUsage, account),

  // The recipient
  readTicket: result(readTicket, { ticket: 'string', number: 'number' }),

  // The installation
  sweepFiles: result(sweepFiles, {
    ofErased: 'string?',
    withOrphans: 'boolean?',
    shouldStop: 'function?',
  }),
}

const methods: MethodsOf<typeof useCases> = {
  digests: { keyedDigests: true, opaqueTokenDigest: true },
  clock: { nowMicros: true },
  random: { bytes: true },
  textCipher: { unsealText: true },
  secretFiles: { erase: true, reserve: true, bytesOf: true, findTicket: true, page: true, endUnderWay: true },
  fileContents: { drop: true, freeBytes: true, append: true, read: true, page: true },
  idempotencyKeys: { find: true },
  fileCipher: {
    storedLength: true,
    newFileKey: true,
    newContentDigest: true,
    encryptFile: true,
    decryptFile: true,
  },
}

/** What {@link createFiles} binds its use-cases to. */
export interface FilesOptions {
  readonly ports: PortsOf<typeof useCases>
  /** The bounds of files; none are taken without `files`. */
  readonly policy?: Pick<Policy, 'files'> | undefined
}

/**
 * Files: contents are uploaded before the secret exists that they belong to, and read with the ticket of an opened link. Throws a TypeError when a
 * method of a port is missing.
 */
export function createFiles({ ports, policy = {} }: FilesOptions) {
  requireBounds(policy, ['files'])
  return bindAll(useCases, methods, { ...ports, policy })
}

function isIterable(value: unknown): value is NewFiles {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
