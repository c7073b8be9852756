import type { QuotaLimits } from './ports/quota-store.ts'

/** The bounds that an installation sets. */
export interface Policy {
  /** The largest note, in bytes of UTF-8. */
  readonly noteMaxBytes: number
  readonly quota: QuotaLimits
}

/** The bounds that an installation has by default. */
export const defaultPolicy: Policy = { noteMaxBytes: 65_536, quota: { perMinute: 60, perDay: 1_440 } }
