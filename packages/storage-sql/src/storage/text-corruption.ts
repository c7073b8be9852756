import type { CorruptionStore } from '@sotto/core'
import { ok } from 'neverthrow'
import { changes, type Engine } from '../engine/engine.ts'
import { isStill, type TextPlaces } from '../keys/rewrap-texts.ts'

/** Erases rows whose text does not decrypt. */
export function createTextCorruption(
  engine: Engine,
  textPlaces: TextPlaces,
): Pick<CorruptionStore, 'eraseText'> {
  return {
    eraseText: (column, rowId, text) =>
      engine.write(function* () {
        const id = engine.dialect.id.in(rowId)
        if (!(yield* isStill(engine.dialect, textPlaces[column], id, text))) return ok(false)
        yield* changes(`DELETE FROM ${textPlaces[column].table} WHERE id = $1`, id)
        engine.erased()
        return ok(true)
      }),
  }
}
