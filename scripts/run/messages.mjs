/** An expected error: its message explains it and says what to do. */
export class ExpectedError extends Error {}

/** Writes a message of the set-up, to stderr. @param {string} text */
export function say(text) {
  process.stderr.write(`sotto: ${text}\n`)
}

/** The system's code of an error, such as `ENOENT`. @param {unknown} error */
export function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
