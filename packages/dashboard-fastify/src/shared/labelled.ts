import { filledText } from '@sotto/html'
import type { LocalizedDashboard } from './localized.ts'

/** A text with the name of the provider in it. */
export function labelled({ singleSignOn }: LocalizedDashboard, wording: string): string {
  return filledText(wording, { provider: singleSignOn?.label ?? '' })
}
