import jsqr from 'jsqr'
import t from 'tap'
import { qrCode } from '../../src/shared/qr-code.ts'
import { startDashboard, unescaped } from '../support/app.ts'
import { makeThings } from '../support/paths.ts'

const pixelsPerModule = 4

/** The rows of dark modules that the path of the SVG draws: where each begins, and how long it is. */
function* linesOf(
  svg: string,
): Generator<{ readonly x: number; readonly y: number; readonly length: number }> {
  const [, path = ''] = /<path stroke="#000" d="([^"]*)"/.exec(svg) ?? []
  for (const [, y, steps = ''] of path.matchAll(/M0 (\d+)\.5((?:h\d+|m\d+ 0)+)/g)) {
    let x = 0
    for (const [, kind, length] of steps.matchAll(/([hm])(\d+)/g)) {
      if (kind === 'h') yield { x, y: Number(y), length: Number(length) }
      x += Number(length)
    }
  }
}

/** Draws the lines of the SVG and reads the code with an independent decoder. */
function decode(svg: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1])
  const width = size * pixelsPerModule
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const { x, y, length } of linesOf(svg)) {
    for (let row = 0; row < pixelsPerModule; row += 1) {
      const start = (y * pixelsPerModule + row) * width + x * pixelsPerModule
      for (let at = start; at < start + length * pixelsPerModule; at += 1) pixels.fill(0, at * 4, at * 4 + 3)
    }
  }
  // Its types describe an ES module, which it is not.
  const read = jsqr as unknown as typeof jsqr.default
  return read(pixels, width, width)?.data
}

t.test('another decoder reads exactly the address', (t) => {
  const token = 'Ab-_'.repeat(11).slice(0, 43)
  for (const origin of [
    'http://localhost:3000',
    'https://s.example.org',
    `https://${'long.'.repeat(30)}example.org`,
  ]) {
    t.equal(decode(qrCode(`${origin}/${token}`, 'QR').text), `${origin}/${token}`)
  }
  t.end()
})

t.test('around it are four white modules, whatever the colours of the page', (t) => {
  const svg = qrCode('https://s.example.org/x', 'QR').text
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1])
  const lines = [...linesOf(svg)]
  t.ok(lines.length > 0)
  for (const { x, y, length } of lines) t.ok(x >= 4 && y >= 4 && x + length <= size - 4 && y < size - 4)
  t.match(svg, `<path fill="#fff" d="M0 0h${size}v${size}H0z"/>`)
  t.end()
})

t.test('what it stands for is escaped', (t) => {
  t.match(qrCode('x', '"><b>').text, 'aria-label="&quot;&gt;&lt;b&gt;"')
  t.end()
})

t.test('the page of a secret shows the code of its own link', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const { secret } = await makeThings(dashboard, owner)
  const { body } = await dashboard.get(`/secrets/${secret}`, { as: owner })
  const [, url = ''] = /id="link"[^>]*>([^<]*)</.exec(body) ?? []
  t.match(url, /^http:\/\/localhost:3000\/[\w-]{43}$/)
  const start = body.lastIndexOf('<svg', body.indexOf('<path fill="#fff" d="M0 0'))
  t.equal(decode(body.slice(start)), unescaped(url))
})
