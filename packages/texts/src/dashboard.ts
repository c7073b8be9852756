import { inAllLanguages } from './all-languages.ts'
import type { DashboardTexts } from './en/dashboard.ts'

/** The texts of the owner's pages in all languages. */
export const dashboardTexts = await inAllLanguages(async (language) => {
  const texts = (await import(`./${language}/dashboard.ts`)) as { readonly dashboard: DashboardTexts }
  return texts.dashboard
})

export type { DashboardTexts }
