import { openFile, sealFile, type Bytes } from '../../src/index.ts'

export async function bytesOf(stream: ReadableStream<Bytes>): Promise<Bytes> {
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** A sealed file in one piece. */
export function sealed(key: Bytes, file: Bytes, salt?: Bytes): Promise<Bytes> {
  return bytesOf(sealFile(key, new Blob([file]), salt))
}

/** A file of this size, from sealed bytes that arrive in pieces. */
export function opened(key: Bytes, size: number, bytes: Bytes, pieceBytes = 16_384): Promise<Bytes> {
  let at = 0
  const pieces = new ReadableStream<Bytes>({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, (at += pieceBytes)))
      else controller.close()
    },
  })
  return bytesOf(pieces.pipeThrough(openFile(key, size)))
}
