import { banner } from '../../pages/app-elements.ts'
import type { Html } from '../../pages/html.ts'
import type { DashboardTexts, LocalizedDashboard } from '../texts/dashboard-texts.ts'

/** What an action did, as the address of the page after it says. */
export type Done = keyof DashboardTexts['secrets']['done'] | keyof DashboardTexts['account']['done']

/** Reads `?done=…`; `undefined` for anything that no action of ours says. */
export function doneOf({ texts }: LocalizedDashboard, value: string | undefined): Done | undefined {
  const known = Object.keys({ ...texts.secrets.done, ...texts.account.done }) as Done[]
  return known.find((done) => done === value)
}

/** The message after an action. */
export function doneBanner({ texts }: LocalizedDashboard, done: Done | undefined): Html | undefined {
  if (done === undefined) return undefined
  const messages: Readonly<Record<Done, string>> = { ...texts.secrets.done, ...texts.account.done }
  return banner(done === 'draftNotShared' ? 'warning' : 'success', messages[done])
}
