import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import ts from 'typescript'

const src = fileURLToPath(new URL('../src/', import.meta.url))

/** A string of the sources that is SQL, or part of it. */
interface Sql {
  readonly place: string
  readonly text: string
}

const isSql =
  /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|BEGIN|SET|WITH|FOR UPDATE|WHERE|LOCK)\b/

/** Every string literal of a file that reads like SQL; what a template inserts is replaced by a name. */
function sqlOf(path: string, source: string): readonly Sql[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const found: Sql[] = []
  const add = (node: ts.Node, text: string): void => {
    const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
    if (isSql.test(text)) found.push({ place: `${path}:${line}`, text })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) add(node, node.text)
    else if (ts.isTemplateExpression(node)) {
      add(node, node.head.text + node.templateSpans.map(({ literal }) => `inserted${literal.text}`).join(''))
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const paths = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
const sources = paths.map((path) => ({ path, source: readFileSync(src + path, 'utf8') }))

/** The one statement that asks for the server's time, and does nothing else. */
const asksForTime = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint'
/** The step to version 9 of the tables, which a new database does not take, has this statement alone. */
const locksSums = 'LOCK TABLE file_sums IN EXCLUSIVE MODE'

/**
 * What engines that speak PostgreSQL's protocol lack, or do in another way, by a pattern; docs/scaling.md says which ones. Time and chance
 * come from the core's ports, never from the server, {@link asksForTime} aside.
 */
const refused: Readonly<Record<string, RegExp>> = {
  'advisory locks': /advisory/i,
  'LISTEN and NOTIFY': /\b(?:UN)?LISTEN\b|\bNOTIFY\s+\w+|pg_notify/,
  'sequences and identity columns':
    /\b(?:big|small)?serial\b|nextval|currval|GENERATED\s+\w+\s+AS\s+IDENTITY|CREATE SEQUENCE/i,
  'division, which rounds differently': /[\w)]\s+\/\s+[\w(]/,
  'statements that change data inside WITH':
    /\bAS\s+(?:(?:NOT\s+)?MATERIALIZED\s+)?\(\s*(?:INSERT|UPDATE|DELETE|MERGE)/i,
  'triggers, functions and blocks':
    /\bTRIGGER\b|CREATE (?:OR REPLACE )?(?:FUNCTION|PROCEDURE)|\bDO\s+\$|LANGUAGE\s+\w+/,
  'temporary tables': /\bTEMP(?:ORARY)?\b/,
  'exclusion constraints and deferred checks': /\bEXCLUDE\b|DEFERRABLE/,
  'unique indexes of a part of the rows': /CREATE UNIQUE INDEX[^;]*\bWHERE\b/,
  'table locks': /\bLOCK TABLE\b/,
  'cursors and prepared transactions': /\bDECLARE\b|PREPARE TRANSACTION/,
  'the clock and the chance of the server':
    /\bnow\(\)|CURRENT_TIMESTAMP|clock_timestamp|random\(|gen_random_uuid/i,
}

// Promise (On PostgreSQL): The SQL uses only features that other engines have
test('every statement keeps to what other engines have, too', async (t) => {
  const statements = sources.flatMap(({ path, source }) => sqlOf(path, source))
  t.ok(statements.length > 60, 'the statements are found')
  for (const [what, pattern] of Object.entries(refused)) {
    const at = statements
      .filter(({ text }) => pattern.test(text) && text !== asksForTime && text !== locksSums)
      .map(({ place }) => place)
    t.same(at, [], `no statement needs ${what}`)
  }
})

test('the lint finds each kind of statement that it refuses', async (t) => {
  const samples: Readonly<Record<keyof typeof refused, string>> = {
    'advisory locks': 'SELECT pg_advisory_xact_lock(1)',
    'LISTEN and NOTIFY': 'SELECT 1; LISTEN news',
    'sequences and identity columns': 'CREATE TABLE a (id bigserial PRIMARY KEY)',
    'division, which rounds differently': 'SELECT count / 2 FROM a',
    'statements that change data inside WITH':
      'WITH gone AS (DELETE FROM a RETURNING id) SELECT id FROM gone',
    'triggers, functions and blocks': 'CREATE TRIGGER b BEFORE UPDATE ON a',
    'temporary tables': 'CREATE TEMP TABLE a (id uuid)',
    'exclusion constraints and deferred checks': 'ALTER TABLE a ADD UNIQUE (b) DEFERRABLE',
    'unique indexes of a part of the rows': 'CREATE UNIQUE INDEX a_b ON a (b) WHERE c IS NULL',
    'table locks': 'LOCK TABLE a',
    'cursors and prepared transactions': 'DECLARE c CURSOR FOR SELECT 1',
    'the clock and the chance of the server': 'UPDATE a SET b = now()',
  }
  t.same(Object.keys(samples), Object.keys(refused))
  for (const [what, text] of Object.entries(samples)) {
    const [found] = sqlOf('sample.ts', `const sql = \`${text}\``)
    t.match(found?.text, refused[what], what)
  }
})

/** The names of the prepared statements; of a name that is made of parts, the text with `N` for what is inserted. */
const names = sources.flatMap(({ source }) =>
  [...source.matchAll(/\bname: (?:'([^']+)'|`([^`]+)`)/g)].map(
    (match) => match[1] ?? match[2]?.replaceAll(/\$\{[^}]+\}/g, 'N') ?? '',
  ),
)

test('each prepared statement has a name of its own that the server accepts', async (t) => {
  const whole = names.filter((name) => !name.includes('N'))
  t.ok(whole.length > 40, 'the names are found')
  t.same(
    whole.filter((name, at) => whole.indexOf(name) !== at),
    [],
    'no name stands twice',
  )
  // NAMEDATALEN - 1: the server cuts longer names off.
  t.same(
    whole.filter((name) => name.length > 63 || !/^[a-z0-9_]+$/.test(name)),
    [],
  )
})
