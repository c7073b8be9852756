import { RuleTester } from 'eslint'
import t from 'tap'
import { linearPatterns } from '../eslint/linear-patterns.ts'

RuleTester.describe = (_title: string, tests: () => void) => tests()
RuleTester.it = (title: string, test: () => void) => t.test(title, async (t) => t.doesNotThrow(test))

const slow = [{ messageId: 'slow' }]
const unknown = [{ messageId: 'unknown' }]

new RuleTester().run('linear-patterns', linearPatterns, {
  valid: [
    String.raw`/^"((?:[^"\\]|\\["\\])*)"/`,
    String.raw`/^[a-z]+(?:\.[a-z]+)*$/`,
    'const label = "[a-z]+"; new RegExp(`^${label}(?:[.]${label})*$`, "u")',
    'new RegExp("^[!-~]+$")',
  ],
  invalid: [
    {
      name: 'the parameter of a part, with which one request stopped the server',
      code: String.raw`/[ \t]*;[ \t]*([!#$&'+.^_|~0-9a-z-]+\*?)=(?:"((?:\\["\\]|[^"])*)"|([^\s";]*))/iy`,
      errors: slow,
    },
    { code: '/^(?:a+)+$/', errors: slow },
    { code: '/^(a|a)*$/', errors: slow },
    { name: 'quadratic: many beginnings', code: String.raw`/\/+$/`, errors: slow },
    { name: 'quadratic: two ways to share spaces', code: '/^ *( |x)*$/', errors: slow },
    { code: 'new RegExp("^(a+)+$")', errors: slow },
    { code: 'const part = "(a+)+"; RegExp(`^${part}$`)', errors: slow },
    { code: 'import { part } from "./part.ts"; new RegExp(part)', errors: unknown },
    { code: 'const flags = Math.random() < 0.5 ? "i" : ""; new RegExp("a", flags)', errors: unknown },
  ],
})
