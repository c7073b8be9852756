import {
  openFile,
  openNote,
  sealedFileBytes,
  Undecryptable,
  type Content,
  type Lock,
  type SealedFile,
} from '@sotto/sealed'
import { SottoError } from '../errors.ts'
import { shownName, type OpenedFile } from '../opened-file.ts'

/** Decrypts what a link with a sealed secret answered. @throws SottoError `undecryptable`, with the sealed note: it is spent by now */
export async function openSealed(
  lock: Lock,
  note: string,
  files: readonly OpenedFile[],
): Promise<{ readonly note: string; readonly files: readonly OpenedFile[] }> {
  const content = await openNote(lock, note)
  if (content === undefined || !fits(content, files)) throw undecryptable('The text', note)
  return { note: content.text, files: content.files.map((file, at) => opened(file, at, files[at])) }
}

/** Whether the files are those of the list, as far as their sizes tell. */
function fits({ files: listed }: Content, files: readonly OpenedFile[]): boolean {
  return (
    listed.length === files.length &&
    listed.every(({ size }, at) => files[at]?.size === sealedFileBytes(size))
  )
}

function opened(
  { key, name, size, type }: SealedFile,
  at: number,
  sealed: OpenedFile | undefined,
): OpenedFile {
  if (sealed === undefined) throw new TypeError('a file of the list is missing')
  return {
    ...{ name: shownName(name, at + 1), size, type, url: sealed.url },
    stream(options) {
      const plain = sealed.stream(options).pipeThrough(openFile(key, size)).getReader()
      return new ReadableStream(
        {
          async pull(controller) {
            const { done, value } = await plain.read().catch((error: unknown) => {
              throw error instanceof Undecryptable ? undecryptable('A file') : error
            })
            if (done) controller.close()
            else controller.enqueue(value)
          },
          cancel: (reason) => plain.cancel(reason),
        },
        { highWaterMark: 0 },
      )
    },
  }
}

export function undecryptable(what: string, sealed?: string): SottoError {
  return new SottoError('undecryptable', `${what} could not be decrypted.`, { sealed })
}
