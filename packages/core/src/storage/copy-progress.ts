/** How much was copied. */
export interface CopyProgress {
  readonly copiedBytes: number
  readonly totalBytes: number
}
