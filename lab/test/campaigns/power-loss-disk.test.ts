import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { Disk } from '../../campaigns/power-loss/disk.ts'
import { losses, type Loss } from '../../campaigns/power-loss/image.ts'
import type { Event } from '../../campaigns/power-loss/trace.ts'
import { createChance } from '../../campaigns/support/chance.ts'

const open = (path: string, fd: number): Event => ({
  kind: 'open',
  path,
  fd,
  creates: true,
  truncates: false,
})
const write = (fd: number, offset: number, text: string): Event => ({
  kind: 'write',
  fd,
  offset,
  bytes: Buffer.from(text),
})
const sync = (fd: number): Event[] => [
  { kind: 'sync-begins', fd },
  { kind: 'sync-ends', fd },
]

/** The directory `/disk` after these events and a power cut, as a function that reads a file of it. */
function afterPowerCut(t: Test, events: readonly Event[], loss: Loss, seed = 1) {
  const target = mkdtempSync(join(tmpdir(), 'sotto-disk-'))
  t.teardown(() => rmSync(target, { recursive: true, force: true }))
  const disk = new Disk('/disk')
  for (const event of events) disk.apply(event)
  disk.image(target, loss, createChance(seed))
  return (name: string): string | undefined =>
    existsSync(join(target, name)) ? readFileSync(join(target, name), 'utf8') : undefined
}

/** A file whose name and first contents are synced. */
const safe = [open('/disk/a', 3), write(3, 0, 'first'), ...sync(3), open('/disk', 4), ...sync(4)]

test('synced data survives every kind of loss', (t) => {
  for (const loss of losses) t.equal(afterPowerCut(t, safe, loss)('a'), 'first')
  t.end()
})

test('a synced file is lost if its directory was not synced', (t) => {
  const events = [open('/disk/a', 3), write(3, 0, 'first'), ...sync(3)]
  t.equal(afterPowerCut(t, events, 'all')('a'), undefined)
  t.equal(afterPowerCut(t, events, 'none')('a'), 'first')
  t.end()
})

test('an fsync makes durable what was written before it began, and only once it has ended', (t) => {
  const [begins, ends] = sync(3)
  const during = [...safe, write(3, 0, 'FIRST'), begins!, write(3, 5, ' more')]
  t.equal(afterPowerCut(t, during, 'all')('a')?.slice(0, 5), 'first')
  t.equal(afterPowerCut(t, [...during, ends!], 'all')('a')?.slice(0, 5), 'FIRST')
  t.not(afterPowerCut(t, [...during, ends!], 'all')('a'), 'FIRST more')
  t.end()
})

test('of unsynced writes a later one may survive without an earlier one', (t) => {
  const events = [...safe, write(3, 0, 'F'), write(3, 1, 'I')]
  const seen = new Set(Array.from({ length: 60 }, (_, seed) => afterPowerCut(t, events, 'some', seed)('a')))
  t.strictSame([...seen].sort(), ['FIrst', 'First', 'fIrst', 'first'])
  t.end()
})

test('a write is torn at sectors, never within one', (t) => {
  const events = [...safe, write(3, 0, 'x'.repeat(1_536))]
  const seen = Array.from({ length: 60 }, (_, seed) => afterPowerCut(t, events, 'torn-512', seed)('a') ?? '')
  t.ok(seen.some((text) => text.includes('x') && text.replaceAll('\0', '').length < 1_536))
  for (const text of seen) t.match(text.slice(512).replaceAll('\0', ''), /^(?:x{512}){0,2}$/)
  t.end()
})

test('a renamed file exists under exactly one name', (t) => {
  const events: Event[] = [...safe, { kind: 'rename', from: '/disk/a', to: '/disk/b' }]
  for (let seed = 0; seed < 20; seed += 1) {
    const read = afterPowerCut(t, events, 'some', seed)
    t.equal([read('a'), read('b')].filter((text) => text === 'first').length, 1)
  }
  t.end()
})
