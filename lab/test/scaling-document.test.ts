import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'

const root = join(import.meta.dirname, '..', '..')
const document = readFileSync(join(root, 'lab', 'scaling.md'), 'utf8')
const sources = globSync('packages/adapter-postgres/src/**/*.ts', { cwd: root }).map((path) =>
  readFileSync(join(root, path), 'utf8'),
)

/** The names of prepared statements; `N` stands for a part that is computed. */
const names = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(/\bname: (?:'([^']+)'|`([^`]+)`)/g)].map(
      (match) => match[1] ?? match[2]?.replaceAll(/\$\{[^}]+\}/g, 'N').replace(/^N_/, 'access_tokens_') ?? '',
    ),
  ),
)

test('the statements that the document about scaling names are there', (t) => {
  const isStatement =
    /^(?:quota|access_tokens|sessions|secrets|idempotency|links|outbox|targets|leases|upkeep)_/
  const statements = [...document.matchAll(/`([a-z]+(?:_[a-z]+)+(?:_N)?)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => isStatement.test(name))
  t.ok(statements.length > 15)
  t.same(
    statements.filter((name) => !names.has(name.replace(/^sessions_record/, 'access_tokens_record'))),
    [],
  )
  t.end()
})
