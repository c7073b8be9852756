import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { examinePlace } from '../../src/examine/place.ts'
import { open, temporaryDir } from '../support/helpers.ts'

const textsOf = (dataDir: string) =>
  examinePlace(dataDir)
    .filter(({ ok }) => ok === false)
    .map(({ check, text }) => `${check}: ${text}`)

test('a directory that does not exist yet, and one that is fine, are well', async (t) => {
  const dir = temporaryDir(t)
  const dataDir = join(dir, 'data')
  t.match(examinePlace(dataDir), [
    { check: 'data directory', ok: true, text: `${dataDir} is not there yet: the first start makes it` },
    { check: 'disk', ok: true, text: /^[\d.]+ [GM]B are free where .*data lies$/ },
  ])
  await (await open(dataDir)).close()
  t.match(examinePlace(dataDir), [
    { check: 'data directory', ok: true, text: `${dataDir} is its owner's alone` },
    { check: 'disk', ok: true },
  ])
})

test('permissions for others are found, of the directory and of our files in it', (t) => {
  const dir = temporaryDir(t)
  chmodSync(dir, 0o750)
  for (const name of ['sotto.sqlite', 'quota.sqlite-wal', 'other.txt']) {
    writeFileSync(join(dir, name), '')
    chmodSync(join(dir, name), 0o644)
  }
  t.strictSame(
    textsOf(dir).sort(),
    [
      `data directory: ${dir} is open to others: use a directory of its own, with mode 0700`,
      `data directory: quota.sqlite-wal is open to others: chmod 600 ${join(dir, 'quota.sqlite-wal')}`,
      `data directory: sotto.sqlite is open to others: chmod 600 ${join(dir, 'sotto.sqlite')}`,
    ].sort(),
  )
  t.end()
})

test('a change of the mode is advised for no link and no directory', (t) => {
  const dir = temporaryDir(t)
  const other = join(temporaryDir(t), 'other')
  writeFileSync(other, '')
  chmodSync(other, 0o644)
  symlinkSync(other, join(dir, 'sotto.sqlite'))
  mkdirSync(join(dir, 'quota.sqlite'))
  chmodSync(join(dir, 'quota.sqlite'), 0o755)
  const remedy = 'it is no regular file, so put one with mode 0600 in its place'
  t.strictSame(textsOf(dir).sort(), [
    `data directory: quota.sqlite is open to others: ${remedy}`,
    `data directory: sotto.sqlite is open to others: ${remedy}`,
  ])
  t.end()
})

test('a directory in which others can replace files is found', (t) => {
  const dir = temporaryDir(t)
  for (const [mode, who] of [
    [0o1777, 'everybody'],
    [0o770, 'its group'],
  ] as const) {
    chmodSync(dir, mode)
    t.strictSame(textsOf(dir), [
      `data directory: ${who} can replace what is in ${dir}: use a directory that is this user's alone`,
    ])
  }
  t.end()
})

test('permissions for others are found of the directory of contents', (t) => {
  const dir = temporaryDir(t)
  const files = join(dir, 'files')
  mkdirSync(files, { mode: 0o700 })
  t.strictSame(textsOf(dir), [])
  for (const [mode, text] of [
    [0o755, `files is open to others: chmod 700 ${files}`],
    [0o777, `everybody can replace what is in ${files}: use a directory that is this user's alone`],
  ] as const) {
    chmodSync(files, mode)
    t.strictSame(textsOf(dir), [`data directory: ${text}`])
  }
  t.end()
})

test('leftovers of commands and a corrupted quota file are found', (t) => {
  const dir = temporaryDir(t)
  const leftover = `.sotto-restore-999999999-${'0'.repeat(16)}.tmp`
  for (const name of [leftover, 'quota.sqlite.damaged']) writeFileSync(join(dir, name), '', { mode: 0o600 })
  utimesSync(join(dir, leftover), Date.now() / 1_000 - 3_601, Date.now() / 1_000 - 3_601)
  t.strictSame(textsOf(dir), [
    `data directory: ${leftover} was left behind by a command that was cut off: it is removed now`,
    'data directory: the counts of the quota were corrupted and start again from zero: check the disk',
  ])
  t.end()
})

test('a path that is no directory, or is below a file, is found', (t) => {
  const file = join(temporaryDir(t), 'file')
  writeFileSync(file, '')
  t.strictSame(textsOf(file), [`data directory: ${file} is no directory: see SOTTO_DATA_DIR`])
  mkdirSync(join(file, '..', 'other'))
  t.match(examinePlace(join(file, 'data'))[0], { check: 'data directory' })
  t.end()
})
