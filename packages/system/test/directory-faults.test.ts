import { chmodSync, chownSync, existsSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { directoryFaults, isAnotherUsers } from '../src/index.ts'

const isRoot = process.geteuid?.() === 0
const skipUnlessRoot = isRoot ? false : 'only root can give a file to another user'
const another = 12_345
const remedy = "use a directory that is this user's alone"

function newDirectory(t: Test, mode = 0o700): string {
  const path = join(t.testdir(), 'data')
  mkdirSync(path)
  chmodSync(path, mode)
  return path
}

t.test('a directory that only its owner can write has no fault, nor has one that is missing', (t) => {
  for (const mode of [0o700, 0o755, 0o500]) t.strictSame(directoryFaults(newDirectory(t, mode)), [])
  const dir = t.testdir()
  t.strictSame(directoryFaults(join(dir, 'missing')), [])
  writeFileSync(join(dir, 'file'), '')
  t.strictSame(directoryFaults(join(dir, 'file')), [], 'a file')
  t.end()
})

t.test('a directory that everybody can write is a fatal fault, with or without the sticky bit', (t) => {
  for (const mode of [0o777, 0o1777, 0o702]) {
    const path = newDirectory(t, mode)
    const text = `everybody can replace what is in ${path}: ${remedy}`
    t.strictSame(directoryFaults(path), [{ text, isFatal: true }], mode.toString(8))
  }
  t.end()
})

t.test('a directory that its group can write is a fault that is not fatal', (t) => {
  const path = newDirectory(t, 0o770)
  const text = `its group can replace what is in ${path}: ${remedy}`
  t.strictSame(directoryFaults(path), [{ text, isFatal: false }])
  t.end()
})

t.test('on the root of a mounted volume nothing is fatal', { skip: !existsSync('/dev/shm') }, (t) => {
  const [fault] = directoryFaults('/dev/shm')
  t.match(fault, { text: /^everybody can replace what is in \/dev\/shm: /, isFatal: false })
  t.end()
})

t.test("another user's directory is a fatal fault, root's is none", { skip: skipUnlessRoot }, (t) => {
  const path = newDirectory(t)
  chownSync(path, another, another)
  const text = `${path} belongs to another user, who can replace what is in it: run this as that user, or ${remedy}`
  t.strictSame(directoryFaults(path), [{ text, isFatal: true }])
  const link = `${path}.link`
  symlinkSync(path, link)
  t.strictSame(directoryFaults(link), [
    {
      text: text.replace(`${path} belongs to`, `${link} is a symbolic link to a directory of`),
      isFatal: true,
    },
  ])
  const { geteuid } = process
  t.teardown(() => Object.assign(process, { geteuid }))
  Object.assign(process, { geteuid: () => another })
  t.strictSame(directoryFaults(path), [], 'to that user it is none')
  t.strictSame(directoryFaults(join(path, '..')), [], "and root's is none")
  t.end()
})

t.test("another user's symbolic link is a fatal fault, one's own is none", { skip: skipUnlessRoot }, (t) => {
  const path = newDirectory(t)
  const link = `${path}.link`
  symlinkSync(path, link)
  t.strictSame(directoryFaults(link), [])
  lchownSync(link, another, another)
  const text = `${link} is a symbolic link of another user, who can make it lead elsewhere: ${remedy}`
  t.strictSame(directoryFaults(link), [{ text, isFatal: true }])
  t.end()
})

t.test('where there are no users, nothing belongs to another one', (t) => {
  const { geteuid } = process
  t.teardown(() => Object.assign(process, { geteuid }))
  Object.assign(process, { geteuid: () => 1_000 })
  t.strictSame(
    [0, 1_000, 1_001].map((uid) => isAnotherUsers({ uid })),
    [false, false, true],
  )
  Object.assign(process, { geteuid: undefined })
  t.equal(isAnotherUsers({ uid: 1_001 }), false)
  t.strictSame(directoryFaults(newDirectory(t, 0o777)), [])
  t.end()
})
