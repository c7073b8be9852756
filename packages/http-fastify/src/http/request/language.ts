import { languages, type Language } from '@sotto/core'
import type { FastifyRequest } from 'fastify'
import { remembered } from '@sotto/html'
import { preferredLanguage } from './preferences.ts'

/** The language that `?lang=` names; `undefined` when it names none that there are texts in. */
export function chosenLanguage({ query }: Pick<FastifyRequest, 'query'>): Language | undefined {
  const { lang } = query as { readonly lang?: unknown }
  return languages.find((tag) => tag === lang)
}

/** The language that the client prefers. */
export function clientLanguage({ headers }: Pick<FastifyRequest, 'headers'>): Language {
  return preferredByHeader(headers['accept-language'] ?? '')
}

const preferredByHeader = remembered((header: string) => preferredLanguage(header, languages))
