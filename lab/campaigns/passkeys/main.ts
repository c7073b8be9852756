/**
 * Sends tampered passkeys, each made or used with real signatures and then changed, and compares the answers with those of
 * @simplewebauthn/server.
 *
 *     npm run campaign passkeys -- [--messages N]
 */
import { optionsFrom } from '../support/command.ts'
import { runPasskeysCampaign } from './campaign.ts'

const { messages } = optionsFrom({ messages: 10_000 })
const { figures, violations } = await runPasskeysCampaign({ messages })
console.table(figures.kinds)
console.log(`${String(figures.messages)} tampered messages, ${String(figures.accepted)} accepted`)
for (const violation of violations) console.log(violation)
if (violations.length > 0) process.exitCode = 1
