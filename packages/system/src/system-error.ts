/** The operating system's code of an error, such as `ENOENT` (errno(3)); `undefined` when the error has none. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
