import type { StorageHarness } from '@sotto/test-kit'
import { brokenStore, type Broken } from './broken.ts'

const requests = brokenStore('requests')

/** Flaws of the files of answers. */
export const brokenRequests: readonly Broken<StorageHarness>[] = [
  requests('forgets the files of an answer', ['request-store/answers-as-the-memory-storage'], (store) => ({
    answer: (digest, answerer, { secret, note }, decide) =>
      store.answer(digest, answerer, { secret, note }, decide),
  })),
  requests(
    'leaves the contents of files under way',
    ['request-store/answers-as-the-memory-storage'],
    (store, data) => ({
      answer(digest, answerer, draft, decide) {
        const before = [...data.underWay.values()]
        return store.answer(digest, answerer, draft, decide).map((answered) => {
          for (const content of before) data.underWay.set(content.id, content)
          return answered
        })
      },
    }),
  ),
  requests(
    'counts nothing for the files of an answer',
    ['request-store/answers-as-the-memory-storage'],
    (store, data) => ({
      answer: (digest, answerer, draft, decide) =>
        store.answer(digest, answerer, draft, decide).map((answered) => {
          for (const { id } of draft.files ?? []) data.counted.delete(id)
          return answered
        }),
    }),
  ),
  requests(
    'adds files before it decides',
    ['request-store/answers-as-the-memory-storage'],
    (store, data) => ({
      answer(digest, answerer, draft, decide) {
        for (const file of draft.files ?? []) data.files.set(file.id, file)
        return store.answer(digest, answerer, draft, decide)
      },
    }),
  ),
  requests(
    'adds what is left of the files',
    ['request-store/answers-as-the-memory-storage'],
    (store, data) => ({
      answer: (digest, answerer, draft, decide) => {
        const files = draft.files?.filter(({ id }) => (data.underWay.get(id)?.untilMicros ?? 0) > 0)
        return store.answer(digest, answerer, { ...draft, files }, decide)
      },
    }),
  ),
  requests(
    'does not keep whether a request takes files',
    ['request-store/answers-as-the-memory-storage'],
    (store) => ({
      insert: (request, digest) => store.insert({ ...request, takesFiles: false }, digest),
    }),
  ),
]
