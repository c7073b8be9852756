import type { Localized } from '@sotto/html'
import type { LinkTexts } from '@sotto/texts/link'

export type LocalizedLink = Localized<LinkTexts>
