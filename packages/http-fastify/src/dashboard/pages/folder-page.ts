import type { Draft, FolderWithCounts } from '@sotto/core'
import { banner, emptyState, inputField } from '../../design/app-elements.ts'
import type { Page } from '../../design/document.ts'
import { timeElement } from '../../design/elements.ts'
import { pageScript } from '../../design/embedded.ts'
import { markup, type Html } from '../../design/html.ts'
import { localTimes, sendOnce } from '../../design/script.ts'
import type { LocalizedDashboard } from '../texts/dashboard-texts.ts'
import { doneBanner, type Done } from './done.ts'
import { crumbs, ownerPage } from './layout.ts'

export interface FolderPageInput {
  readonly folder: FolderWithCounts
  readonly drafts: readonly Draft[]
  /** The path of the next page of drafts; `undefined` on the last one. */
  readonly moreDrafts: string | undefined
  readonly done: Done | undefined
  /** A label that could not be set. */
  readonly rename?: { readonly label: string; readonly problem: string } | undefined
  /** Whether it was to be deleted and is not empty. */
  readonly isNotEmpty?: boolean
}

const script = pageScript(localTimes, sendOnce)

/** One folder: its drafts, its label, and the way to delete it. */
export function folderPage(localized: LocalizedDashboard, input: FolderPageInput): Page {
  const { folder: texts } = localized.texts.secrets
  const { folder, done, isNotEmpty = false } = input
  const main = markup`<div class="head">
      ${crumbs(localized)}
      <h1><bdi>${folder.label}</bdi></h1>
      <a href="/dashboard?folder=${folder.id}">${texts.secrets} (${localized.number(folder.secretsCount)})</a>
    </div>
    ${doneBanner(localized, done)}
    ${isNotEmpty && banner('error', texts.notEmpty)}
    <section>
      <h2>${texts.drafts}</h2>
      ${draftList(localized, input)}
    </section>
    ${renameForm(localized, input)}
    ${deletion(localized, folder)}`
  return ownerPage({ localized, title: texts.title, place: 'secrets', folderId: folder.id, main, script })
}

function draftList(localized: LocalizedDashboard, { drafts, moreDrafts }: FolderPageInput): Html {
  const { folder: texts, dashboard, status } = localized.texts.secrets
  if (drafts.length === 0 && moreDrafts === undefined)
    return emptyState({ lead: texts.noDraftsLead, heading: texts.noDrafts })
  const row = (
    draft: Draft,
  ): Html => markup`<li><div><a href="/drafts/${draft.id}"><bdi>${draft.label}</bdi></a>
    <p>${draft.hasPassword && `${status.password} · `}${timeElement(localized, draft.createdAtMicros)}</p></div></li>`
  return markup`<ul class="items">${drafts.map(row)}</ul>
    ${moreDrafts !== undefined && markup`<nav class="pages" aria-label="${texts.drafts}"><a class="button secondary" rel="next" href="${moreDrafts}">${dashboard.older}</a></nav>`}`
}

function renameForm(localized: LocalizedDashboard, { folder, rename }: FolderPageInput): Html {
  const { folder: texts, fields } = localized.texts.secrets
  return markup`<form class="panel" method="post" action="/folders/${folder.id}">
    <h2>${texts.renameHeading}</h2>
    ${inputField({
      name: 'label',
      label: fields.label,
      hint: texts.labelHint,
      value: rename?.label ?? folder.label,
      error: rename?.problem,
      hasFocus: rename !== undefined,
      isRequired: true,
    })}
    <button type="submit" class="secondary">${texts.rename}</button>
  </form>`
}

function deletion(localized: LocalizedDashboard, { id, draftsCount, secretsCount }: FolderWithCounts): Html {
  const { folder: texts } = localized.texts.secrets
  const isEmpty = draftsCount + secretsCount === 0
  return markup`<form class="panel" method="get" action="/folders/${id}/delete">
    <h2>${texts.delete}</h2>
    <p>${isEmpty ? texts.deleteHint : texts.notEmpty}</p>
    ${isEmpty && markup`<button type="submit" class="danger">${texts.delete}</button>`}
  </form>`
}
