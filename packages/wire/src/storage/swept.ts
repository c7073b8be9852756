import type { Swept } from '@sotto/core'

/** The document of `purge`. */
export function toWireSwept({ secrets, quotaBuckets, files }: Swept & { readonly files: number }) {
  return { secrets, quota_buckets: quotaBuckets, files }
}
