import type { DraftWithNote } from '@sotto/core'
import { banner, checkbox, type Page, fileList, markup, type Html } from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { doneBanner, type Done } from '../shared/done.ts'
import { crumbs, ownerPage } from '../shared/layout.ts'
import { buttonAction, formAttributes, sendingProgress } from '../files/files-field.ts'
import { answerCrumbs, answerTitle, type AnsweredTitle } from './answer-page.ts'
import { formPageParts } from '../secrets/new-secret-page.ts'
import {
  filesPart,
  linkPasswordField,
  noteField,
  optionFields,
  type SecretFormInput,
} from '../secrets/secret-form.ts'

export interface DraftPageInput extends SecretFormInput {
  readonly draft: Pick<DraftWithNote, 'id' | 'hasPassword' | 'version' | 'isDisabled' | 'files'>
  /** Whether the form has the note, or the field for a new one. A draft with a password hides it at first. */
  readonly hasNote: boolean
  readonly done: Done | undefined
  /** The request that it answers; absent for a draft that its owner has written. */
  readonly answered?: AnsweredTitle | undefined
  /** Whether it was changed elsewhere since the form was shown, so that nothing was saved. False by default. */
  readonly isChanged?: boolean | undefined
}

/** A draft: to edit, to share, to delete. */
export function draftPage(localized: LocalizedDashboard, input: DraftPageInput): Page {
  const { drafts: texts } = localized.texts
  const { draft, hasNote, done, answered } = input
  const head =
    answered === undefined
      ? markup`${crumbs(localized, folderOf(input))}<h1>${texts.title}</h1>`
      : markup`${answerCrumbs(localized)}<h1>${answerTitle(localized, answered)}</h1>`
  const main = markup`<div class="head">${head}<p class="lead">${texts.lead}</p></div>
    ${doneBanner(localized, done)}
    ${draft.isDisabled && banner('warning', texts.disabled)}
    ${input.isChanged === true && banner('error', texts.changed)}
    ${!hasNote && hiddenNote(localized, input)}
    ${draftForm(localized, input)}
    <form class="panel end" method="get" action="/drafts/${draft.id}/delete"><h2>${texts.delete}</h2><p>${texts.deleteLead}</p><button type="submit" class="danger">${texts.delete}</button></form>`
  return ownerPage({
    localized,
    title: texts.title,
    place: answered === undefined ? 'secrets' : 'requests',
    main,
    ...formPageParts(input.files),
  })
}

function folderOf({ folders, values }: DraftPageInput): Parameters<typeof crumbs>[1] {
  const folder = folders.find(({ id }) => id === values.folder)
  return folder && { path: `/dashboard?folder=${folder.id}`, label: folder.label }
}

/** The note of a draft with a password is shown once the password is entered. */
function hiddenNote(localized: LocalizedDashboard, { draft, problems }: DraftPageInput): Html {
  const { drafts: texts } = localized.texts
  return markup`<form class="panel" method="post" action="/drafts/${draft.id}/note">
    <p>${texts.hidden}</p>
    ${linkPasswordField(localized, { problems }, { isRequired: true, canBeNew: false })}
    <button type="submit" class="secondary">${texts.showNote}</button>
    ${draft.files.length > 0 && hiddenFiles(localized, draft)}
  </form>`
}

/** The names of the files of a draft whose note is hidden. The files cannot be changed before the note is shown. */
function hiddenFiles(localized: LocalizedDashboard, { files }: DraftPageInput['draft']): Html {
  const { heading, hidden } = localized.texts.files
  return markup`<h2>${heading}</h2>${fileList(localized, files)}<p class="hint">${hidden}</p>`
}

function draftForm(localized: LocalizedDashboard, input: DraftPageInput): Html {
  const { drafts: texts } = localized.texts
  const { newSecret } = localized.texts.secrets
  const { draft, hasNote } = input
  // Files are changed together with the text.
  const files = hasNote ? input.files : undefined
  const path = `/drafts/${draft.id}`
  return markup`<form method="post" action="${path}"${formAttributes(files)} novalidate data-unsaved>
    <input type="hidden" name="version" value="${draft.version}">
    <div class="panel writing">
      ${hasNote && markup`<input type="hidden" name="content" value="on">${noteField(localized, input)}`}
      <div class="options">${optionFields(localized, input, hasNote ? passwordPart(localized, input) : undefined)}</div>
      ${hasNote && filesPart(localized, input)}
    </div>
    <div class="actions send">
      <button type="submit"${buttonAction(files, path, 'save')}>${newSecret.saveDraft}</button>
      <p class="status" role="status"></p>${sendingProgress(localized, files)}
      <button type="submit"${buttonAction(files, path, 'share')} class="secondary" aria-describedby="share-hint">${texts.share}</button>
    </div>
    <p class="hint" id="share-hint">${texts.shareHint}</p>
  </form>`
}

function passwordPart(localized: LocalizedDashboard, input: DraftPageInput): Html {
  const { drafts: texts } = localized.texts
  const { fields } = localized.texts.secrets
  if (!input.draft.hasPassword) return linkPasswordField(localized, input, { hint: fields.passwordHint })
  const hint = input.problems.password === undefined ? texts.passwordAgain : undefined
  return markup`<div>${linkPasswordField(localized, input, { hint, isRequired: false })}${checkbox({
    name: 'remove-password',
    label: texts.removePassword,
  })}</div>`
}
