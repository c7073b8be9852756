import type { QuotaLimits } from './ports/quota-store.ts'

/** The bounds that an installation sets. */
export interface Policy {
  /** The largest note, in bytes of UTF-8. */
  readonly noteMaxBytes: number
  readonly quota: QuotaLimits
}
