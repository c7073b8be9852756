import { dashboard } from './dashboard.ts'
import { language } from './language.ts'
import { link } from './link.ts'
import { mails } from './mails.ts'
import type { Texts } from '../texts.ts'

export const texts: Texts = { language, link, dashboard, mails }
