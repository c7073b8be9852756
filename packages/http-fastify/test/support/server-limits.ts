export {
  longBodiesMax,
  refusedFormsMaxBytes,
  restsMaxBytes,
  roomsOf,
  startBytes,
  startsMaxBytes,
  type ServerRooms,
} from '../../src/http/bodies/server-limits.ts'
