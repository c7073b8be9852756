import type { Html } from '@sotto/html'
import { ok, type Result } from 'neverthrow'
import type { DashboardError } from '../use-cases.ts'
import type { ReauthenticationNeed } from './reauthentication.ts'
import type { Answer } from './answers.ts'
import type { OwnerVisit, SessionVisit } from './visit.ts'

/** What a capability adds to a page of settings that others have, too; nothing where it has nothing to show. */
export type Section<V extends OwnerVisit = OwnerVisit> = (
  visit: V,
  reauthentication: ReauthenticationNeed | undefined,
) => Promise<Result<Html | undefined, DashboardError>>

/** The sections of a page, by capability and in their order. */
export type Sections<V extends OwnerVisit = OwnerVisit> = Readonly<Record<string, Section<V>>>

/** Shows the settings for signing in once more, with the section that has a form again. */
export type ShowAgain = (
  visit: SessionVisit,
  again: Sections<SessionVisit>,
  status?: number,
) => Promise<Answer>

/** What the sections show, or the first error. */
export async function showSections<V extends OwnerVisit>(
  sections: Sections<V>,
  visit: V,
  reauthentication: ReauthenticationNeed | undefined,
): Promise<Result<readonly Html[], DashboardError>> {
  const shown: Html[] = []
  for (const section of Object.values(sections)) {
    const html = await section(visit, reauthentication)
    if (html.isErr()) return html.map(() => [])
    if (html.value !== undefined) shown.push(html.value)
  }
  return ok(shown)
}
