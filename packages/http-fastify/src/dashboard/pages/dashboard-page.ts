import type { FolderWithCounts, SecretOverview } from '@sotto/core'
import { banner, emptyState, partNavigation } from '../../design/app-elements.ts'
import type { Page } from '../../design/document.ts'
import { timeElement } from '../../design/elements.ts'
import { pageScript } from '../../design/embedded.ts'
import { filled, markup, type Html } from '../../design/html.ts'
import { localTimes, sendOnce } from '../../design/script.ts'
import type { LocalizedDashboard } from '../texts/dashboard-texts.ts'
import { doneBanner, type Done } from './done.ts'
import { newFolderForm, type NewFolderInput } from './folder-forms.ts'
import { ownerPage } from './layout.ts'
import { listFilter } from './scripts.ts'
import { statusBadge } from './secret-status.ts'

export interface DashboardInput {
  readonly folders: readonly FolderWithCounts[]
  /** The folder whose secrets are shown; all folders without it. */
  readonly folder: FolderWithCounts | undefined
  readonly secrets: readonly SecretOverview[]
  /** The path of the next page; `undefined` on the last one. */
  readonly older: string | undefined
  /** Whether this is not the first page. */
  readonly isContinued: boolean
  readonly hasCorruption: boolean
  readonly done: Done | undefined
  /** A new folder that could not be made. */
  readonly newFolder?: NewFolderInput | undefined
}

const script = pageScript(localTimes, sendOnce, listFilter)

/** A list this short needs no filter. */
const rowsWithoutFilter = 5

/** The owner's folders, and the secrets in all or one of them, newest first. */
export function dashboardPage(localized: LocalizedDashboard, input: DashboardInput): Page {
  const { heading, noFolders } = localized.texts.secrets.dashboard
  const { folders, folder, done, newFolder } = input
  const form = newFolderForm(localized, newFolder, folders.length === 0)
  const main = markup`<div class="head"><h1>${heading}</h1></div>
    ${doneBanner(localized, done)}
    ${
      folders.length === 0
        ? emptyState({ ...noFolders, action: form })
        : markup`<div class="split">${folderList(localized, input)}<div>${listing(localized, input)}</div>${form}</div>`
    }`
  return ownerPage({ localized, title: heading, place: 'secrets', folderId: folder?.id, main, script })
}

function folderList(localized: LocalizedDashboard, { folders, folder }: DashboardInput): Html {
  const { dashboard } = localized.texts.secrets
  return partNavigation('folders', dashboard.folders, [
    { path: '/dashboard', text: dashboard.allFolders, isCurrent: folder === undefined },
    ...folders.map((each) => ({
      path: `/dashboard?folder=${each.id}`,
      text: markup`<bdi>${each.label}</bdi> <small>${countsOf(localized, each)}</small>`,
      isCurrent: each.id === folder?.id,
    })),
  ])
}

function countsOf(localized: LocalizedDashboard, { secretsCount, draftsCount }: FolderWithCounts): Html {
  const { secrets, drafts } = localized.texts.secrets.dashboard
  const written = (wordings: typeof secrets, count: number): Html => {
    const { wording, number } = localized.counted(wordings, count)
    return filled(wording, { count: number })
  }
  return markup`${written(secrets, secretsCount)}, ${written(drafts, draftsCount)}`
}

function listing(localized: LocalizedDashboard, input: DashboardInput): Html {
  const { dashboard } = localized.texts.secrets
  const { secrets, hasCorruption, folder } = input
  return markup`${
    folder !== undefined &&
    markup`<div class="head part"><h2><bdi>${folder.label}</bdi></h2><a href="/folders/${folder.id}">${dashboard.manage}</a></div>`
  }
    ${hasCorruption && banner('error', dashboard.corrupted)}
    ${secrets.length === 0 ? noSecrets(localized, folder) : secretList(localized, input)}
    ${otherPages(localized, input)}`
}

function noSecrets(localized: LocalizedDashboard, folder: FolderWithCounts | undefined): Html {
  const { heading, lead, action } = localized.texts.secrets.dashboard.noSecrets
  const path = folder === undefined ? '/secrets/new' : `/secrets/new?folder=${folder.id}`
  return emptyState({
    heading,
    lead,
    action: markup`<p><a class="button secondary" href="${path}">${action}</a></p>`,
  })
}

function secretList(localized: LocalizedDashboard, { secrets, folders, folder }: DashboardInput): Html {
  const { dashboard } = localized.texts.secrets
  const labels = new Map(folder === undefined ? folders.map(({ id, label }) => [id, label]) : [])
  return markup`${
    secrets.length > rowsWithoutFilter &&
    markup`<div class="field" hidden><label for="filter">${dashboard.filter}</label><input type="search" id="filter" autocomplete="off" data-filter="secrets">
      <p class="hint" role="status" data-nothing="${dashboard.filterNothing}"></p></div>`
  }
    <ul class="items" id="secrets">${secrets.map((secret) => secretRow(localized, secret, labels.get(secret.folderId)))}</ul>`
}

function secretRow(
  localized: LocalizedDashboard,
  secret: SecretOverview,
  folderLabel: string | undefined,
): Html {
  const { status } = localized.texts.secrets
  const time = timeElement(localized, secret.expiresAtMicros)
  return markup`<li><div><a href="/secrets/${secret.id}"><bdi>${secret.label}</bdi></a><p>${
    folderLabel !== undefined && markup`<bdi>${folderLabel}</bdi> &middot; `
  }${secret.hasPassword && `${status.password} · `}${filled(status.expires, { time })}</p></div>${statusBadge(localized, secret)}</li>`
}

function otherPages(
  localized: LocalizedDashboard,
  { older, isContinued, folder }: DashboardInput,
): Html | undefined {
  if (older === undefined && !isContinued) return undefined
  const { dashboard } = localized.texts.secrets
  const newest = folder === undefined ? '/dashboard' : `/dashboard?folder=${folder.id}`
  return markup`<nav class="pages" aria-label="${dashboard.heading}">
    ${isContinued && markup`<a class="button secondary" href="${newest}">${dashboard.newest}</a>`}
    ${older !== undefined && markup`<a class="button secondary" rel="next" href="${older}">${dashboard.older}</a>`}
  </nav>`
}
