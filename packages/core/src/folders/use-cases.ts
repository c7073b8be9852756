import type { Uuid } from '../shared/uuid.ts'
import { defaultPolicy, requireBounds, type Policy } from '../policy.ts'
import { aListOfStrings, objectOf, oneOf, optional } from '../shared/inputs.ts'
import { secretStatuses } from '../secrets/secret-status.ts'
import { browseSecrets, countSecrets } from '../secrets/browse-secrets.ts'
import { deleteSecrets, removeFinished } from './delete-secrets.ts'
import { searchSecrets, type SearchCursor } from './search-secrets.ts'
import { destroySecret, markSeen, viewSecret } from '../secrets/secrets.ts'
import { ensureFolder } from './ensure-folder.ts'
import { createFolder, deleteFolder, getFolder, listFolders, renameFolder } from './folders.ts'
import { createSecretOnce } from '../secrets/create-secret-once.ts'
import { deleteDraft, listDrafts, saveDraft, shareDraft } from '../drafts/drafts.ts'
import { editDraft, type DraftContent } from '../drafts/edit-draft.ts'
import { getDraft } from '../drafts/get-draft.ts'
import { readDraftFile } from '../drafts/read-draft-file.ts'
import { isKeyUsed } from '../files/is-key-used.ts'
import { bindAll, list, result, type MethodsOf, type PortsOf } from '../shared/bind.ts'
import { account, accountAndId, isEncrypted, pagesOfAccount, pagesOfFolder } from '../shared/old-shapes.ts'
import { lifetime, newSecret } from '../secrets/shapes.ts'
import { upload } from '../files/shapes.ts'

const status = optional(oneOf(...secretStatuses))

const useCases = {
  // Folders
  createFolder: result(createFolder, { ...account, label: 'string' }),
  ensureFolder: result(ensureFolder, { ...account, label: 'string' }),
  listFolders: list(listFolders, pagesOfAccount),
  getFolder: result(getFolder, accountAndId),
  renameFolder: result(renameFolder, { ...accountAndId, label: 'string' }),
  deleteFolder: result(deleteFolder, { ...accountAndId, withContents: 'boolean?' }),

  // Secrets
  createSecretOnce: result(createSecretOnce, { ...newSecret, ...lifetime, idempotencyKey: 'string' }),
  isKeyUsed: result(isKeyUsed, { ...account, idempotencyKey: 'string' }),
  destroySecret: result(destroySecret, accountAndId),
  viewSecret: result(viewSecret, accountAndId),
  markSeen: result(markSeen, { ...accountAndId, news: 'number' }),
  browseSecrets: list(browseSecrets, { ...pagesOfFolder, status }),
  searchSecrets: result(searchSecrets, {
    ...account,
    words: 'string',
    folderId: 'string?',
    status,
    after: optional(
      objectOf<SearchCursor>({ of: oneOf('secrets', 'drafts'), createdAtMicros: 'number', id: 'string' }),
    ),
    pageSize: 'number?',
    turn: 'function?',
  }),
  deleteSecrets: result(deleteSecrets, {
    ...account,
    ids: aListOfStrings,
    drafts: optional(aListOfStrings),
    erased: 'function?',
  }),
  removeFinished: result(removeFinished, { ...account, folderId: 'string?' }),
  countSecrets: result(countSecrets, { ...account, folderId: 'string?' }),

  // Drafts
  saveDraft: result(saveDraft, newSecret),
  listDrafts: list(listDrafts, pagesOfFolder),
  getDraft: result(getDraft, { ...accountAndId, password: 'string?' }),
  readDraftFile: result(readDraftFile, { ...accountAndId, number: 'number' }),
  editDraft: result(editDraft, {
    ...accountAndId,
    folderId: 'string',
    label: 'string',
    openLimit: 'number?',
    notify: 'boolean?',
    version: 'string?',
    content: optional(
      objectOf<DraftContent>({
        note: 'string',
        password: 'string?',
        sealedFiles: optional(isEncrypted),
        removedFiles: optional(aListOfStrings),
        upload,
        showsFiles: 'boolean?',
      }),
    ),
  }),
  shareDraft: result(shareDraft, { ...accountAndId, ...lifetime }),
  deleteDraft: result(deleteDraft, accountAndId),
}

const methods: MethodsOf<typeof useCases> = {
  requests: { eraseIn: true },
  folders: { owns: true, insert: true, page: true, find: true, relabel: true, erase: true },
  secrets: {
    insert: true,
    find: true,
    page: true,
    activity: true,
    overviews: true,
    counts: true,
    markSeen: true,
    erase: true,
  },
  drafts: {
    page: true,
    find: true,
    replace: true,
    share: true,
    erase: true,
    updateAttempts: true,
  },
  idempotencyKeys: { find: true, insertSecret: true },
  textCipher: { encryptText: true, decryptText: true },
  secretCipher: { encryptSecret: true, decryptHead: true, decryptNote: true, rebind: true },
  keyRing: { follow: true, activeKid: true },
  digests: { makeLinkToken: true, linkLookup: true, keyedDigests: true, opaqueTokenDigest: true },
  fileContents: { read: true },
  fileCipher: { decryptFile: true },
  clock: { nowMicros: true },
  random: { bytes: true },
}

/** What {@link createFolders} binds its use-cases to. */
export interface FoldersOptions {
  readonly ports: PortsOf<typeof useCases>
  /** `defaultPolicy` by default. */
  readonly policy?: Pick<Policy, 'noteMaxBytes'> | undefined
}

/**
 * Folders and what an owner does in them beyond `createSecrets`: drafts, secrets with what happened to their links, and secrets whose
 * request may arrive twice. Throws a TypeError when a method of a port is missing, or the policy is not valid.
 */
export function createFolders({ ports, policy = defaultPolicy }: FoldersOptions) {
  requireBounds(policy, ['noteMaxBytes'])
  return bindAll(useCases, methods, { ...ports, policy, searching: new Set<Uuid>() })
}
