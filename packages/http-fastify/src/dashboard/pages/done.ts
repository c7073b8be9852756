import { banner } from '../../design/app-elements.ts'
import type { Html } from '../../design/html.ts'
import type { DashboardTexts, LocalizedDashboard } from '../texts/dashboard-texts.ts'

/** What an action did, as the address of the page after it says. */
export type Done = { [Area in DoneArea]: keyof DashboardTexts[Area]['done'] }[DoneArea]

type DoneArea = 'secrets' | 'account' | 'notifications'

/** Reads `?done=…`; `undefined` for anything that no action of ours says. */
export function doneOf({ texts }: LocalizedDashboard, value: string | undefined): Done | undefined {
  const known = Object.keys(messagesOf(texts)) as Done[]
  return known.find((done) => done === value)
}

/** The message after an action. */
export function doneBanner({ texts }: LocalizedDashboard, done: Done | undefined): Html | undefined {
  if (done === undefined) return undefined
  return banner(done === 'draftNotShared' ? 'warning' : 'success', messagesOf(texts)[done])
}

function messagesOf({ secrets, account, notifications }: DashboardTexts): Readonly<Record<Done, string>> {
  return { ...secrets.done, ...account.done, ...notifications.done }
}
