/** Where the lines of a log go. */
interface LogStream {
  write(text: string): void
}

export interface RequestLines extends LogStream {
  /** Calls `log`. The lines that it writes wait for the end of this turn of the event loop at most. */
  defer(log: () => void): void
}

/** Other processes cannot write between the bytes of a write of this size to a pipe: PIPE_BUF of Linux (POSIX, `write`). */
const writeMaxBytes = 4_096

/**
 * A log that writes the lines of several requests together. Services usually log to a pipe, and each write to a pipe wakes its reader, which
 * costs more than a tenth of a request.
 *
 * Every other line is written immediately, after the deferred ones before it, so all lines keep their order. A process that is killed loses
 * the deferred lines of one turn of the event loop at most.
 */
export function createRequestLines(stream: LogStream): RequestLines {
  let waiting = ''
  let isDeferring = false

  function flush(): void {
    if (waiting === '') return
    const text = waiting
    waiting = ''
    stream.write(text)
  }

  return {
    write(line) {
      if (waiting.length + line.length > writeMaxBytes || !isDeferring) flush()
      if (isDeferring) {
        if (waiting === '') setImmediate(flush)
        waiting += line
      } else stream.write(line)
    },
    defer(log) {
      isDeferring = true
      try {
        log()
      } finally {
        isDeferring = false
      }
    },
  }
}
