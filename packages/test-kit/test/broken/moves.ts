import {
  movedTables,
  type MovedRow,
  type MoveSource,
  type MoveTarget,
  type MoveTargetOptions,
  type StorageDriver,
} from '@sotto/core'
import { createMemoryDriver, createMemoryStorage, expectOk, type StorageDriverHarness } from '@sotto/test-kit'
import { errAsync, okAsync } from 'neverthrow'
import type { Broken } from './broken.ts'
import { driver, silent } from './drivers.ts'

const id = (name: string): string => `storage-driver/move-${name}`

/** Flaws of moves. */
export const brokenMoves: readonly Broken<StorageDriverHarness>[] = [
  ...movedTables.map(({ name }) =>
    sources(`leaves ${name} behind`, ['pages-every-kind'], (source) => ({
      page: (table, after, limit) => (table.name === name ? okAsync([]) : source.page(table, after, limit)),
    })),
  ),
  targets('copies no known addresses', ['takes-every-row-along', 'pages-every-kind'], (target) => ({
    add: (table, rows) => (table.name === 'known_addresses' ? okAsync() : target.add(table, rows)),
  })),
  sources('begins each page with the row before it', ['pages-every-kind'], (source) => ({
    page: (table, after, limit) =>
      source
        .page(table, after, limit)
        .map((rows) => (after === undefined || rows.length === 0 ? rows : [after, ...rows.slice(0, -1)])),
  })),
  sources('reads pages in descending order', ['pages-every-kind'], (source) => ({
    page: (table, after, limit) =>
      source.page(table, undefined, 1_000).map((all) => {
        const from = after === undefined ? 0 : all.toReversed().findIndex((row) => isSame(row, after)) + 1
        return all.toReversed().slice(from, from + limit)
      }),
  })),
  sources('writes ids in upper case', ['values-have-types'], (source) => ({
    page: (table, after, limit) => source.page(table, after, limit).map((rows) => rows.map(inUpperCase)),
  })),
  sources('gives flags as numbers', ['values-have-types'], (source) => ({
    page: (table, after, limit) =>
      source
        .page(table, after, limit)
        .map((rows) =>
          rows.map((row) => row.map((value) => (typeof value === 'boolean' ? Number(value) : value))),
        ),
  })),
  targets('forgets the time of the last sweep', ['takes-every-row-along'], () => ({}), {
    sweptAtMicros: undefined,
  }),
  targets('does not finish', ['takes-every-row-along'], () => ({ finish: () => okAsync() })),
  targets('finishes when it is closed', ['can-be-interrupted'], (target) => ({
    async close() {
      expectOk(await target.finish())
      await target.close()
    },
  })),
  driver('begins every copy again', [id('can-be-interrupted')], (real) => {
    let current = real
    return {
      hasData: () => okAsync(false),
      open: (options) => current.open(options),
      openMoveTarget(options) {
        current = createMemoryDriver()
        return current.openMoveTarget(options)
      },
    }
  }),
  sources('does not leave', ['leaves-the-source-for-good'], () => ({ leave: () => okAsync() })),
  sources('is never left', ['leaves-the-source-for-good'], () => ({ isLeft: false })),
  sources('is left when it is closed', ['that-is-given-up-changes-nothing'], (source) => ({
    async close() {
      expectOk(await source.leave())
      await source.close()
    },
  })),
  targets('overwrites rows', ['overwrites-nothing'], (target) => {
    const changed = new Map<string, readonly MovedRow[]>()
    return {
      add(table, rows) {
        if (changed.has(table.name)) changed.set(`${table.name} again`, rows)
        else changed.set(table.name, rows)
        return target.add(table, rows)
      },
      page: (table, after, limit) => {
        const again = changed.get(`${table.name} again`)
        return again === undefined ? target.page(table, after, limit) : okAsync(again.slice(0, limit))
      },
    }
  }),
  driver('calls every place with data a copy', [id('refuses-a-used-place')], (real) => ({
    openMoveTarget: (options) =>
      real
        .openMoveTarget(options)
        .mapErr((error) => (error.code === 'move_target_used' ? { ...error, isCopy: true } : error)),
  })),
  driver('takes a place with data for an empty one', [id('refuses-a-used-place')], (real) => ({
    openMoveTarget: (options) =>
      real.openMoveTarget(options).orElse(() => createMemoryDriver().openMoveTarget(options)),
  })),
  driver('begins a copy unasked', [id('begins-no-copy-unasked')], (real) => ({
    openMoveTarget: (options) => real.openMoveTarget({ ...options, create: true }),
  })),
  driver('does not notice who uses the source', [id('notices-who-uses-a-place')], (real) => ({
    openMoveSource: (options) =>
      real
        .openMoveSource(options)
        .orElse((error) => (error.code === 'database_in_use' ? okAsync(nothing()) : errAsync(error))),
  })),
  driver('does not notice who uses the target', [id('notices-who-uses-a-place')], (real) => ({
    openMoveTarget: (options) =>
      real.openMoveTarget(options).orElse(() => createMemoryDriver().openMoveTarget(options)),
  })),
  driver('makes data to move', [id('notices-who-uses-a-place')], (real) => ({
    openMoveSource: (options) =>
      real
        .open(silent)
        .map((storage) => storage.close())
        .orElse(() => okAsync())
        .andThen(() => real.openMoveSource(options)),
  })),
  driver('opens a copy that is not finished', [id('can-be-interrupted')], (real) => ({
    open: (options) => real.open(options).orElse(() => createMemoryDriver().open(options)),
  })),
  targets('has another instance id', ['takes-every-row-along'], () => ({}), {
    instanceId: createMemoryStorage().instanceId,
  }),
]

function nothing(): MoveSource {
  return {
    page: () => okAsync([]),
    instanceId: new Uint8Array(32),
    sweptAtMicros: undefined,
    isLeft: false,
    leave: () => okAsync(),
    close: () => Promise.resolve(),
  }
}

function inUpperCase(row: MovedRow): MovedRow {
  return row.map((value) => (typeof value === 'string' ? value.toUpperCase() : value))
}

function isSame(one: MovedRow, other: MovedRow): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** A driver whose sources are changed. */
function sources(
  flaw: string,
  breaks: readonly string[],
  change: (source: MoveSource) => Partial<MoveSource>,
): Broken<StorageDriverHarness> {
  return driver(flaw, breaks.map(id), (real: StorageDriver) => ({
    openMoveSource: (options) =>
      real.openMoveSource(options).map((source) => ({ ...source, ...change(source) })),
  }))
}

/** A driver whose targets are changed, or opened with other options. */
function targets(
  flaw: string,
  breaks: readonly string[],
  change: (target: MoveTarget) => Partial<MoveTarget>,
  changed: Partial<MoveTargetOptions> = {},
): Broken<StorageDriverHarness> {
  return driver(flaw, breaks.map(id), (real: StorageDriver) => ({
    openMoveTarget: (options) =>
      real.openMoveTarget({ ...options, ...changed }).map((target) => ({ ...target, ...change(target) })),
  }))
}
