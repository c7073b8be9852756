import { readFileSync, writeFileSync } from 'node:fs'
import * as kit from '@sotto/test-kit'

/** Where the README is. */
export const readmeUrl = new URL('../../README.md', import.meta.url)

const begin = '<!-- cases: written by `node test/readme/cases.ts` -->'
const end = '<!-- end of cases -->'

interface ListedCase {
  readonly id: string
  readonly rule: string
  readonly needs?: readonly string[]
}

/** The contracts of single ports, by the name under which they are exported. */
const portContracts: Readonly<Record<string, readonly ListedCase[]>> = {
  accountStoreContract: kit.accountStoreContract,
  folderStoreContract: kit.folderStoreContract,
  secretStoreContract: kit.secretStoreContract,
  draftStoreContract: kit.draftStoreContract,
  idempotencyStoreContract: kit.idempotencyStoreContract,
  linkStoreContract: kit.linkStoreContract,
  secretFileStoreContract: kit.secretFileStoreContract,
  requestStoreContract: kit.requestStoreContract,
  outboxStoreContract: kit.outboxStoreContract,
  deliveryStoreContract: kit.deliveryStoreContract,
  webhookStoreContract: kit.webhookStoreContract,
  accessTokenStoreContract: kit.accessTokenStoreContract,
  passwordStoreContract: kit.passwordStoreContract,
  identityStoreContract: kit.identityStoreContract,
  passkeyStoreContract: kit.passkeyStoreContract,
  usedTokenStoreContract: kit.usedTokenStoreContract,
  sessionStoreContract: kit.sessionStoreContract,
  invitationStoreContract: kit.invitationStoreContract,
  emailChangeStoreContract: kit.emailChangeStoreContract,
  signInStoreContract: kit.signInStoreContract,
  keyStoreContract: kit.keyStoreContract,
  serverStoreContract: kit.serverStoreContract,
  rewrapStoreContract: kit.rewrapStoreContract,
  corruptionStoreContract: kit.corruptionStoreContract,
  upkeepContract: kit.upkeepContract,
}

const casesOfPorts = new Set(Object.values(portContracts).flatMap((cases) => cases.map(({ id }) => id)))

/** Every case once, by the name of the contract that the README lists it under. */
export const contracts: Readonly<Record<string, readonly ListedCase[]>> = {
  storageContract: kit.storageContract.filter(({ id }) => !casesOfPorts.has(id)),
  ...portContracts,
  storageDriverContract: kit.storageDriverContract,
  quotaContract: kit.quotaContract,
  fileStoreContract: kit.fileStoreContract,
  cipherContract: kit.cipherContract,
  fileCipherContract: kit.fileCipherContract,
  passwordHasherContract: kit.passwordHasherContract,
  passkeyVerifierContract: kit.passkeyVerifierContract,
  mailSenderContract: kit.mailSenderContract,
  webhookSenderContract: kit.webhookSenderContract,
  identityProviderContract: kit.identityProviderContract,
  clockContract: kit.clockContract,
  randomContract: kit.randomContract,
}

/** The README with a fresh list of the cases. */
export function withCases(readme: string): string {
  const [before, rest] = readme.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error('the README has no place for the cases')
  return `${before}${begin}\n\n${listOfCases()}\n\n${end}${after}`
}

function listOfCases(): string {
  const lists = Object.entries(contracts).map(([name, cases]) => {
    const rest =
      name === 'storageContract' ? 'These cases, and those of the contracts of single ports below.\n\n' : ''
    return `### ${name}\n\n${rest}${cases.map(itemOf).join('\n')}`
  })
  return lists.join('\n\n')
}

function itemOf({ id, rule, needs = [] }: ListedCase): string {
  const capabilities = needs.map((capability) => `\`${capability}\``).join(', ')
  return `- \`${id}\`${capabilities === '' ? '' : ` (${capabilities})`}: ${rule}`
}

if (import.meta.main) writeFileSync(readmeUrl, withCases(readFileSync(readmeUrl, 'utf8')))
