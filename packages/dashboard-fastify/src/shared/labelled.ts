import { filledText } from '@sotto/html'
import type { DashboardTexts } from '@sotto/texts/dashboard'
import type { LocalizedDashboard } from './localized.ts'

export type SsoNotice = keyof DashboardTexts['singleSignOn']['notices']

/** A text with the name of the provider in it. */
export function labelled({ singleSignOn }: LocalizedDashboard, wording: string): string {
  return filledText(wording, { provider: singleSignOn?.label ?? '' })
}
