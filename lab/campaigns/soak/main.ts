/**
 * Puts a steady load on one server for an hour or more. The load has everything in it: creates, opens, wrong passwords, gets, lists,
 * expiring secrets, backups and rotations.
 *
 *     npm run campaign soak -- [--minutes N] [--percent N]
 *
 * `percent` is the share of what the server does at most, which is measured first.
 */
import { conclude, optionsFrom } from '../support/command.ts'
import { runSoak } from './campaign.ts'
import { judge } from './judge.ts'

const { minutes, percent } = optionsFrom({ minutes: 70, percent: 33 })
const { samples, figures, failures } = await runSoak({
  seconds: 60 * minutes,
  percent,
  windowSeconds: 15,
  onSample: ({ minute, memoryMebibytes, descriptors, logMebibytes, p50Millis, p99Millis }) =>
    console.error(
      `${minute.toFixed(1)} min: ${memoryMebibytes.toFixed(0)} MiB, ${descriptors} descriptors, log ${logMebibytes.toFixed(1)} MiB, p50 ${p50Millis.toFixed(1)}, p99 ${p99Millis.toFixed(1)} ms`,
    ),
})
const { trend, violations } = judge(samples)
conclude({ ...figures, ...trend }, [...failures, ...violations])
