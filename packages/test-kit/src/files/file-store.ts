import assert from 'node:assert/strict'
import type { FileStore, StoredFileInfo } from '@sotto/core'
import { err, ok } from 'neverthrow'
import {
  caseOf,
  casesOf,
  contractOf,
  type CaseOf,
  type ContractCase,
  type Harness,
  type Unit,
  type UnnamedCase,
} from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { bytesOf, errorOf, inPieces, joined, sameBytes } from './pieces.ts'

/**
 * What a store of files can do beyond the minimum:
 * - `reopen`: it keeps what is durable beyond a crash.
 */
export type FileStoreCapability = 'reopen'

/** A store of files, for its contract. */
export interface FileStoreUnderTest extends Unit {
  readonly files: FileStore

  /** The store, for `reopen`, as a process finds it that starts after this one was killed. It is disposed of with this one. */
  reopen?(): Promise<FileStore>
}

/** Makes the store that the contract is run on. */
export type FileStoreHarness = Harness<FileStoreUnderTest, FileStoreCapability>

/** One id after the other, in the order in which a store lists them. */
const idOf = (nth: number) => `0192f3c4-${String(nth).padStart(4, '0')}-7000-8000-00000000000${nth % 10}`

/** The contract of a store of files. */
export const fileStoreContract: readonly ContractCase<FileStoreHarness>[] = contractOf(
  casesOf({
    'files/what-is-appended-is-read': filesCase({
      rule: 'A content is read as it was appended, whole or a range of it, whatever the lengths of its pieces.',
      async check({ files }) {
        for (const [nth, length] of [0, 1, 70_000, 700_001].entries()) {
          const content = bytesOf(length)
          expectOk(await files.append(idOf(nth), inPieces(content, 50_000)))
          for (const [start, end] of [
            [0, length],
            [0, length + 10],
            [Math.floor(length / 3), Math.ceil(length / 2)],
            [length, length + 5],
          ] as const) {
            const read = await joined(files.read(idOf(nth), { start, end }))
            sameBytes(read, content.subarray(start, end), `${start} to ${end} of ${length}`)
          }
        }
      },
    }),

    'files/an-error-of-the-content-leaves-nothing': filesCase({
      rule: 'When the content ends with an error, append answers it, and nothing stays.',
      async check({ files }) {
        const cutOff = async function* () {
          yield await Promise.resolve(ok(bytesOf(100_000)))
          yield err({ code: 'cut_off' } as const)
        }
        assert.deepEqual(expectErr(await files.append(idOf(1), cutOff())), { code: 'cut_off' })
        assert.equal(await codeOf(files, idOf(1)), 'file_missing')
        assert.deepEqual(expectOk(await files.page(undefined, 10)), [])
        expectOk(await files.append(idOf(1), inPieces(bytesOf(10), 10)))
      },
    }),

    'files/an-id-is-taken-once': filesCase({
      rule: 'An id that is taken is storage_failed, and its content stays as it is.',
      async check({ files }) {
        expectOk(await files.append(idOf(1), inPieces(bytesOf(100), 100)))
        const { code } = expectErr(await files.append(idOf(1), inPieces(bytesOf(200), 200)))
        assert.equal(code, 'storage_failed')
        sameBytes(await joined(files.read(idOf(1), { start: 0, end: 1_000 })), bytesOf(100))
      },
    }),

    'files/many-are-appended-at-once': filesCase({
      rule: 'Contents that arrive together do not mix.',
      async check({ files }) {
        const lengths = Array.from({ length: 8 }, (_, nth) => 100_000 + nth)
        const appended = await Promise.all(
          lengths.map((length, nth) => files.append(idOf(nth), inPieces(bytesOf(length), 9_000))),
        )
        for (const each of appended) expectOk(each)
        for (const [nth, length] of lengths.entries())
          sameBytes(await joined(files.read(idOf(nth), { start: 0, end: 200_000 })), bytesOf(length))
      },
    }),

    'files/what-is-dropped-is-gone': filesCase({
      rule: 'A content that was dropped is file_missing, and dropping it again is no error; others stay.',
      async check({ files }) {
        for (const nth of [1, 2]) expectOk(await files.append(idOf(nth), inPieces(bytesOf(nth), 10)))
        for (const _ of ['once', 'again']) expectOk(await files.drop(idOf(1)))
        assert.equal(await codeOf(files, idOf(1)), 'file_missing')
        sameBytes(await joined(files.read(idOf(2), { start: 0, end: 10 })), bytesOf(2))
        assert.equal(await codeOf(files, 'not-an-id'), 'file_missing')
      },
    }),

    'files/a-page-lists-them-by-id': filesCase({
      rule: 'A page has the contents after an id, by id, with their lengths and the times at which they were written.',
      async check({ files }) {
        assert.deepEqual(expectOk(await files.page(undefined, 10)), [])
        for (const nth of [3, 1, 4, 2])
          expectOk(await files.append(idOf(nth), inPieces(bytesOf(nth * 10), 7)))
        const shown = (page: readonly StoredFileInfo[]) => page.map(({ id, length }) => [id, length])
        const first = expectOk(await files.page(undefined, 3))
        assert.deepEqual(
          shown(first),
          [1, 2, 3].map((nth) => [idOf(nth), nth * 10]),
        )
        assert.deepEqual(shown(expectOk(await files.page(idOf(3), 3))), [[idOf(4), 40]])
        assert.deepEqual(expectOk(await files.page(idOf(4), 3)), [])
        const times = first.map(({ writtenAtMicros }) => writtenAtMicros)
        assert.ok(times.every((micros) => Number.isSafeInteger(micros) && micros > 0))
      },
    }),

    'files/a-content-survives-a-crash': filesCase({
      needs: ['reopen'],
      rule: 'A content is durable once append has answered; what was cut off by a crash is listed, and can be dropped.',
      async check({ files, reopen }) {
        assert.ok(reopen, 'the harness supports reopen, but its store has no such method')
        expectOk(await files.append(idOf(1), inPieces(bytesOf(100_000), 30_000)))
        const begun = Promise.withResolvers<undefined>()
        const never = async function* () {
          yield ok(bytesOf(100_000))
          begun.resolve(undefined)
          await new Promise(() => undefined)
          yield ok(bytesOf(1))
        }
        const cutOff = files.append(idOf(2), never())
        const ended = await Promise.race([begun.promise, cutOff])
        assert.equal(ended, undefined, 'append answered before it had its content')
        const after = await reopen()
        sameBytes(await joined(after.read(idOf(1), { start: 0, end: 200_000 })), bytesOf(100_000))
        for (const { id } of expectOk(await after.page(idOf(1), 10))) expectOk(await after.drop(id))
        const left = expectOk(await after.page(undefined, 10))
        assert.deepEqual(
          left.map(({ id }) => id),
          [idOf(1)],
        )
      },
    }),
  }),
)

function filesCase(about: CaseOf<FileStoreUnderTest, FileStoreCapability>): UnnamedCase<FileStoreHarness> {
  return caseOf(about)
}

/** The code of the error that reading a content gives. */
async function codeOf(files: FileStore, id: string): Promise<string | undefined> {
  return (await errorOf(files.read(id, { start: 0, end: 1 })))?.code
}
