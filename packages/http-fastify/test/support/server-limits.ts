export {
  longBodiesMax,
  refusedFormsMaxBytes,
  restsMaxBytes,
  limitsOf,
  startBytes,
  startsMaxBytes,
  type ServerLimits,
} from '../../src/http/bodies/server-limits.ts'
