import { globSync, readFileSync } from 'node:fs'
import t from 'tap'
import {
  badge,
  banner,
  checkbox,
  emptyState,
  inputField,
  partNavigation,
  passwordField,
} from '../src/app-elements.ts'
import { appStyle } from '../src/app-style.ts'
import { baseStyle } from '../src/base-style.ts'
import { contrast, parseColour } from '../src/colour.ts'
import { ownAccent, surfaces } from '../src/palette.ts'
import {
  badgeStyle,
  choiceStyle,
  detailStyle,
  listStyle,
  railStyle,
  secretStyle,
  settingsStyle,
} from '../src/part-styles.ts'

const css = [
  baseStyle,
  appStyle,
  detailStyle,
  choiceStyle,
  badgeStyle,
  secretStyle,
  railStyle,
  listStyle,
  settingsStyle,
]
  .map(({ element }) => element.toString())
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

t.test('every class in a sheet is one that a page has', async (t) => {
  const packages = new URL('../../', import.meta.url)
  const names = globSync('{html,http-fastify,dashboard-fastify}/src/**/*.ts', { cwd: packages })
  const pages = names.filter((name) => !/style|rules|texts/.test(name))
  const source = pages.map((name) => readFileSync(new URL(name, packages), 'utf8')).join('\n')
  const classes = new Set(
    Array.from(css.matchAll(/\.([a-z][a-z-]+)(?=[\s,:.{[)>+~])/g), ([, name = '']) => name),
  )
  t.ok(classes.size > 40, String(classes.size))
  for (const name of classes) t.ok(new RegExp(`[\\s"'\`]${name}[\\s"'\`$]`).test(source), name)
})

t.test('the sheet follows the direction of the page and loads nothing', async (t) => {
  t.notMatch(css, /(?:margin|padding|border)-(?:left|right)|text-align:(?:left|right)|[;{](?:left|right):/)
  t.notMatch(css, /url\(|@import/)
})

t.test('no transition between pages takes the first clicks', async (t) => {
  t.notMatch(css, '@view-transition')
})

t.test('every variable that a sheet takes is defined', async (t) => {
  for (const [, name = ''] of css.matchAll(/var\((--[a-z-]+)\)/g)) t.match(css, `${name}:`, name)
})

// Promise (The owner's pages): The selected folder stands out from the page by 1.2:1, by weight and by a mark
t.test('the selected folder stands out from the page, not by colour alone', async (t) => {
  const [, style = ''] = /\.folders \[aria-current\]\{([^}]*)/.exec(css) ?? []
  t.match(style, /border-color:var\(--accent\).*background:var\(--line\).*font-weight:600/)
  const colours = (name: string) =>
    [...css.matchAll(new RegExp(`${name}:(#\\w{6})`, 'g'))].map(([, text = '']) => parseColour(text))
  const [papers, lines] = [colours('--paper'), colours('--line')]
  for (const mode of [0, 1]) {
    const [paper, line] = [papers[mode], lines[mode]]
    if (paper === undefined || line === undefined) throw new Error(`colours of mode ${String(mode)}`)
    const found = contrast(paper, line)
    t.ok(found >= 1.2, String(found))
  }
})

// Promise (The owner's pages): Soft text has a contrast of 7:1 on every surface, light and dark
t.test('soft text has a contrast of 7:1 wherever it stands, in light and dark mode', async (t) => {
  for (const mode of ['light', 'dark'] as const) {
    const { soft, paper, card } = surfaces[mode]
    t.match(css, `--soft:${soft}`, mode)
    for (const surface of [paper, card, ownAccent[mode].wash])
      t.ok(contrast(parseColour(soft)!, parseColour(surface)!) >= 7, `${soft} on ${surface}`)
  }
})
