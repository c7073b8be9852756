// npm run campaign sockets -- [--times N] [--parallel N] [--rounds N] [--only TEXT]
//
// `only` is a part of the names of the cases that are sent; all are by default.
import { conclude, optionsFrom } from '../support/command.ts'
import { runSocketsCampaign } from './campaign.ts'

const { times, parallel, rounds, only } = optionsFrom({ times: 10_000, parallel: 64, rounds: 10, only: '' })
console.log(`sockets campaign: each case ${times} times, ${parallel} connections at the same time`)
const { figures, violations } = await runSocketsCampaign({
  times,
  parallel,
  rounds,
  only,
  onRound: (round, { heapBytes, residentBytes, descriptors }) =>
    console.log(
      `round ${round}: heap ${(heapBytes / 2 ** 20).toFixed(2)} MiB, resident ${(residentBytes / 2 ** 20).toFixed(1)} MiB, ` +
        `${descriptors} descriptors`,
    ),
})
conclude(figures, violations)

// A server that keeps something of each connection must be noticed, or the campaign proves nothing.
const leaking = await runSocketsCampaign({ times: 40, parallel, rounds: 4, leak: true })
console.log(`control, a server that keeps something of each connection: ${leaking.violations.join('; ')}`)
if (leaking.violations.length === 0) process.exitCode = 1
