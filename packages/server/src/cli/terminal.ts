import { closeSync, openSync, writeSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import { err, ok, type Result } from 'neverthrow'

export type PromptError = { readonly code: 'terminal_missing' } | { readonly code: 'prompt_left' }

/** Asks the person at the terminal for one line, which is not shown while it is typed. */
export type HiddenPrompt = (question: string) => Promise<Result<string, PromptError>>

/** What a terminal in raw mode is to {@link readHiddenLine}. */
export interface RawTerminal extends AsyncIterable<Buffer> {
  write(text: string): void
}

/** Signals that end a process by default. They must not leave the terminal without echo. */
export const endings = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** Asks on the terminal that controls the process, whatever standard input and output are. */
export const promptOnTerminal: HiddenPrompt = async (question) => {
  const terminal = openTerminal()
  if (terminal === undefined) return err({ code: 'terminal_missing' })
  const { stream, fd } = terminal
  const restore = (): void => void stream.setRawMode(false)
  const end = (signal: NodeJS.Signals): void => {
    restore()
    stopListening()
    process.kill(process.pid, signal)
  }
  const stopListening = (): void => endings.forEach((signal) => process.off(signal, end))
  endings.forEach((signal) => process.on(signal, end))
  stream.setRawMode(true)
  try {
    const raw = {
      write: (text: string) => void writeSync(fd, text),
      [Symbol.asyncIterator]: () => chunks(stream),
    }
    return await readHiddenLine(raw, question)
  } finally {
    restore()
    stopListening()
    stream.destroy()
  }
}

/** Reads one line as a terminal in raw mode gives it: with the keys that erase. */
export async function readHiddenLine(
  terminal: RawTerminal,
  question: string,
): Promise<Result<string, PromptError>> {
  terminal.write(question)
  let line = ''
  const decoder = new TextDecoder()
  for await (const chunk of terminal) {
    for (const key of decoder.decode(chunk, { stream: true })) {
      if (key === '\r' || key === '\n') return typed(terminal, ok(line))
      if (key === '\u0003' || (key === '\u0004' && line === ''))
        return typed(terminal, err({ code: 'prompt_left' }))
      if (key === '\u007f' || key === '\b') line = line.replace(/.$/su, '')
      else if (key === '\u0015') line = ''
      else if (!/\p{Cc}/u.test(key)) line += key
    }
  }
  return typed(terminal, err({ code: 'prompt_left' }))
}

function typed<T>(terminal: RawTerminal, result: T): T {
  terminal.write('\n')
  return result
}

function openTerminal(): { readonly stream: ReadStream; readonly fd: number } | undefined {
  let fd: number | undefined
  try {
    fd = openSync('/dev/tty', 'r+')
    return { stream: new ReadStream(fd), fd }
  } catch {
    if (fd !== undefined) closeSync(fd)
    return undefined
  }
}

function chunks(stream: ReadStream): AsyncIterator<Buffer> {
  return stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
}
