// Generated from packages/core/src/shared/language.ts. Do not edit: run "npm run write languages".
import type { Language } from '@sotto/core'
import { dashboard as en } from './en/dashboard.ts'
import { dashboard as de } from './de/dashboard.ts'
import { dashboard as fr } from './fr/dashboard.ts'
import { dashboard as es } from './es/dashboard.ts'
import { dashboard as ar } from './ar/dashboard.ts'
import { dashboard as ja } from './ja/dashboard.ts'
import type { DashboardTexts } from './en/dashboard.ts'

/** The texts of the owner's pages in all languages. */
export const dashboardTexts: Readonly<Record<Language, DashboardTexts>> = { en, de, fr, es, ar, ja }

export type { DashboardTexts }
