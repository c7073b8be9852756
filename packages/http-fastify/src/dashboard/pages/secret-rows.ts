import type { FolderWithCounts, SecretOverview } from '@sotto/core'
import { spanElement } from '../../design/elements.ts'
import { markup, type Html } from '../../design/html.ts'
import { signShapes } from '../../design/signs.ts'
import type { LocalizedDashboard } from '../texts/dashboard-texts.ts'
import { isOpenable, statusSign, statusText } from './secret-status.ts'

export interface RowsInput {
  /** Whose labels the rows show. */
  readonly folders: readonly Pick<FolderWithCounts, 'id' | 'label'>[]
  readonly nowMicros: number
  /** Where links begin, without a slash at its end. */
  readonly linkOrigin: string
}

/** Secrets in a list. The script of the page needs `linkCopying`. */
export function secretRows(
  localized: LocalizedDashboard,
  secrets: readonly SecretOverview[],
  input: RowsInput,
): Html {
  const labels = new Map(input.folders.map(({ id, label }) => [id, label]))
  const row = (secret: SecretOverview): Html =>
    secretRow(localized, input, secret, labels.get(secret.folderId))
  return markup`${signShapes}<ul class="items secrets" data-links="${input.linkOrigin}/" data-done="${localized.texts.secrets.secret.copied}">${secrets.map(row)}</ul>
`
}

function secretRow(
  localized: LocalizedDashboard,
  { nowMicros }: RowsInput,
  secret: SecretOverview,
  folderLabel: string | undefined,
): Html {
  const { status, secret: texts } = localized.texts.secrets
  return markup`<li>${statusSign(secret)}<div><a href="/secrets/${secret.id}"><bdi>${secret.label}</bdi></a><p>${
    folderLabel !== undefined && markup`<bdi>${folderLabel}</bdi> &middot; `
  }${secret.hasPassword && `${status.password} · `}${spanElement(localized, secret.expiresAtMicros, nowMicros)}</p></div>
    <span class="state">${statusText(localized, secret, nowMicros)}</span>${
      isOpenable(secret) &&
      markup`<button class="quiet" data-link="${secret.link.token}" hidden>${texts.copyLink}</button>`
    }</li>`
}
