import type { FileStore } from '@sotto/core'
import { growHeapForContent } from './heap-growth.ts'

/** The store, with a heap that may grow further while contents pass through it. */
export function roomyContents(store: FileStore): FileStore {
  return {
    ...store,
    append: (id, content) => store.append(id, passing(content)),
    read: (id, range) => passing(store.read(id, range)),
  }
}

async function* passing<Piece>(content: AsyncIterable<Piece>): AsyncGenerator<Piece, void, undefined> {
  const end = growHeapForContent()
  try {
    yield* content
  } finally {
    end()
  }
}
