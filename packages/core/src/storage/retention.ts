/**
 * How long the row of an expired secret stays stored. No use-case shows it any more, but a list that began before the expiry still reads
 * it; such a list has ended by then, so no list has gaps.
 */
export const eraseAfterMicros = 10 * 60 * 1_000_000

/** How long messages that were given up are kept, and events that nobody has distributed: 30 days. */
export const keepMicros = 30 * 86_400 * 1_000_000
