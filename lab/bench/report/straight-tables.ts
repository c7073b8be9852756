import { median } from '../measure/median.ts'
import type { StraightSample } from '../measure/straight.ts'
import { table } from './tables.ts'

/** The medians of all processes, the least and the most of one process, and what share of the first subject's time each other one takes. */
export function straightTable(processes: readonly (readonly StraightSample[])[]): string {
  const all = processes.flat()
  const titles = [...new Set(all.map(({ title }) => title))]
  const kinds = [...new Set(all.map(({ kind }) => kind))]
  const [first = '', ...others] = titles
  const of = (title: string, kind: string) => all.filter((one) => one.title === title && one.kind === kind)
  const micros = (title: string, kind: string): number =>
    median(of(title, kind).flatMap((sample) => sample.micros))
  const cell = (title: string, kind: string): string => {
    const each = of(title, kind).map((sample) => median(sample.micros))
    return `${micros(title, kind).toFixed(1)} (${Math.min(...each).toFixed(1)}–${Math.max(...each).toFixed(1)})`
  }
  return table(
    ['CPU a request, µs', ...titles, ...others.map((title) => `${title} : ${first}`)].map((each) => each),
    kinds.map((kind) => [
      kind,
      ...titles.map((title) => cell(title, kind)),
      ...others.map((title) => (micros(title, kind) / micros(first, kind)).toFixed(2)),
    ]),
  )
}
