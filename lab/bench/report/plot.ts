import { micros, titlesOf, kindsOf, type StraightRun } from './straight-tables.ts'

const [width, labelWidth, barHeight, gap] = [720, 250, 18, 5]
const colours = ['sotto', 'straight'] as const

/** The processor time of each request as bars, in colours that are readable in light and dark mode. */
export function plotOf(run: StraightRun): string {
  const [titles, kinds] = [titlesOf(run).slice(0, 2), kindsOf(run)]
  const most = Math.max(...kinds.flatMap((kind) => titles.map((title) => micros(run, title, kind))))
  const parts: string[] = []
  let y = 8
  for (const kind of kinds) {
    for (const [at, title] of titles.entries()) {
      const value = micros(run, title, kind)
      const length = Math.max(1, (value / most) * (width - labelWidth - 60))
      const middle = y + barHeight - 5
      parts.push(
        `<text x="${labelWidth - 8}" y="${middle}" text-anchor="end">${kind}, ${title}</text>` +
          `<rect class="${colours[at]}" x="${labelWidth}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" rx="2"/>` +
          `<text x="${(labelWidth + length + 6).toFixed(1)}" y="${middle}">${Math.round(value)} µs</text>`,
      )
      y += barHeight + gap
    }
    y += 10
  }
  return frame(y, parts.join(''))
}

function frame(height: number, content: string): string {
  const style =
    'text{font:12px system-ui,sans-serif;fill:#24292f}.straight{fill:#8b949e}.sotto{fill:#1f6feb}' +
    '@media(prefers-color-scheme:dark){text{fill:#e6edf3}}'
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">` +
    `<title>Processor time of a request with 64 connections</title><style>${style}</style>${content}</svg>\n`
  )
}
