import decodeQr from 'qr/decode.js'
import t from 'tap'
import { drawnQrCode } from '../../src/secrets/qr-code.ts'

/** The pixels of what a terminal shows: each character is two modules, one above the other. */
function pixelsOf(drawn: string) {
  const rows = drawn
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      const cells = [...line.matchAll(/\[(30|97);(40|107)m▀/g)]
      return [cells.map(([, upper]) => upper === '30'), cells.map(([, , lower]) => lower === '40')]
    })
  const scale = 4
  const width = (rows[0]?.length ?? 0) * scale
  const height = rows.length * scale
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let at = 0; at < width * height; at += 1) {
    const isDark = rows[Math.floor(at / width / scale)]?.[Math.floor((at % width) / scale)]
    if (isDark) data.fill(0, at * 4, at * 4 + 3)
  }
  return { width, height, data }
}

t.test('the code of a link fits into 80 columns, and can be read', (t) => {
  const token = 'Ab-_'.repeat(11).slice(0, 43)
  for (const origin of [
    'http://localhost:3000',
    'https://secrets.example.org',
    `https://${'x'.repeat(60)}.org`,
  ]) {
    const drawn = drawnQrCode(`${origin}/${token}`)
    for (const line of drawn.split('\n')) t.ok([...line.matchAll(/▀/g)].length <= 80)
    t.equal(decodeQr(pixelsOf(drawn)), `${origin}/${token}`)
  }
  t.end()
})
