import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const file = join(import.meta.dirname, '..', '..', 'run', 'tools.json')
const table = JSON.parse(readFileSync(file, 'utf8')) as Record<
  string,
  Record<string, { name: string; version: string; integrity: string }>
>

t.test('every tool of every platform is named by a whole sha512 and an exact version', (t) => {
  for (const [platform, pins] of Object.entries(table)) {
    for (const [program, { name, version, integrity }] of Object.entries(pins)) {
      const what = `${program} for ${platform}`
      t.match(name, platform, what)
      t.match(version, /^\d+\.\d+\.\d+$/, what)
      t.match(integrity, /^sha512-[\w+/]+==$/, what)
      t.equal(Buffer.from(integrity.slice('sha512-'.length), 'base64').length, 64, what)
    }
  }
  t.end()
})

t.test('Linux with glibc and macOS have Node.js and pnpm, Linux with musl has pnpm', (t) => {
  const programs = Object.fromEntries(
    Object.entries(table).map(([platform, pins]) => [platform, Object.keys(pins)]),
  )
  t.strictSame(programs, {
    'linux-x64': ['node', 'pnpm'],
    'linux-arm64': ['node', 'pnpm'],
    'linux-x64-musl': ['pnpm'],
    'linux-arm64-musl': ['pnpm'],
    'darwin-x64': ['node', 'pnpm'],
    'darwin-arm64': ['node', 'pnpm'],
  })
  t.end()
})
