import type { Results } from '../measure/results.ts'
import { find } from './targets.ts'

interface Bar {
  readonly title: string
  readonly rate: number
  readonly kind: 'ceiling' | 'small' | 'large'
}

const groups = [
  ['ceiling/post', 'ceiling/grouped', 'ceiling/encrypted', 'ceiling/single', 'create'],
  ['ceiling/open', 'open'],
  ['ceiling/get', 'get', 'list10', 'list1000', 'folders', '401', '429'],
]

const [width, labelWidth, barHeight, gap] = [760, 290, 16, 6]

/** Requests a second as bars, in colours that are readable in light and dark mode. */
export function plotOf(results: Results): string {
  const grouped = groups.map((names) => names.flatMap((name) => barsOf(results, name)))
  const most = Math.max(...grouped.flat().map(({ rate }) => rate))
  const parts: string[] = []
  let y = 34
  for (const bars of grouped) {
    for (const bar of bars) {
      parts.push(drawn(bar, y, most))
      y += barHeight + gap
    }
    y += 14
  }
  return frame(y, legend(results) + parts.join(''))
}

function barsOf(results: Results, name: string): Bar[] {
  const small = find(results.measured, name, 64)
  const large = find(results.measured, name, 64, 'large')
  return [
    ...(small ? [{ title: small.title, rate: small.rate, kind: kindOf(name) }] : []),
    ...(large ? [{ title: '', rate: large.rate, kind: 'large' as const }] : []),
  ]
}

function kindOf(name: string): Bar['kind'] {
  return name.startsWith('ceiling/') ? 'ceiling' : 'small'
}

function drawn({ title, rate, kind }: Bar, y: number, most: number): string {
  const length = Math.max(1, (rate / most) * (width - labelWidth - 80))
  const middle = y + barHeight - 4
  return (
    `<text x="${labelWidth - 8}" y="${middle}" text-anchor="end">${escaped(title)}</text>` +
    `<rect class="${kind}" x="${labelWidth}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" rx="2"/>` +
    `<text x="${(labelWidth + length + 6).toFixed(1)}" y="${middle}">${Math.round(rate).toLocaleString('en')}</text>`
  )
}

function legend({ largeSecrets }: Results): string {
  const entries = [
    ['ceiling', 'ceiling'],
    ['small', 'Sotto, 1,000 secrets in the store'],
    ['large', `Sotto, ${largeSecrets.toLocaleString('en')}`],
  ] as const
  return entries
    .map(([kind, title], nr) => {
      const x = [labelWidth, labelWidth + 80, labelWidth + 310][nr] ?? 0
      return `<rect class="${kind}" x="${x}" y="8" width="12" height="12" rx="2"/><text x="${x + 18}" y="18">${title}</text>`
    })
    .join('')
}

function frame(height: number, content: string): string {
  const style =
    'text{font:12px system-ui,sans-serif;fill:#24292f}.ceiling{fill:#8b949e}.small{fill:#1f6feb}.large{fill:#0f8a72}' +
    '@media(prefers-color-scheme:dark){text{fill:#e6edf3}}'
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">` +
    `<title>Requests a second with 64 connections</title><style>${style}</style>${content}</svg>\n`
  )
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
