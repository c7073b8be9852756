import t from 'tap'
import { isPlainSvg } from '../src/svg.ts'

const svg = (inside: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"${attributes}>${inside}</svg>`

t.test('plain drawings are accepted', async (t) => {
  for (const text of [
    svg('<path d="M0 0h1v1z"/>'),
    `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n${svg('<g><rect width="1"/></g>\n')}\n`,
    svg('<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><rect fill="url(#a)"/>'),
    svg('<style>.a{fill:#fff}</style><use xlink:href="#b"/>', ' xmlns:xlink="http://www.w3.org/1999/xlink"'),
    svg('<title>R&amp;D</title>'),
  ])
    t.ok(isPlainSvg(text), text)
})

t.test('what runs, loads, embeds or is not understood is refused', async (t) => {
  for (const text of [
    '',
    'text',
    '<svg viewBox="0 0 1 1"></svg>',
    '<html xmlns="http://www.w3.org/1999/xhtml"></html>',
    svg('<script>x</script>'),
    svg('<SCRIPT/>'),
    svg('<svg:script/>'),
    svg('<foreignObject/>'),
    svg('<image href="#a"/>'),
    svg('<a href="#a"/>'),
    svg('<animate attributeName="href"/>'),
    svg('<set/>'),
    svg('<iframe/>'),
    svg('', ' onload="x"'),
    svg('', ' ONLOAD="x"'),
    svg('<path OnClick="x"/>'),
    svg('<use href="https://example.org/a.svg#b"/>'),
    svg('<use xlink:href="data:image/svg+xml,x"/>'),
    svg('<use href="&#35;a"/>'),
    svg('<rect fill="url(https://example.org/a)"/>'),
    svg('<rect fill="URL( //example.org)"/>'),
    svg('<rect style="fill:u\\72l(//example.org)"/>'),
    svg('<rect fill="&#117;rl(//example.org)"/>'),
    svg('<style>@import "//example.org"</style>'),
    svg('<style>@font-face{src:url(//example.org)}</style>'),
    svg('<style>a{b:&#117;rl(//example.org)}</style>'),
    svg('<style><![CDATA[a{}]]></style>'),
    svg('', ' xml:base="https://example.org"'),
    svg('<path d="a" d="b"/>'),
    svg('<path d=a/>'),
    svg('<g></svg>'),
    svg('<g>'),
    svg('</g>'),
    svg('&evil;'),
    `${svg('')}${svg('')}`,
    `${svg('')}text`,
    `<!DOCTYPE svg>${svg('')}`,
    `<!DOCTYPE svg [<!ENTITY evil "x">]>${svg('&evil;')}`,
    `<?xml-stylesheet href="https://example.org"?>${svg('')}`,
    svg('<?php x ?>'),
    svg('<!-- a -- b -->'),
  ])
    t.notOk(isPlainSvg(text), text)
})

t.test('a hostile text takes linear time', async (t) => {
  for (const text of [
    svg('<g '.repeat(30_000)),
    `<svg${' a="b"'.repeat(15_000)}`,
    `<!--${'-'.repeat(90_000)}`,
  ]) {
    const begin = performance.now()
    isPlainSvg(text)
    t.ok(performance.now() - begin < 2_000)
  }
})
