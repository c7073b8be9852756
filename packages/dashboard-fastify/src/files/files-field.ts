import { shownText, type FileUsage, type OwnedFile } from '@sotto/core'
import { checkbox, fileField, fileList, filledText, markup, type Html } from '@sotto/html'
import { fileFieldName } from '@sotto/http-fastify/plugin'
import { removeName } from '../shared/remove-names.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'

/** What a form shows of files. */
export interface FilesInput {
  /** How much the account uses of what its files may have; `undefined` where no files are taken. */
  readonly usage: FileUsage | undefined
  /** The files that the draft has already. */
  readonly kept?: readonly OwnedFile[] | undefined
  /** The ids of the files that are ticked to be removed. */
  readonly removed?: readonly string[] | undefined
  /** `DraftWithNote.sealedFiles` as text: with it the server keeps the files of the draft. Empty when it has none. */
  readonly sealed?: string | undefined
  /** The path under which the files of the draft are saved, by their numbers; `undefined` where that needs its password. */
  readonly savedFrom?: string | undefined
  /** Whether the files of the draft cannot be read any more, so that they can only be removed. False by default. */
  readonly isUnreadable?: boolean
  /** Whether recipients see names and sizes of the files before they open the link. */
  readonly isShown: boolean
}

/** Where files are chosen, and removed from a draft. */
export function filesField(
  localized: LocalizedDashboard,
  { usage, kept = [], removed = [], sealed = '', savedFrom, isUnreadable = false, isShown }: FilesInput,
  fault: { readonly error?: string | undefined; readonly hasFocus?: boolean },
): Html {
  const { files: texts, secrets } = localized.texts
  const controls = ({ id, name }: OwnedFile, at: number, nameId: string): Html =>
    markup`${savedFrom !== undefined && saveLink(localized, { name, path: `${savedFrom}/${at + 1}` }, nameId)}<label class="choice"><input type="checkbox" name="${removeName(at)}" value="${id}" aria-describedby="${nameId}"${removed.includes(id) && markup` checked`}>${texts.remove}</label>`
  return markup`<fieldset class="attach"${usage && settingsOf(localized, usage)}>
    <legend>${texts.heading} <span class="soft">${secrets.fields.optional}</span></legend>
    ${sealed !== '' && markup`<input type="hidden" name="sealed-files" value="${sealed}">`}
    ${kept.length > 0 && fileList(localized, kept, isUnreadable ? undefined : controls)}
    ${isUnreadable && markup`<p class="hint">${texts.unreadable}</p>`}
    ${checkbox({ name: 'show-files', label: texts.shown, isChecked: isShown })}
    ${usage && chooser(localized, usage, fault)}
  </fieldset>`
}

/** Saves a file of an owner: its address answers with an attachment. */
export function saveLink(
  { texts }: LocalizedDashboard,
  { name, path }: { readonly name: string; readonly path: string },
  nameId: string,
): Html {
  return markup`<a class="button secondary" href="${path}" download="${shownText(name)}" id="save-${nameId}" aria-labelledby="save-${nameId} ${nameId}">${texts.files.save}</a>`
}

function chooser(
  localized: LocalizedDashboard,
  { maxBytes, accountMaxBytes, usedBytes, filesMax: count }: FileUsage,
  fault: Parameters<typeof filesField>[2],
): Html {
  const { files: texts } = localized.texts
  const left = localized.size(Math.max(0, accountMaxBytes - usedBytes))
  const limits = { count: localized.number(count), each: localized.size(maxBytes), left }
  return markup`${fileField({
    name: fileFieldName,
    label: texts.add,
    hint: markup`${filledText(texts.limits, limits)} <span class="dropping" hidden>${texts.drop}</span>`,
    ...fault,
  })}
    <p role="status" class="error" data-problem></p>
    <ul class="files" data-chosen hidden></ul>`
}

/** What the script needs that lets files be chosen. */
function settingsOf(
  { texts: { files, common } }: LocalizedDashboard,
  { maxBytes, accountMaxBytes, usedBytes, filesMax: count }: FileUsage,
): Html {
  const { tooLargeNamed, tooLargeTogether, wrongName, folder, remove } = files
  const settings = {
    ...{ maxBytes, filesMax: count, leftBytes: Math.max(0, accountMaxBytes - usedBytes) },
    ...{ tooLargeNamed, tooLargeTogether, wrongName, folder, remove },
    tooMany: filledText(common.fieldErrors.too_many, { limit: String(count) }),
  }
  return markup` data-files${dataOf(settings)}`
}

/** Attributes that a script reads from a `dataset` by these names. */
function dataOf(values: Readonly<Record<string, string | number>>): readonly Html[] {
  return Object.entries(values).map(
    ([name, value]) =>
      markup` data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}="${value}"`,
  )
}

/** The attributes that only a form which takes files has. */
export function formAttributes(files: FilesInput | undefined): Html | undefined {
  return files?.usage && markup` enctype="multipart/form-data"`
}

/** The attributes with which a button names its action: in the address where files are taken, because its field could follow the files. */
export function buttonAction(files: FilesInput | undefined, path: string, action: string): Html {
  return files?.usage === undefined
    ? markup` name="action" value="${action}"`
    : markup` formaction="${path}?action=${action}"`
}

/** Shows how far the script is that sends a form with files, or one that is encrypted in the browser. */
export function sendingProgress(
  { texts }: LocalizedDashboard,
  files: FilesInput | undefined,
  isSealable = false,
): Html | undefined {
  const { sending, sent, unsendable, lost, refusedOnTheWay } = texts.files
  const { encrypting } = texts.sealed
  const takesFiles = files?.usage !== undefined
  if (!takesFiles && !isSealable) return undefined
  const words = {
    lost,
    ...(takesFiles && { sending, sent, unsendable, refusedOnTheWay }),
    ...(isSealable && { encrypting }),
  }
  return markup`<progress hidden aria-label="${takesFiles ? sending : encrypting}"${dataOf(words)}></progress><span class="hint"></span>`
}
