import eslint from '@eslint/js'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'
import { arrowsRule } from './scripts/eslint/arrows.ts'
import { boundaries } from './scripts/eslint/boundaries.ts'
import { linearPatterns } from './scripts/eslint/linear-patterns.ts'
import { noDroppedResult } from './scripts/eslint/no-dropped-result.ts'
import { purity } from './scripts/eslint/purity.ts'

export default defineConfig(
  { ignores: ['**/dist/', '**/coverage/', '.tap/', '.tools/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: {
      sotto: {
        rules: {
          arrows: arrowsRule,
          'linear-patterns': linearPatterns,
          'no-dropped-result': noDroppedResult,
        },
      },
    },
    rules: {
      eqeqeq: 'error',
      'no-undef': 'off', // TypeScript's task, in the .mjs files also
      'sotto/no-dropped-result': 'error',
      '@typescript-eslint/consistent-type-definitions': 'off', // a union needs `type`, what is extended `interface`
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        {
          argsIgnorePattern: '^_',
          varsIgnorePattern: '^_',
          destructuredArrayIgnorePattern: '^_',
          caughtErrors: 'all',
        },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/unbound-method': 'off', // adapters are object literals whose methods use no `this`
    },
  },
  { files: ['packages/*/src/**/*.ts'], rules: { 'sotto/arrows': 'error', 'sotto/linear-patterns': 'error' } },
  purity,
  boundaries,
  // The examples are projects of their own: scripts/check-examples.mjs checks their types, where their dependencies are installed.
  { files: ['examples/**'], ...tseslint.configs.disableTypeChecked },
  { files: ['examples/**'], rules: { 'sotto/no-dropped-result': 'off' } },
  {
    files: ['packages/*/test/**/*.ts', '{scripts,lab}/test/**/*.ts'],
    rules: {
      // A test that is declared is awaited by its runner.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', name: ['test', 'it', 'describe', 'suite'], package: 'node:test' },
          ],
          allowForKnownSafePromises: [
            { from: 'package', name: 'PromiseWithSubtest', package: '@tapjs/core' }, // what t.test returns
          ],
        },
      ],
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
)
