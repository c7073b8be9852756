import { RuleTester } from 'eslint'
import { join } from 'node:path'
import t from 'tap'
import tseslint from 'typescript-eslint'
import { noDroppedResult } from '../eslint/no-dropped-result.ts'

RuleTester.describe = (_title: string, tests: () => void) => tests()
RuleTester.it = (title: string, test: () => void) => t.test(title, async (t) => t.doesNotThrow(test))

const tester = new RuleTester({
  languageOptions: {
    parser: tseslint.parser,
    parserOptions: { projectService: true, tsconfigRootDir: join(import.meta.dirname, '../..') },
  },
})

const declarations = `
  import { ok, okAsync, type Result, type ResultAsync } from 'neverthrow'
  declare function now(): Result<number, string>
  declare function later(): ResultAsync<number, string>
  declare function promised(): Promise<Result<number, string>>
  declare const maybe: (() => ResultAsync<number, string>) | undefined
  declare const condition: boolean
  let kept: Result<number, string>
`

const inFunction = (statement: string) => ({
  name: statement,
  filename: import.meta.filename, // a file that belongs to a project: the rule asks for types
  code: `${declarations} export async function example() { ${statement} }`,
})

tester.run('no-dropped-result', noDroppedResult, {
  valid: [
    'const result = now(); return result',
    'kept = now()',
    'kept = await later()',
    'if (condition) kept = now()',
    'condition && (kept = now())',
    'return later()',
    'now().match(() => {}, () => {})',
    'await later().match(() => {}, () => {})',
    'void Promise.resolve(1)',
    'console.log(now())',
  ].map(inFunction),
  invalid: [
    'now()',
    'later()',
    'promised()',
    'ok(1)',
    'void later()',
    'void now()',
    'await later()',
    'await promised()',
    'void (await promised())',
    'maybe?.()',
    'now().map((n) => n + 1)',
    'later().andThen(() => now())',
    'condition && now()',
    'condition ? now() : undefined',
  ].map((statement) => ({ ...inFunction(statement), errors: [{ messageId: 'dropped' }] })),
})
