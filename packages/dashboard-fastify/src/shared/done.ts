import { banner, filledText, type Html } from '@sotto/html'
import type { DashboardTexts } from '@sotto/texts/dashboard'
import type { LocalizedDashboard } from './localized.ts'

/** What an action did, as the address of the page after it says. */
export type Done = { [Area in DoneArea]: keyof DashboardTexts[Area]['done'] }[DoneArea]

/** The capabilities with such actions. */
type DoneArea = {
  [Area in keyof DashboardTexts]: DashboardTexts[Area] extends { readonly done: object } ? Area : never
}[keyof DashboardTexts]

/** Reads `?done=…`; `undefined` for anything that no action of ours says. */
export function doneOf({ texts }: LocalizedDashboard, value: string | undefined): Done | undefined {
  const known = Object.keys(messagesOf(texts)) as Done[]
  return known.find((done) => done === value)
}

/** The message after an action. */
export function doneBanner({ texts }: LocalizedDashboard, done: Done | undefined): Html | undefined {
  if (done === undefined) return undefined
  return banner(failures.has(done) ? 'warning' : 'success', messagesOf(texts)[done])
}

const failures: ReadonlySet<Done> = new Set(['draftNotShared', 'noneSelected'])

/** The parameters of an address that say how many were cleared, and which text tells it. */
const cleared = { deleted: 'deletedSecrets', drafts: 'deletedDrafts', removed: 'removed' } as const

/** The message after several were cleared, with their numbers. */
export function clearedBanner(
  { texts, counted }: LocalizedDashboard,
  query: Readonly<Record<string, string | undefined>>,
): Html | undefined {
  const messages = Object.entries(cleared).flatMap(([name, text]) => {
    const count = query[name] ?? ''
    if (!/^\d{1,7}$/.test(count)) return []
    const { wording, number } = counted(texts.folders.several[text], Number(count))
    return [filledText(wording, { count: number })]
  })
  return messages.length === 0 ? undefined : banner('success', messages.join(' '))
}

function messagesOf(texts: DashboardTexts): Readonly<Record<Done, string>> {
  const areas = Object.values<object>(texts).flatMap((area) => ('done' in area ? [area.done] : []))
  return Object.assign({}, ...areas) as Record<Done, string>
}
