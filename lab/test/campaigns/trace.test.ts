import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { readTrace } from '../../campaigns/power-loss/trace.ts'

const hex = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

async function eventsOf(t: Test, lines: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'sotto-trace-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  writeFileSync(join(directory, 'trace'), lines.join('\n'))
  return readTrace(join(directory, 'trace'), '/disk')
}

const opened = `7  openat(AT_FDCWD, "${hex('/disk/a')}", O_RDWR|O_CREAT|O_CLOEXEC, 0600) = 20`

test('writes, syncs and reports are read in their order; other files are ignored', async (t) => {
  const events = await eventsOf(t, [
    `7  openat(AT_FDCWD, "${hex('/etc/hosts')}", O_RDONLY|O_CLOEXEC) = 19`,
    opened,
    `7  pwrite64(20, "${hex('ab')}", 2, 4096) = 2`,
    '7  fdatasync(20) = 0',
    `7  write(1, "${hex('{"rotating":true}\n')}", 18) = 18`,
    '7  close(19) = 0',
    '7  close(20) = 0',
  ])
  t.strictSame(
    events.map(({ kind }) => kind),
    ['open', 'write', 'sync-begins', 'sync-ends', 'report', 'close'],
  )
})

test('an interrupted call begins where it began and ends where it ended', async (t) => {
  const events = await eventsOf(t, [
    opened,
    '7  fsync(20 <unfinished ...>',
    `8  pwrite64(20, "${hex('ab')}", 2, 0) = 2`,
    '7  <... fsync resumed>) = 0',
  ])
  t.strictSame(
    events.map(({ kind }) => kind),
    ['open', 'sync-begins', 'write', 'sync-ends'],
  )
})

test('a call counts when another thread has seen what it did, although its own end comes later', async (t) => {
  const directory = hex('/disk/d')
  const events = await eventsOf(t, [
    opened,
    `7  mkdir("${directory}", 0700 <unfinished ...>`,
    `8  mkdir("${directory}", 0700) = -1 EEXIST (File exists)`,
    `8  openat(AT_FDCWD, "${directory}", O_RDONLY|O_CLOEXEC) = 21`,
    '7  <... mkdir resumed>) = 0',
    '7  close(20 <unfinished ...>',
    `8  openat(AT_FDCWD, "${hex('/disk/d/b')}", O_RDWR|O_CREAT|O_CLOEXEC, 0600) = 20`,
    '7  <... close resumed>) = 0',
    '8  fsync(20) = 0',
    `8  mkdir("${directory}", 0700) = -1 EEXIST (File exists)`,
  ])
  t.strictSame(
    events.map(({ kind }) => kind),
    ['open', 'make-directory', 'open', 'close', 'open', 'sync-begins', 'sync-ends'],
  )
})

test('a call that is not supported ends the reading', async (t) => {
  await t.rejects(eventsOf(t, [opened, '7  fallocate(20, 0, 0, 4096) = 0']), /fallocate/)
  await t.rejects(eventsOf(t, [opened, `7  pwrite64(20, "${hex('ab')}"..., 4096, 0) = 4096`]), /cut off/)
})
