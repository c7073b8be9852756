import type { Linter } from 'eslint'

const clock = 'core has no clock: take the time from the port Clock.'
const random = 'core has no randomness: take it from a port.'
const outside = 'core does no I/O: this belongs behind a port.'

/** packages/core only computes: time, randomness and I/O come in through its ports. What it may import is in boundaries.ts. */
export const purity: Linter.Config = {
  files: ['packages/core/src/**/*.ts'],
  rules: {
    'no-restricted-globals': [
      'error',
      { name: 'performance', message: clock },
      { name: 'crypto', message: random },
      ...['console', 'fetch', 'globalThis', 'process', 'require'].map((name) => ({ name, message: outside })),
      ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'].map((name) => ({
        name,
        message: clock,
      })),
    ],
    'no-restricted-properties': [
      'error',
      { object: 'Date', property: 'now', message: clock },
      { object: 'Math', property: 'random', message: random },
    ],
    'no-restricted-syntax': [
      'error',
      { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: clock },
      { selector: "CallExpression[callee.name='Date']", message: clock },
      { selector: 'ImportExpression', message: 'core imports neverthrow and its own files, statically.' },
    ],
  },
}
