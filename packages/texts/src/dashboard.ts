import { inAllLanguages } from './texts.ts'

/** The texts of the owner's pages in all languages. */
export const dashboardTexts = inAllLanguages('dashboard')

export type { DashboardTexts } from './en/dashboard.ts'
