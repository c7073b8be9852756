import { defaultPolicy, requireBounds, type Policy } from '../policy.ts'
import { admitAnswer, previewRequest } from './admit-answer.ts'
import { answerRequest } from './answer-request.ts'
import { countNewAnswers, listAnswers } from './answers.ts'
import { closeRequest, countRequests, createRequest, getRequest, listRequests } from './requests.ts'
import { bindAll, list, result, type MethodsOf, type PortsOf } from '../shared/bind.ts'
import { upload } from '../files/shapes.ts'
import { account, accountAndId, pagesOfAccount, pagesOfFolder, token } from '../shared/old-shapes.ts'

const answerer = { ...token, address: 'string', formId: 'string?' } as const

const useCases = {
  // The owner
  createRequest: result(createRequest, {
    ...account,
    title: 'string',
    text: 'string?',
    folderId: 'string',
    answersAllowed: 'number?',
    lifetimeSeconds: 'number?',
    notify: 'boolean?',
    takesFiles: 'boolean?',
    key: 'string?',
  }),
  listRequests: list(listRequests, pagesOfFolder),
  getRequest: result(getRequest, accountAndId),
  countRequests: result(countRequests, { ...account, folderId: 'string?' }),
  closeRequest: result(closeRequest, accountAndId),
  listAnswers: list(listAnswers, { ...pagesOfAccount, requestId: 'string?' }),
  countNewAnswers: result(countNewAnswers, account),

  // Whoever has the link
  previewRequest: result(previewRequest, token),
  admitAnswer: result(admitAnswer, { ...answerer, note: 'string?', hasFiles: 'boolean?' }),
  answerRequest: result(answerRequest, { ...answerer, note: 'string', upload }),
}

const methods: MethodsOf<typeof useCases> = {
  requests: {
    insert: true,
    page: true,
    find: true,
    countOpen: true,
    close: true,
    findByDigest: true,
    answer: true,
  },
  drafts: { answers: true, countNewAnswers: true },
  folders: { owns: true },
  textCipher: { encryptText: true, decryptText: true },
  secretCipher: { encryptSecret: true, decryptHead: true, decryptNote: true },
  keyRing: { follow: true },
  digests: { opaqueTokenDigest: true, keyedDigests: true },
  clock: { nowMicros: true },
  random: { bytes: true },
}

/** What {@link createRequests} binds its use-cases to. */
export interface RequestsOptions {
  readonly ports: PortsOf<typeof useCases>
  /** `defaultPolicy` by default. */
  readonly policy?: Pick<Policy, 'noteMaxBytes' | 'files'> | undefined
}

/**
 * Requests: an owner asks for a text, and whoever has the request's link hands one in, perhaps with files, which becomes a draft. Throws a TypeError when a
 * method of a port is missing, or the policy is not valid.
 */
export function createRequests({ ports, policy = defaultPolicy }: RequestsOptions) {
  requireBounds(policy, ['noteMaxBytes', 'files'])
  return bindAll(useCases, methods, { ...ports, policy })
}
