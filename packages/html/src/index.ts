/** The markup, the look, the fields and the scripts of Sotto's pages: exactly what the plugins with pages use of it. */

// Markup: text that is escaped by its type
export { filled, filledText, type Html, type HtmlValue, markup, trusted } from './html.ts'
export { languageNames } from './language-names.ts'
export { createLocalizer, localize, type Localized, type Plural } from './localized.ts'
export { remembered } from './remembered.ts'

// A page
export { type Page, pageOf, type PageParts } from './document.ts'
export { type Embedded, pageScript, styleSheet } from './embedded.ts'
export { type Brand, type Branding, brandingRules, brandOf } from './brand.ts'

// Elements
export {
  copyBar,
  dayElement,
  hourElement,
  isolated,
  languageLinks,
  spanElement,
  timeElement,
  untranslated,
} from './elements.ts'
export {
  areaField,
  badge,
  banner,
  checkbox,
  checksField,
  type Choice,
  choicesField,
  emptyState,
  errorSummary,
  type FieldParts,
  fileField,
  inputField,
  partNavigation,
  passwordField,
  selectField,
} from './app-elements.ts'
export { attachedStyle, fileList, fileListStyle } from './file-list.ts'
export { noteElement } from './note.ts'
export { emptyEnvelope, openEnvelope, sealedEnvelope, type Sign, signOf, signShapes } from './signs.ts'

// The look
export { appStyle } from './app-style.ts'
export { formRules, readingRules } from './base-style.ts'
export {
  badgeStyle,
  readingStyle,
  choiceStyle,
  detailStyle,
  rowStyle,
  listStyle,
  railStyle,
  answerStyle,
  newsStyle,
  requestStyle,
  secretStyle,
  settingsStyle,
} from './part-styles.ts'
export { attachStyle, writingStyle } from './writing-style.ts'
export { copyRules } from './copy-rules.ts'
export { noteRules } from './note-rules.ts'

// Scripts
export {
  linkScript,
  openedFilesScript,
  openedScript,
  sealFormScript,
  secretLinkScript,
  requestFormScript,
  sealedAnswersScript,
  sealedRequestScript,
  sizeTextFunction,
  suggestedPasswordFunction,
} from './sealed-scripts.ts'
export {
  copying,
  copyText,
  keptTyping,
  peeking,
  saving,
  sendOnce,
  sharing,
  shownTab,
  staleFaults,
} from './script.ts'
export { dayTimes, localTimes, shownLater, timeLeft } from './time-scripts.ts'
