/** Where time comes from. */
export interface Clock {
  /** The wall clock: whole microseconds since the Unix epoch, UTC. May jump when the machine's clock is set. */
  nowMicros(): number
}
