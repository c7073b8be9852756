import * as kit from '@sotto/test-kit'

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

/** Every case once, by the name of the contract that the list has it under. */
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

/** Every rule of every contract, in Markdown. */
function rulesDocument(): string {
  const lists = Object.entries(contracts).map(([name, cases]) => {
    const rest =
      name === 'storageContract' ? 'These rules, and those of the contracts of single ports below.\n\n' : ''
    return `## ${name}\n\n${rest}${cases.map(itemOf).join('\n')}\n`
  })
  return [introduction, ...lists].join('\n')
}

const introduction = `# The rules of the ports

Each line is a case: its id, the capabilities that it needs, and its rule.
`

function itemOf({ id, rule, needs = [] }: ListedCase): string {
  const capabilities = needs.map((capability) => `\`${capability}\``).join(', ')
  return `- \`${id}\`${capabilities === '' ? '' : ` (${capabilities})`}: ${rule}`
}

if (import.meta.main) console.log(rulesDocument())
