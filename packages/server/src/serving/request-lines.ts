/** Where the lines of a log go. */
interface LogStream {
  write(text: string): void
}

/** Other processes cannot write between the bytes of a write of this size to a pipe: PIPE_BUF of Linux (POSIX, `write`). */
const writeMaxBytes = 4_096

/** The lines of requests and the audit lines have the level `info`. Faults and warnings have higher ones. */
const ofInfo = '{"level":30,'

/**
 * A log that writes the lines of several requests together: those of the level `info`, which wait for the end of this turn of the event loop
 * at most. Services usually log to a pipe, and each write to a pipe wakes its reader, which costs more than a tenth of a request.
 *
 * Every other line is written immediately, together with those that wait, so all lines keep their order. A process that is killed loses the
 * lines of one turn at most; one that exits loses none.
 */
export function createRequestLines(stream: LogStream): LogStream {
  let waiting = ''

  function flush(): void {
    process.off('exit', flush)
    const text = waiting
    waiting = ''
    if (text !== '') stream.write(text)
  }

  return {
    write(line) {
      if (waiting.length + line.length > writeMaxBytes) flush()
      if (waiting === '') {
        setImmediate(flush)
        process.once('exit', flush)
      }
      waiting += line
      if (!line.startsWith(ofInfo)) flush()
    },
  }
}
