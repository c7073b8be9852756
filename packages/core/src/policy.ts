import { fieldOf } from './shared/field.ts'

/**
 * How many buckets of addresses are stored at most by default: some 20 MB. Addresses cost nothing, so without a bound a flood of them
 * would fill the disk.
 */
export const defaultAddressesMax = 100_000

/** How many calls a bucket may make in each window. Positive whole numbers. */
export interface QuotaLimits {
  /** Calls within 60 seconds. */
  readonly perMinute: number
  /** Calls within 86,400 seconds. */
  readonly perDay: number
  /** How many buckets of addresses may be stored; {@link defaultAddressesMax} by default. */
  readonly addressesMax?: number | undefined
}

/** How large files may be. */
export interface FilePolicy {
  /** The largest file, in bytes; 0 where no files are taken. */
  readonly maxBytes: number
  /** How many bytes all files of an account may count together, as `countedBytes` counts them. */
  readonly accountMaxBytes: number
  /** How many bytes of the disk files leave free; 0 by default. Without effect where the `FileStore` does not know its disk. */
  readonly diskReserveBytes?: number | undefined
}

/** The bounds that an installation sets. */
export interface Policy {
  /** The largest note, in bytes of UTF-8. */
  readonly noteMaxBytes: number
  readonly quota: QuotaLimits
  /** No files by default. */
  readonly files?: FilePolicy | undefined
}

/** The bounds that an installation has by default. */
export const defaultPolicy: Policy = { noteMaxBytes: 65_536, quota: { perMinute: 60, perDay: 1_440 } }

/** Whether secrets and drafts may have files, by `files` of the policy. */
export function takesFiles(files: FilePolicy | undefined): files is FilePolicy {
  return files !== undefined && files.maxBytes > 0
}

/**
 * Throws a TypeError when one of these bounds is no positive whole number; the largest file and what the disk keeps free may be 0. For
 * policies that no compiler checks, and those from the settings of an operator.
 */
export function requireBounds(policy: unknown, bounds: readonly (keyof Policy)[]): void {
  if (bounds.includes('noteMaxBytes')) requirePositive(policy, 'noteMaxBytes')
  const files = fieldOf(policy, 'files')
  if (bounds.includes('files') && files !== undefined) {
    if (fieldOf(files, 'maxBytes') !== 0) requirePositive(files, 'maxBytes', 'files.')
    requirePositive(files, 'accountMaxBytes', 'files.')
    if (![0, undefined].includes(fieldOf(files, 'diskReserveBytes') as number | undefined))
      requirePositive(files, 'diskReserveBytes', 'files.')
  }
  if (!bounds.includes('quota')) return
  const quota = fieldOf(policy, 'quota')
  requirePositive(quota, 'perMinute', 'quota.')
  requirePositive(quota, 'perDay', 'quota.')
  if (fieldOf(quota, 'addressesMax') !== undefined) requirePositive(quota, 'addressesMax', 'quota.')
}

function requirePositive(of: unknown, field: string, path = ''): void {
  const value = fieldOf(of, field)
  if (Number.isSafeInteger(value) && Number(value) > 0) return
  throw new TypeError(`policy.${path}${field} must be a positive whole number`)
}
