import { stepsOf } from '../stores/steps.ts'
import { aTime } from '../stores/values.ts'

/** What a storage is asked about itself. */
export const upkeepSteps = stepsOf('upkeep', {
  recordSweep: [aTime],
  lastSweep: [],
  lastWrite: [],
  oldestExpiry: [],
  countRows: [],
  canWrite: [],
})
