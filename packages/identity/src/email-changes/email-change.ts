/** How long the link that confirms a new email address can be used: 24 hours, in microseconds. */
export const emailChangeLifetimeMicros = 24 * 3_600 * 1_000_000
