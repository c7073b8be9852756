import t from 'tap'
import { brandingRules, brandOf, type Branding } from '../src/brand.ts'
import { contrast, parseColour } from '../src/colour.ts'
import { pageOf } from '../src/document.ts'
import { markup } from '../src/html.ts'
import { localize } from '../src/localized.ts'
import { accentColours, surfaces } from '../src/palette.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1v1z"/></svg>'
const png = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
  Buffer.alloc(30),
  Buffer.from('\0\0\0\0IEND\xaeB`\x82', 'latin1'),
])
const bodyWith = (branding: Branding): string =>
  pageOf({
    localized: localize('en', {}, brandOf(branding)),
    title: 'A page',
    layout: 'card',
    main: markup`<h1>A page</h1>`,
  }).body.toString()
const contrastOf = (one: string, other: string): number => contrast(parseColour(one)!, parseColour(other)!)

t.test('the name is in the title and the header, instead of Sotto', async (t) => {
  const body = bodyWith({ name: 'Müller & Co' })
  t.equal(body.match(/Müller &amp; Co/g)?.length, 2)
  t.notMatch(body, 'Sotto')
})

t.test('a name is text, whatever it contains', async (t) => {
  const body = bodyWith({ name: `</title><img src=x> {name} "'` })
  t.notMatch(body, '<img')
  t.equal(body.match(/&lt;\/title&gt;&lt;img src=x&gt; \{name\} &quot;&#39;/g)?.length, 2)
})

t.test('names that could deceive or break a page are refused', async (t) => {
  for (const name of [
    '',
    ' ',
    ' a',
    'a ',
    'a\nb',
    'a\0',
    'a\u202eb',
    'a\u200b',
    '\u3164',
    'a\u2028b',
    '\u00a0',
    '\ud800',
    'x'.repeat(41),
  ])
    t.notOk(
      brandingRules.name(name),
      `code points ${Array.from(name, (each) => each.codePointAt(0)).join(' ')}`,
    )
  for (const name of ['S', 'Müller & Co', 'ソット', '🤫'.repeat(40)]) t.ok(brandingRules.name(name), name)
})

t.test('an accent has enough contrast on every surface, in light and dark mode', async (t) => {
  for (const accent of ['#0e5f57', '#003366', '#7a1f5c', '#000000', '#0000ff', '#9c2a1c']) {
    const colours = accentColours(accent)
    for (const mode of ['light', 'dark'] as const) {
      const { accent: shown, wash, onAccent } = colours![mode]
      for (const surface of [surfaces[mode].paper, surfaces[mode].card, wash, onAccent])
        t.ok(contrastOf(shown, surface) >= 4.5, `${accent} in ${mode} mode on ${surface}`)
    }
  }
})

t.test('an accent without enough contrast, or that is no colour, is refused', async (t) => {
  for (const accent of ['#ffee00', '#ffffff', '#7ccfc1', '#888888', 'red', '#fff', '#0e5f57;}', 'url(x)', ''])
    t.notOk(brandingRules.accent(accent), accent)
})

t.test('a logo is an image in the page, in the header and the tab', async (t) => {
  for (const [logo, type] of [
    [Buffer.from(svg), 'image/svg+xml'],
    [png, 'image/png'],
  ] as const) {
    const body = bodyWith({ logo })
    t.match(body, `<img class="logo" src="data:${type};base64,${logo.toString('base64')}" alt="">`)
    t.match(body, `<link rel="icon" href="data:${type};base64,`)
  }
})

t.test('a logo of another type, or one that is too large, is refused', async (t) => {
  for (const logo of [
    '',
    'GIF89a',
    '<svg/>',
    `${svg}<script/>`,
    svg.replace('><', `>${' '.repeat(102_400)}<`),
  ])
    t.notOk(brandingRules.logo(Buffer.from(logo)), logo.slice(0, 80))
  t.notOk(brandingRules.logo(png.subarray(0, -1)), 'a PNG file that is cut off')
  t.notOk(brandingRules.logo(Buffer.from([0xff, 0xfe, 0x3c])), 'not UTF-8')
})

t.test('a contact that is no address is refused', async (t) => {
  for (const contact of [
    '',
    'help',
    'javascript:alert(1)',
    'data:text/html,x',
    'mailto:a@b',
    'https://user:password@example.org',
    'https://',
    ' https://example.org',
    'a@b?subject=x',
    'a b@example.org',
    'a..b@example.org',
    'a@b@example.org',
    '//example.org',
  ])
    t.notOk(brandingRules.contact(contact), contact)
})

t.test('a branding that breaks a rule is an error of the programmer', async (t) => {
  const wrong: Branding[] = [{ name: '' }, { logo: Buffer.from('x') }, { accent: 'red' }, { contact: 'x' }]
  for (const branding of wrong) t.throws(() => brandOf(branding), TypeError)
})
