import { accessTokenCases } from '../access-tokens/access-token-store.ts'
import { accessTokenSteps } from '../access-tokens/access-token-steps.ts'
import { accountCases } from '../accounts/account-store.ts'
import { accountSteps } from '../accounts/account-steps.ts'
import { contractOf } from '../contract/contract.ts'
import { emailChangeCases } from '../email-changes/email-change-store.ts'
import { emailChangeSteps } from '../email-changes/email-change-steps.ts'
import { addFullAccounts, lookStep, writeStep } from '../keys/full-steps.ts'
import { keySteps, serverSteps } from '../keys/key-steps.ts'
import { keyCases } from '../keys/key-store.ts'
import { corruptionSteps, destroyStep, rewrapSteps } from '../keys/rewrap-steps.ts'
import { rewrapCases } from '../keys/rewrap-store.ts'
import { invitationCases } from '../invitations/invitation-store.ts'
import { addPasswords, invitationSteps } from '../invitations/invitation-steps.ts'
import { deliveryCases } from '../notifications/delivery-store.ts'
import { outboxCases } from '../notifications/outbox-store.ts'
import {
  addEventSource,
  deliverySteps,
  eventStep,
  outboxSteps,
  tellStep,
  workStep,
} from '../notifications/queue-steps.ts'
import { webhookSteps } from '../notifications/webhooks/webhook-steps.ts'
import { webhookCases } from '../notifications/webhooks/webhook-store.ts'
import { passkeySteps } from '../passkeys/passkey-steps.ts'
import { passkeyCases } from '../passkeys/passkey-store.ts'
import { passwordSteps } from '../passwords/password-steps.ts'
import { passwordCases } from '../passwords/password-store.ts'
import { signInSteps } from '../passwords/sign-in-steps.ts'
import { signInCases } from '../passwords/sign-in-store.ts'
import { answerWithFilesStep, fateSteps, fileSteps, ownerSteps, listSteps } from '../requests/answer-steps.ts'
import { addRequests, requestSteps } from '../requests/request-steps.ts'
import { requestCases } from '../requests/request-store.ts'
import { sessionCases } from '../sessions/session-store.ts'
import { sessionSteps } from '../sessions/session-steps.ts'
import { usedTokenCases } from '../sessions/used-token-store.ts'
import { usedTokenSteps } from '../sessions/used-token-steps.ts'
import type { StorageCase } from '../stores/harness.ts'
import { allBut, neededStoresCase } from '../stores/needed-stores.ts'
import { beginStep, identitySteps, takeStep } from '../single-sign-on/identity-steps.ts'
import { identityCases } from '../single-sign-on/identity-store.ts'
import { bob } from '../stores/values.ts'
import { historyCases, type Histories } from './histories.ts'
import { upkeepSteps } from './upkeep-steps.ts'
import { upkeepCases } from './upkeep.ts'

/** What a history does to the queue: a step that stands twice comes twice as often. */
const queue = [tellStep, tellStep, tellStep, eventStep, outboxSteps.distribute]

/** The contract of the account store. With an account its rows end, and a name lets in no links that were given to another one. */
export const accountStoreContract = contract('account-store', accountCases, {
  store: 'accounts',
  steps: accountSteps,
  others: [
    ...[accountSteps.find, accountSteps.findByName, accountSteps.page, accountSteps.setDisplayName],
    ...[
      invitationSteps.replace,
      invitationSteps.replace,
      invitationSteps.find,
      invitationSteps.findOfAccount,
    ],
    ...[emailChangeSteps.replace, emailChangeSteps.find, sessionSteps.page, passwordSteps.find],
    ...[signInSteps.rememberAddress, signInSteps.knowsAddress],
  ],
  async prepare(storage) {
    await addEventSource(storage)
    await addPasswords(storage)
  },
})

/** The contract of the store of requests. An answer is a draft, with files of its own. */
export const requestStoreContract = contract('request-store', requestCases, {
  store: 'requests',
  steps: requestSteps,
  others: [
    ...[requestSteps.insert, requestSteps.insert, requestSteps.answer, requestSteps.answer],
    ...[requestSteps.page, requestSteps.find, requestSteps.close, requestSteps.findByDigest],
    ...[answerWithFilesStep, answerWithFilesStep, ...fileSteps],
    ...[...listSteps, ...fateSteps, ...ownerSteps],
    ...[accountSteps.setDisplayName, accountSteps.disable, accountSteps.eraseBegun],
    ...[signInSteps.update, outboxSteps.page],
  ],
  prepare: addRequests,
})

/** The contract of the outbox. */
export const outboxStoreContract = contract('outbox-store', outboxCases, {
  store: 'outbox',
  steps: outboxSteps,
  others: [
    ...[tellStep, tellStep, tellStep, eventStep, eventStep, accountSteps.beginErasure],
    ...[
      deliverySteps.page,
      deliverySteps.page,
      deliverySteps.lease,
      deliverySteps.settle,
      deliverySteps.settle,
    ],
  ],
  prepare: addEventSource,
})

/** The contract of the delivery store. */
export const deliveryStoreContract = contract('delivery-store', deliveryCases, {
  store: 'deliveries',
  steps: deliverySteps,
  others: [...queue, workStep, workStep, workStep],
  prepare: addEventSource,
})

/** The contract of the webhook store. With a webhook its lease ends, and the deliveries to it are erased. */
export const webhookStoreContract = contract('webhook-store', webhookCases, {
  store: 'webhooks',
  steps: webhookSteps,
  others: [
    ...queue,
    ...[deliverySteps.page, deliverySteps.lease, deliverySteps.lease],
    ...[deliverySteps.release, deliverySteps.release, webhookSteps.erase],
  ],
  prepare: addEventSource,
})

/** The contract of the access token store. */
export const accessTokenStoreContract = contract('access-token-store', accessTokenCases, {
  store: 'accessTokens',
  steps: accessTokenSteps,
  others: [accountSteps.disable],
})

/** The contract of the password store. A new password ends sessions and links. */
export const passwordStoreContract = contract('password-store', passwordCases, {
  store: 'passwords',
  steps: passwordSteps,
  others: [
    ...[passwordSteps.find, sessionSteps.insert, sessionSteps.insert, sessionSteps.page, sessionSteps.erase],
    ...[invitationSteps.replace, invitationSteps.findOfAccount, invitationSteps.spend],
    ...[emailChangeSteps.replace, emailChangeSteps.find, accountSteps.disable],
  ],
  prepare: (storage) => addPasswords(storage),
})

/** The contract of the store that protects sign-in from guessing. */
export const signInStoreContract = contract('sign-in-store', signInCases, {
  store: 'signIns',
  steps: signInSteps,
  others: [
    signInSteps.rememberAddress,
    signInSteps.knowsAddress,
    signInSteps.knowsAddress,
    accountSteps.disable,
  ],
})

/** The contract of the store of identities. Who signs in with one ends sessions, and may take a one-time link. */
export const identityStoreContract = contract('identity-store', identityCases, {
  store: 'identities',
  steps: identitySteps,
  others: [
    ...[accountSteps.disable, accountSteps.release, accountSteps.findByName, accountSteps.rename],
    ...[beginStep, beginStep, beginStep, beginStep, takeStep, takeStep, takeStep, takeStep],
    ...[sessionSteps.insert, sessionSteps.page, sessionSteps.page, sessionSteps.findByDigest],
    ...[invitationSteps.replace, invitationSteps.spend, invitationSteps.spend, invitationSteps.find],
    ...[identitySteps.erase, identitySteps.refusedWithAccess, identitySteps.refusedWithAccess],
    ...[passwordSteps.find, passwordSteps.authenticators],
    ...[passkeySteps.insert, passkeySteps.list, accessTokenSteps.insert],
  ],
  // The other account has an identity or a passkey alone, or nothing.
  prepare: (storage) => addPasswords(storage, [bob]),
})

/** The contract of the store of passkeys. With a passkey its sessions end, and what else an account has decides whether it may go. */
export const passkeyStoreContract = contract('passkey-store', passkeyCases, {
  store: 'passkeys',
  steps: passkeySteps,
  others: [
    ...[accountSteps.disable, accountSteps.release],
    ...[sessionSteps.insert, sessionSteps.insert, sessionSteps.insert, sessionSteps.page, sessionSteps.page],
    ...[invitationSteps.replace, invitationSteps.spend],
  ],
  prepare: (storage) => addPasswords(storage),
})

/** The contract of the store of what counts once. */
export const usedTokenStoreContract = contract('used-token-store', usedTokenCases, {
  store: 'usedTokens',
  steps: usedTokenSteps,
})

/** The contract of the session store. */
export const sessionStoreContract = contract('session-store', sessionCases, {
  store: 'sessions',
  steps: sessionSteps,
  others: [
    ...[accountSteps.disable, accountSteps.setNotifies, accountSteps.setLanguage],
    ...[invitationSteps.replace, invitationSteps.spend, passwordSteps.replace],
    ...[passkeySteps.insert, passkeySteps.insert],
  ],
  prepare: (storage) => addPasswords(storage),
})

/** The contract of the store of one-time links. Who spends one may replace all with which somebody got in before. */
export const invitationStoreContract = contract('invitation-store', invitationCases, {
  store: 'invitations',
  steps: invitationSteps,
  others: [
    ...[invitationSteps.spend, invitationSteps.spend, accountSteps.disable],
    ...[sessionSteps.page, sessionSteps.findByDigest, passwordSteps.find],
    ...[accessTokenSteps.insert, accessTokenSteps.page, passkeySteps.insert, passkeySteps.list],
    ...[webhookSteps.insert, webhookSteps.list, emailChangeSteps.replace, emailChangeSteps.find],
    ...[tellStep, deliverySteps.page],
  ],
  // One of the accounts has a password that a link replaces.
  async prepare(storage) {
    await addEventSource(storage)
    await addPasswords(storage, [bob])
  },
})

/** The contract of the store of waiting changes of email addresses. What replaces its owner ends a change. */
export const emailChangeStoreContract = contract('email-change-store', emailChangeCases, {
  store: 'emailChanges',
  steps: emailChangeSteps,
  others: [
    ...[emailChangeSteps.spend, accountSteps.disable, accountSteps.beginErasure, accountSteps.rename],
    ...[accountSteps.find, accountSteps.findByName, passwordSteps.replace, passwordSteps.replace],
    ...[invitationSteps.replace, invitationSteps.spend, invitationSteps.find],
  ],
  prepare: (storage) => addPasswords(storage),
})

/** The contract of the key store. A row may be written under some keys, and keeps its key from being retired. */
export const keyStoreContract = contract('key-store', keyCases, {
  store: 'keys',
  steps: keySteps,
  others: [
    ...[keySteps.list, writeStep, writeStep, writeStep, writeStep, writeStep, writeStep, writeStep],
    ...[lookStep, rewrapSteps.replaceText, rewrapSteps.replaceSecret, destroyStep],
    ...[accountSteps.beginErasure, accountSteps.eraseBegun],
  ],
  prepare: addFullAccounts,
})

/** The contract of the store of servers. */
export const serverStoreContract = contract('server-store', [], { store: 'servers', steps: serverSteps })

/** The contract of the rewrap store. A row that has changed since it was read stays as it is. */
export const rewrapStoreContract = contract('rewrap-store', rewrapCases, {
  store: 'rewraps',
  steps: rewrapSteps,
  others: [
    ...[rewrapSteps.replaceText, rewrapSteps.replaceText, rewrapSteps.replaceSecret],
    ...[writeStep, writeStep, writeStep, lookStep, lookStep, destroyStep, keySteps.activate],
    ...[accountSteps.beginErasure, accountSteps.eraseBegun],
  ],
  prepare: addFullAccounts,
})

const corruptionNeeds = neededStoresCase('corruption-store', 'corruption', allBut('corruption'))

/** The contract of the corruption store. What has changed since it was read is not erased. */
export const corruptionStoreContract = contract('corruption-store', [corruptionNeeds], {
  store: 'corruption',
  steps: corruptionSteps,
  others: [
    ...[corruptionSteps.eraseText, corruptionSteps.eraseText, corruptionSteps.eraseSecret],
    ...[writeStep, writeStep, writeStep, lookStep, lookStep, destroyStep],
  ],
  prepare: addFullAccounts,
})

/** The contract of what the process that runs a storage asks about it: upkeep, erasure and instance id. */
export const upkeepContract = contract('upkeep', upkeepCases, {
  store: 'upkeep',
  steps: upkeepSteps,
  others: [
    ...[sessionSteps.insert, sessionSteps.erase, invitationSteps.replace, invitationSteps.spend],
    ...[accessTokenSteps.insert, webhookSteps.insert, webhookSteps.erase, emailChangeSteps.replace],
    ...[passwordSteps.replace, accountSteps.insert, accountSteps.disable],
  ],
  async prepare(storage) {
    await addEventSource(storage)
    await addPasswords(storage)
  },
})

function contract(port: string, cases: readonly StorageCase[], histories: Histories): readonly StorageCase[] {
  return contractOf([...cases, ...historyCases(port, histories)])
}
