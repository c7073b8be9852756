import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { StoredSecret } from '../secrets/secret-store.ts'
import { positionOf } from '../secrets/show-secret.ts'
import type { Cursor } from '../shared/cursor.ts'
import type { StorageError } from '../shared/errors.ts'
import type { Uuid } from '../shared/uuid.ts'

/** How many are erased at the same time: a store can commit them together, and other writes do not wait long. */
const erasedAtOnce = 25

/** Erases rows, several at the same time. Ok with how many there were. */
export async function eraseEach(
  ids: readonly Uuid[],
  erase: (id: Uuid) => ResultAsync<boolean, StorageError>,
): Promise<Result<number, StorageError>> {
  let count = 0
  for (let from = 0; from < ids.length; from += erasedAtOnce) {
    const erased = await ResultAsync.combine(ids.slice(from, from + erasedAtOnce).map(erase))
    if (erased.isErr()) return err(erased.error)
    count += erased.value.filter((isErased) => isErased).length
  }
  return ok(count)
}

/** Erases what a list holds, page by page. What is added before a page that was read stays. Ok with how many rows there were. */
export function eraseListed(
  read: (after: Cursor | undefined) => ResultAsync<readonly StoredSecret[], StorageError>,
  erase: (id: Uuid) => ResultAsync<boolean, StorageError>,
): ResultAsync<number, StorageError> {
  const eraseAll = async (): Promise<Result<number, StorageError>> => {
    let after: Cursor | undefined
    for (let count = 0; ;) {
      const rows = await read(after)
      if (rows.isErr()) return err(rows.error)
      const last = rows.value.at(-1)
      if (last === undefined) return ok(count)
      const ids = rows.value.map(({ id }) => id)
      const erased = await eraseEach(ids, erase)
      if (erased.isErr()) return err(erased.error)
      count += erased.value
      after = positionOf(last)
    }
  }
  return new ResultAsync(eraseAll())
}
