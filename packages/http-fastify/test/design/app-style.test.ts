import t from 'tap'
import {
  badge,
  banner,
  checkbox,
  emptyState,
  inputField,
  partNavigation,
  passwordField,
} from '../../src/design/app-elements.ts'
import { appStyle } from '../../src/design/app-style.ts'
import { baseStyle } from '../../src/design/base-style.ts'
import { badgeStyle, choiceStyle, secretStyle } from '../../src/design/part-styles.ts'

const css = [baseStyle, appStyle, choiceStyle, badgeStyle, secretStyle]
  .map(({ element }) => element.text)
  .join('')

t.test('every class of an element is styled', async (t) => {
  const elements = [
    inputField({ name: 'a', label: 'A', hint: 'a', error: 'a' }),
    checkbox({ name: 'a', label: 'A' }),
    banner('success', 'a'),
    banner('error', 'a'),
    banner('warning', 'a'),
    badge('a', 'good'),
    badge('a', 'warm'),
    badge('a', 'bad'),
    emptyState({ heading: 'a', lead: 'a' }),
    passwordField({ name: 'a', label: 'A', autocomplete: 'off', show: 'a' }),
    partNavigation('tabs', 'a', []),
    partNavigation('folders', 'a', []),
  ]
  for (const [, classes = ''] of elements
    .map(({ text }) => text)
    .join('')
    .matchAll(/ class="([^"]+)"/g))
    for (const name of classes.split(' ')) t.match(css, new RegExp(`\\.${name}[^a-z-]`), name)
})

t.test('the sheet follows the direction of the page and loads nothing', async (t) => {
  t.notMatch(css, /(?:margin|padding|border)-(?:left|right)|text-align:(?:left|right)|[;{](?:left|right):/)
  t.notMatch(css, /url\(|@import/)
})

t.test('every variable that a sheet takes is defined', async (t) => {
  for (const [, name = ''] of css.matchAll(/var\((--[a-z-]+)\)/g)) t.match(css, `${name}:`, name)
})
